"""Edits change their spans and nothing else."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from groundwire.query.edits import Edit, apply
from groundwire.query.problem import Problem
from groundwire.query.revision import Revision


@st.composite
def texts_with_edits(draw: st.DrawFn) -> tuple[str, list[Edit]]:
    text = draw(st.text(max_size=60))
    places = sorted(draw(st.lists(st.integers(0, len(text)), max_size=8, unique=True)))
    pairs = zip(places[::2], places[1::2], strict=False)
    return text, [Edit(start, end, draw(st.text(max_size=5))) for start, end in pairs]


@given(texts_with_edits())
def test_what_lies_outside_the_spans_stays(case: tuple[str, list[Edit]]) -> None:
    text, edits = case
    rest, position = apply(text, edits), 0
    for edit in edits:
        kept = text[position : edit.start] + edit.text
        assert rest.startswith(kept)
        rest, position = rest[len(kept) :], edit.end
    assert rest == text[position:]


@given(texts_with_edits(), st.randoms(use_true_random=False))
def test_the_order_in_which_edits_are_given_does_not_matter(case: object, random: object) -> None:
    text, edits = case  # type: ignore[misc]
    shuffled = list(edits)
    random.shuffle(shuffled)  # type: ignore[attr-defined]
    assert apply(text, shuffled) == apply(text, edits)


@pytest.mark.parametrize(
    "edits", [[Edit(0, 3, ""), Edit(2, 4, "")], [Edit(3, 9, "")], [Edit(-1, 1, "")]]
)
def test_edits_that_overlap_or_leave_the_text_are_refused(edits: list[Edit]) -> None:
    with pytest.raises(ValueError, match="edit"):
        apply("abcde", edits)


@given(st.text(max_size=80), st.integers(-5, 100))
def test_a_problem_knows_its_line_and_column(text: str, offset: int) -> None:
    problem = Problem.at(text, offset, "x")
    lines = text.split("\n")
    assert (
        sum(len(line) + 1 for line in lines[: problem.line - 1]) + problem.column - 1
        == problem.offset
    )


@given(st.data())
def test_a_revision_says_all_edits_in_places_of_the_original(data: st.DataObject) -> None:
    text = data.draw(st.text("abc", max_size=12))
    revision, expected = Revision.of(text), text
    for _ in range(data.draw(st.integers(0, 4))):
        places = sorted(data.draw(st.lists(st.integers(0, len(expected)), max_size=4, unique=True)))
        pairs = zip(places[::2], places[1::2], strict=False)
        edits = [Edit(start, end, data.draw(st.text("xyz", max_size=3))) for start, end in pairs]
        expected = apply(expected, edits)
        revision = revision.revise(edits)
        assert revision.text == expected
        assert apply(text, revision.edits) == expected
    start, end = revision.origin(0, len(expected))
    assert 0 <= start <= end <= len(text)


def test_a_place_in_the_text_is_found_in_the_original() -> None:
    revision = Revision.of("MATCH (p:Person)").revise([Edit(9, 15, "Human being")])
    assert revision.text == "MATCH (p:Human being)"
    assert revision.origin(20, 21) == (15, 16)
    assert revision.origin(10, 12) == (9, 15)
    assert revision.origin(7, 8) == (7, 8)
