"""What holds of the fact check for any result."""

from __future__ import annotations

from typing import Any

from hypothesis import assume, given, settings
from hypothesis import strategies as st

from groundwire.answer.facts import check_sentence
from groundwire.answer.template import template_sentence
from groundwire.answer.wording import say, say_number
from groundwire.database.result import Result
from tests.answer.judged import table
from tests.answer.strategies import broken, decimals, groups, results, series, whole

QUESTION = "What about the trees?"


def problems(sentence: str, result: Result, question: str = QUESTION) -> list[str]:
    return [problem.sentence for problem in check_sentence(sentence, question, result).problems]


@settings(max_examples=100, deadline=None)
@given(results)
def test_the_template_sentence_of_any_result_passes_its_own_check(result: Result) -> None:
    sentence = template_sentence(QUESTION, result)
    assert problems(sentence, result) == [], sentence


@st.composite
def changed_digits(draw: st.DrawFn, said: str) -> str:
    """The figure with one of its digits changed, the first not to 0."""
    places = [place for place, character in enumerate(said) if character.isdigit()]
    place = draw(st.sampled_from(places))
    first = place == places[0]
    digit = draw(st.sampled_from("123456789" if first and len(places) > 1 else "0123456789"))
    assume(digit != said[place])
    return said[:place] + digit + said[place + 1 :]


@settings(max_examples=100, deadline=None)
@given(st.one_of(whole, broken, decimals), st.data())
def test_a_changed_digit_of_the_only_figure_is_found(value: Any, data: st.DataObject) -> None:
    result = table(["n"], [[value]])
    said = say_number(value)
    assert problems(f"The number is {said}.", result) == []
    wrong = data.draw(changed_digits(said))
    assert problems(f"The number is {wrong}.", result) != [], wrong


@settings(max_examples=100, deadline=None)
@given(groups(), st.data())
def test_a_changed_digit_of_a_named_figure_is_found(result: Result, data: st.DataObject) -> None:
    name, value = data.draw(st.sampled_from(result.rows))
    assume(value is not None)
    said = say_number(value)
    assert problems(f"{name} has {said}.", result) == []
    wrong = data.draw(changed_digits(said))
    assert problems(f"{name} has {wrong}.", result) != [], (name, wrong)


@settings(max_examples=100, deadline=None)
@given(groups(), st.data())
def test_two_figures_that_change_places_are_found(result: Result, data: st.DataObject) -> None:
    rows = [row for row in result.rows if row[1] is not None]
    assume(len(rows) > 1)
    one, other = data.draw(st.lists(st.sampled_from(rows), min_size=2, max_size=2, unique=True))
    assume(say_number(one[1]) != say_number(other[1]))
    first, second = say_number(one[1]), say_number(other[1])
    assert problems(f"{one[0]} has {first} and {other[0]} has {second}.", result) == []
    assert problems(f"{one[0]} has {second} and {other[0]} has {first}.", result) != []


@settings(max_examples=100, deadline=None)
@given(series(), st.data())
def test_a_figure_of_another_time_is_found(result: Result, data: st.DataObject) -> None:
    grain = result.columns[0].name
    one, other = data.draw(
        st.lists(st.sampled_from(result.rows), min_size=2, max_size=2, unique=True)
    )
    moment = say(one[0], grain)  # type: ignore[arg-type]
    assert problems(f"In {moment} it is {say_number(one[1])}.", result) == []
    assume(one[1] != other[1])
    assert problems(f"In {moment} it is {say_number(other[1])}.", result) != []


@settings(max_examples=50, deadline=None)
@given(groups(cut=True))
def test_no_sentence_about_all_of_a_cut_result_passes(result: Result) -> None:
    highest = max(
        (row for row in result.rows if row[1] is not None), key=lambda row: row[1], default=None
    )
    assume(highest is not None)
    assert highest is not None
    size = len(result.rows)
    for sentence in (
        f"There are {size} kinds.",
        f"There are exactly {size} rows.",
        f"{highest[0]} has the highest figure with {say_number(highest[1])}.",
        f"All {size} kinds are {', '.join(row[0] for row in result.rows)}.",
    ):
        assert problems(sentence, result) != [], sentence


@settings(max_examples=100, deadline=None)
@given(st.text(max_size=200), results)
def test_any_text_at_all_is_judged_without_an_error(text: str, result: Result) -> None:
    check = check_sentence(text, QUESTION, result)
    assert check.ok == (not check.problems)
    assert all(0 <= problem.offset <= len(text) for problem in check.problems)
