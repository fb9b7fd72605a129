"""`more than 30`, `at least three`, `between 5 and 10`, `2 or more`, `older than 40`."""

from __future__ import annotations

from collections.abc import Iterator

from groundwire.draft.offline.sentence import Sentence, rule
from groundwire.draft.offline.syntax import About, Comparison, Operator
from groundwire.draft.offline.vocabulary import Phrases, vocabulary

__all__ = ["ADJECTIVES", "COMPARATIVES", "REVERSED", "comparative", "comparison"]

REVERSED: dict[Operator, Operator] = {"<": ">", ">": "<", "<=": ">=", ">=": "<="}

_OLD: About = (
    ("age", True),
    ("birth year", False),
    ("birth date", False),
    ("date of birth", False),
)
ADJECTIVES: dict[str, tuple[About, bool]] = {
    "oldest": (_OLD, True),
    "eldest": (_OLD, True),
    "youngest": (_OLD, False),
    "tallest": ((("height", True),), True),
    "heaviest": ((("weight", True),), True),
    "lightest": ((("weight", True),), False),
    "longest": ((("length", True), ("duration", True)), True),
    "shortest": ((("length", True), ("duration", True), ("height", True)), False),
    "cheapest": ((("price", True), ("cost", True)), False),
    "priciest": ((("price", True), ("cost", True)), True),
    "fastest": ((("speed", True),), True),
    "slowest": ((("speed", True),), False),
}
"""Superlatives that name their column: (columns, whether the greatest is meant)."""

_COMPARATIVE_STEMS: dict[str, tuple[About, Operator]] = {
    "older": (_OLD, ">"),
    "younger": (_OLD, "<"),
    "taller": ((("height", True),), ">"),
    "heavier": ((("weight", True),), ">"),
    "lighter": ((("weight", True),), "<"),
    "cheaper": ((("price", True), ("cost", True)), "<"),
    "faster": ((("speed", True),), ">"),
}

COMPARATIVES: dict[Operator, Phrases] = {
    ">": vocabulary("more than"),
    "<": vocabulary("less than"),
    ">=": vocabulary("at least"),
    "<=": vocabulary("at most"),
    "=": vocabulary("equal"),
    "<>": vocabulary("unequal"),
}
_AFTER: dict[Operator, Phrases] = {
    ">=": vocabulary("after at least"),
    "<=": vocabulary("after at most"),
}
_BETWEEN = vocabulary("between")
_JOINTS = {"between": ("and", "to"), "from": ("to", "through"), "range": ("to", "and")}
_YEARS_OLD = vocabulary("years old")
_PERCENT = vocabulary("percent")


@rule
def comparative(sentence: Sentence, position: int) -> Iterator[tuple[Comparison, int]]:
    """The words of a comparison without its number: `more than`, `older than`."""
    for operator, phrases in COMPARATIVES.items():
        for end in phrases.at(sentence, position):
            yield Comparison(operator, ()), end
    known = _COMPARATIVE_STEMS.get(sentence.word(position))
    if known is not None and sentence.word(position + 1) == "than":
        yield Comparison(known[1], (), known[0]), position + 2


@rule
def comparison(sentence: Sentence, position: int) -> Iterator[tuple[Comparison, int]]:
    """A comparison with its numbers."""
    for words, at in comparative(sentence, position):
        number = sentence.number(at)
        if number is not None:
            yield from _with_unit(sentence, at + 1, words.operator, (number,), words.about)
        elif sentence.word(at) == "a" and sentence.word(at + 1) == "single":
            yield Comparison(words.operator, (1,)), at + 2
    yield from _range(sentence, position)
    number = sentence.number(position)
    if number is None:
        return
    for operator, phrases in _AFTER.items():
        for end in phrases.at(sentence, position + 1):
            yield from _with_unit(sentence, end, operator, (number,), ())


def _range(sentence: Sentence, position: int) -> Iterator[tuple[Comparison, int]]:
    for at in _BETWEEN.at(sentence, position):
        low, joint, high = sentence.number(at), sentence.word(at + 1), sentence.number(at + 2)
        opening = sentence.word(at - 1)
        if low is None or high is None or joint not in _JOINTS.get(opening, ("and",)):
            continue
        if low <= high:
            yield from _with_unit(sentence, at + 3, "between", (low, high), ())
    low, high = sentence.number(position), sentence.number(position + 2)
    if low is not None and high is not None and low < high and sentence.word(position + 1) == "to":
        yield Comparison("between", (low, high)), position + 3


def _with_unit(
    sentence: Sentence,
    end: int,
    operator: Operator,
    values: tuple[int | float, ...],
    about: About,
) -> Iterator[tuple[Comparison, int]]:
    for after in _YEARS_OLD.at(sentence, end):
        yield Comparison(operator, values, (("age", True),)), after
    for after in _PERCENT.at(sentence, end):
        yield Comparison(operator, values, about), after
    yield Comparison(operator, values, about), end
