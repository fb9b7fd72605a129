"""The question set as a file: how many of what, no look-alikes, and what a wrong file gets."""

from __future__ import annotations

import itertools
import re
from collections import Counter
from importlib import resources
from pathlib import Path

import pytest
import sqlglot
import yaml
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from groundwire.errors import UsageError
from groundwire.packs.chicago.questions import load_questions, read_questions
from groundwire.packs.pack import load_pack


def test_there_are_30_easy_40_medium_and_30_hard_questions() -> None:
    tiers = Counter(question.tier for question in load_questions())
    assert tiers == {"easy": 30, "medium": 40, "hard": 30}


def test_an_id_says_the_tier() -> None:
    assert all(q.id[0] == q.tier[0].upper() and q.id[1:].isdigit() for q in load_questions())


def words(text: str) -> frozenset[str]:
    return frozenset(re.findall(r"[a-z0-9']+", text.lower()))


def overlap(one: str, other: str) -> float:
    """Shared words among all words, 0 to 1."""
    return len(words(one) & words(other)) / len(words(one) | words(other))


def test_no_two_wordings_are_alike() -> None:
    pairs = itertools.combinations((question.question for question in load_questions()), 2)
    assert [pair for pair in pairs if overlap(*pair) > 0.7] == []


def test_the_example_questions_of_the_pack_are_others() -> None:
    pairs = itertools.product(
        (question.question for question in load_questions()), load_pack("chicago").questions
    )
    assert [pair for pair in pairs if overlap(*pair) > 0.7] == []


def test_nothing_else_in_the_package_quotes_a_question() -> None:
    def spoken(text: str) -> str:
        return " ".join(re.findall(r"[a-z0-9']+", text.lower()))

    files = [
        path
        for path in Path(str(resources.files("groundwire"))).rglob("*")
        if path.suffix in {".py", ".yaml", ".yml", ".md", ".txt", ".json", ".jinja"}
        and path.name != "questions.yaml"
    ]
    assert len(files) > 10
    texts = {path: spoken(path.read_text(encoding="utf-8")) for path in files}
    quotes = [
        (path.name, question.id)
        for path, text in texts.items()
        for question in load_questions()
        if spoken(question.question) in text
    ]
    assert quotes == []


def test_a_question_is_tagged_ambiguous_when_it_has_several_readings() -> None:
    assert all((len(q.golds) > 1) == ("ambiguous" in q.tags) for q in load_questions())


@pytest.mark.parametrize("dialect", ["duckdb", "postgres"])
def test_every_gold_is_one_select(dialect: str) -> None:
    for question in load_questions():
        for gold in question.golds:
            (statement,) = sqlglot.parse(gold.sql, dialect=dialect)
            assert isinstance(statement, sqlglot.exp.Query), question.id


def test_no_field_of_an_entry_stands_twice() -> None:
    text = resources.files("groundwire.packs.chicago").joinpath("questions.yaml").read_text()
    for entry in yaml.compose(text).value:
        keys = [key.value for key, _ in entry.value]
        assert len(keys) == len(set(keys)), keys


# ------------------------------------------------------------------------- wrong question files

ENTRY = {"id": "E01", "tier": "easy", "question": "How many?", "gold": "SELECT 1", "tags": ["a"]}
READINGS = [{"reading": "One.", "sql": "SELECT 1"}, {"reading": "Two.", "sql": "SELECT 2"}]


def written(*entries: object) -> str:
    return yaml.safe_dump(list(entries))


def without(key: str, **changes: object) -> dict[str, object]:
    return {name: value for name, value in {**ENTRY, **changes}.items() if name != key}


def test_fields_that_are_left_out_have_their_defaults() -> None:
    (question,) = read_questions(written(ENTRY))
    assert not question.ordered
    assert not question.float
    assert question.optional == ()
    assert question.golds[0].reading == ""


def test_a_question_with_order_by_is_ordered() -> None:
    (question,) = read_questions(written({**ENTRY, "order_by": ["crimes"]}))
    assert question.ordered


@pytest.mark.parametrize(
    ("text", "complaint"),
    [
        (written(without("tags")), "E01: `tags` is missing"),
        (written(without("id")), "entry 1: `id` is missing"),
        (written({**ENTRY, "colour": "red"}), "E01: `colour` is not a field"),
        (written({**ENTRY, "tier": "tricky"}), "E01: `tier` must be one of easy, medium, hard"),
        (written({**ENTRY, "float": "yes please"}), "E01: `float` must be true or false"),
        (written({**ENTRY, "question": " "}), "E01: `question` must be a text"),
        (written({**ENTRY, "tags": "count"}), "E01: `tags` must be a list of texts"),
        (written({**ENTRY, "tags": [None]}), "E01: `tags` must be a list of texts"),
        (written(without("gold")), "E01: it needs `gold`, or `golds`"),
        (written({**ENTRY, "golds": READINGS}), "E01: it needs `gold`, or `golds`"),
        (written(without("gold", golds=READINGS[:1])), "E01: `golds` must list at least two"),
        (written(without("gold", golds=[{"sql": "SELECT 1"}, *READINGS])), "`reading` is missing"),
        (written(without("gold", golds=[READINGS[0], READINGS[0]])), "have the same sentence"),
        (written(ENTRY, {**ENTRY, "question": "How old?"}), "E01: this id stands twice"),
        (written(ENTRY, {**ENTRY, "id": "E02"}), "E02: the question of E01 again"),
        (written(ENTRY, "SELECT 1"), "entry 2: it must be a mapping"),
        ("id: E01", "must be a list of questions"),
        ("- [", "is not readable YAML"),
        ("- 2020-13-41", "is not readable YAML"),
    ],
)
def test_a_wrong_file_is_refused_with_the_name_of_the_entry(text: str, complaint: str) -> None:
    with pytest.raises(UsageError, match=re.escape(complaint)):
        read_questions(text)


TEXTS = st.text(alphabet="a1:- ", max_size=5)
ANYTHING = st.recursive(
    st.none() | st.booleans() | st.integers() | TEXTS,
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(TEXTS, inner, max_size=3),
    max_leaves=6,
)


def complaint_about(text: str) -> str:
    try:
        read_questions(text)
    except UsageError as refused:
        return refused.message
    return ""


@settings(deadline=None, max_examples=50, suppress_health_check=[HealthCheck.too_slow])
@given(changes=st.dictionaries(st.sampled_from([*ENTRY, "golds", "order_by", "float"]), ANYTHING))
def test_any_entry_is_read_or_refused_in_words(changes: dict[str, object]) -> None:
    complaint = complaint_about(written({**ENTRY, **changes}))
    assert not complaint or complaint.startswith("questions.yaml, ")
