"""What a sentence may stand on: the question, the rows, and what is known of them."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from decimal import Decimal, InvalidOperation
from functools import cached_property, lru_cache
from typing import Any

from groundwire.answer.facts.words import COLUMN_SYNONYMS, NEUTRAL, word_set
from groundwire.answer.shape import Shape, shape_of
from groundwire.answer.wording import column_names, is_number
from groundwire.database.result import Result
from groundwire.draft.inflect import fold, singular

__all__ = ["Ground", "as_number", "columns_called", "is_percent", "root", "stems"]

_THINGS = word_set("incident case record event instance occurrence observation item")
_COUNT_NAMES = word_set("count cnt n num number total")
_PERCENT_NAMES = {"percent", "percentage", "share", "rate", "ratio", "fraction", "proportion"}


def stems(text: str) -> list[str]:
    """The folded words of a text, each in the singular."""
    return [singular(word) for word in fold(text).split()]


@lru_cache(maxsize=4096)
def root(word: str) -> str:
    """A rough common root of the forms of a word: `delayed` and `delay`, `stopped` and `stop`."""
    if word.endswith(("ied", "ies")) and len(word) > 4:
        return word[:-3] + "y"
    for suffix in (
        "ation",
        "ated",
        "ating",
        "ates",
        "ate",
        "ion",
        "ity",
        "ing",
        "ely",
        "ed",
        "es",
        "s",
        "ly",
        "e",
    ):
        if word.endswith(suffix) and len(word) - len(suffix) >= 3:
            word = word[: -len(suffix)]
            break
    return (
        word[:-1] if len(word) > 3 and word[-1] == word[-2] and word[-1] not in "aeiouls" else word
    )


def as_number(value: Any) -> Decimal | None:
    """A cell as an exact number; a text of digits counts, a truth value does not."""
    if is_number(value) or (isinstance(value, str) and re.fullmatch(r"-?\d+(\.\d+)?", value)):
        try:
            number = Decimal(repr(value)) if isinstance(value, float) else Decimal(value)
        except InvalidOperation:
            return None
        return number if number.is_finite() else None
    return None


@dataclass(frozen=True)
class Ground:
    """A result and its question, with the views on them that the checks share."""

    question: str
    result: Result
    total: int | None = None
    context: tuple[str, ...] = ()

    @cached_property
    def shape(self) -> Shape:
        """Which columns are labels and which are measures."""
        return shape_of(self.result)

    @property
    def size(self) -> int:
        """How many rows there are to see."""
        return len(self.result.rows)

    @property
    def is_cut(self) -> bool:
        """Rows are missing."""
        return self.result.truncated

    @cached_property
    def asked(self) -> tuple[str, ...]:
        """The question and the context, each as given."""
        return (self.question, *self.context)

    @cached_property
    def column_stems(self) -> tuple[frozenset[str], ...]:
        """The words by which a sentence may call each column."""
        names = column_names(column.name for column in self.result.columns)
        found = []
        for column, name in zip(self.result.columns, names, strict=True):
            own = {*stems(name), *stems(re.sub(r"(?<=[a-z])(?=[A-Z])", " ", column.name))}
            more = {other for word in own for other in COLUMN_SYNONYMS.get(word, ())}
            found.append(frozenset(own | more))
        return tuple(found)

    @cached_property
    def column_roots(self) -> tuple[frozenset[str], ...]:
        """The roots of `column_stems`: `arrested` is called by `arrests`."""
        return tuple(frozenset(map(root, words)) for words in self.column_stems)

    @cached_property
    def own_words(self) -> frozenset[str]:
        """The words of the columns' names, as they are."""
        return frozenset(stem for column in self.result.columns for stem in stems(column.name))

    @cached_property
    def known(self) -> frozenset[str]:
        """Every word of the question, the context and the columns."""
        words = {word for text in self.asked for word in stems(text)}
        return frozenset(words.union(*self.column_stems))

    def numbers(self, place: int, rows: Sequence[int] | None = None) -> list[Decimal]:
        """The figures of a column, in all rows or in some."""
        chosen = range(self.size) if rows is None else rows
        cells = (as_number(self.result.rows[row][place]) for row in chosen)
        return [cell for cell in cells if cell is not None]

    def number(self, row: int, place: int) -> Decimal | None:
        """One cell as a number."""
        return as_number(self.result.rows[row][place])

    @cached_property
    def figures(self) -> tuple[int, ...]:
        """Columns that may give a sentence its figures: the measures, or all of a single row."""
        if self.size == 1 or not self.shape.measures:
            return tuple(range(len(self.result.columns)))
        return self.shape.measures

    @cached_property
    def row_nouns(self) -> frozenset[str]:
        """Nouns of the question and the labels that count rows when a figure stands before them.

        "4 districts" counts the rows of a result with one row a district, "4 crimes" does not.
        """
        measured = {
            word for place in self.shape.measures for word in self.column_stems[place]
        } - self._label_words
        asked = {word for word in self._asked_nouns() if word not in NEUTRAL - _THINGS}
        return frozenset((self._label_words | asked) - measured)

    @cached_property
    def _label_words(self) -> set[str]:
        return {
            word
            for place in self.shape.labels
            for word in self.column_stems[place]
            if word not in ("name", "title")
        }

    @cached_property
    def counts_rows(self) -> bool:
        """Some measure counts or sums other rows: the rows here are groups, not single things."""
        names = [self.result.columns[place].name for place in self.shape.measures]
        return any("(" in name or set(stems(name)) & _COUNT_NAMES for name in names)

    @cached_property
    def year_columns(self) -> dict[str, int]:
        """Measures that are told apart by a year in their names: `sales_2022`, `sales_2023`."""
        found = {}
        for place in self.shape.measures:
            years = re.findall(r"(?<!\d)(?:19|20)\d\d(?!\d)", self.result.columns[place].name)
            if len(years) == 1:
                found[years[0]] = place
        return found if len(found) > 1 else {}

    def _asked_nouns(self) -> Iterator[str]:
        pattern = r"\b(?:per|each|every|by)\s+((?:[\w'-]+\s*){1,2})"
        if not self.counts_rows:
            pattern = (
                r"\b(?:per|each|every|by|which|what|list|show|top\s+\w+)\s+(?:all\s+)?(?:the\s+)?"
                r"((?:(?!of\b|for\b|in\b|with\b|are\b|were\b|had\b|have\b)[\w'-]+\s*){1,3})"
            )
        if not self.shape.measures:
            yield from stems(self.question)
        for match in re.finditer(pattern, self.question, re.IGNORECASE):
            yield from stems(match[1])


def is_percent(ground: Ground, place: int) -> bool:
    """A column whose name says that it holds shares."""
    return bool(ground.column_stems[place] & _PERCENT_NAMES)


def columns_called(ground: Ground, places: Sequence[int], words: Iterable[str]) -> list[int]:
    """The columns that a word tells apart from the others."""
    roots = {root(word) for word in words}
    found = [place for place in places if roots & ground.column_roots[place]]
    return found if len(found) < len(places) else []
