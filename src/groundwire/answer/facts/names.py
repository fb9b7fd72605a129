"""Which rows a sentence speaks of: stored names and dates that stand in it."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property

from groundwire.answer.facts.figures import Figure
from groundwire.answer.facts.ground import Ground, as_number, stems
from groundwire.answer.facts.moments import Moment, find_moments
from groundwire.answer.facts.words import NEUTRAL
from groundwire.answer.shape import time_key
from groundwire.answer.wording import plain_text, say

__all__ = ["Mention", "Names", "Token", "tokens"]

_TOKEN = re.compile(r"[^\W_]+(?:['’][^\W_]+)*|&")
_UNIT_COLUMNS = {
    "year": "year", "month": "month", "day": "day", "hour": "hour", "quarter": "quarter",
    "yr": "year", "mon": "month", "qtr": "quarter",
}  # fmt: skip


@dataclass(frozen=True, slots=True)
class Token:
    """A word of a sentence: where it stands, as written, and its stems."""

    start: int
    end: int
    text: str
    stems: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Mention:
    """A stored label or date in a sentence: the column that holds it and the rows that have it.

    `places` has every column in which it is stored; `axis` is the first of them. A mention that
    was joined from several columns ends in `last_column`.
    """

    start: int
    end: int
    axis: int
    places: Mapping[int, frozenset[int]]
    is_time: bool = False
    last_column: int = -1

    def __post_init__(self) -> None:
        if self.last_column < 0:
            object.__setattr__(self, "last_column", self.axis)

    @property
    def rows(self) -> frozenset[int]:
        """The rows that it names."""
        return self.places[self.axis]


def tokens(text: str) -> list[Token]:
    """The words of a text with their places; masked places have none."""
    return [
        Token(match.start(), match.end(), match[0], tuple(stems(match[0])))
        for match in _TOKEN.finditer(text)
    ]


class Names:
    """The labels of a result, found again in sentences."""

    def __init__(self, ground: Ground) -> None:
        self.ground = ground

    @cached_property
    def _stored(self) -> dict[tuple[str, ...], dict[int, set[int]]]:
        """Stems of every stored text → column → rows."""
        found: dict[tuple[str, ...], dict[int, set[int]]] = defaultdict(lambda: defaultdict(set))
        for place, row, text in self._texts():
            words = tuple(stems(text))
            if words and not all(word.isdigit() for word in words):
                found[words][place].add(row)
        return found

    def _texts(self) -> Iterator[tuple[int, int, str]]:
        for row, values in enumerate(self.ground.result.rows):
            for place, value in enumerate(values):
                if value is None and place in self.ground.shape.labels:
                    yield place, row, say(None)
                elif isinstance(value, str) and self.ground.shape.kinds[place] != "time":
                    yield place, row, value
                elif isinstance(value, bool):
                    yield place, row, say(value)
                elif self.ground.shape.kinds[place] == "other":
                    yield place, row, plain_text(value)

    @cached_property
    def _people(self) -> set[tuple[str, ...]]:
        """Stored names of which a part may stand for the whole: a few capitalised words.

        Not codes in capitals: `CRIMINAL` is no short form of `NON-CRIMINAL`.
        """
        word = r"[A-Z][^\W\d_]*[a-z][^\W\d_]*"
        pattern = re.compile(rf"{word}(?: {word}){{1,3}}")
        return {tuple(stems(text)) for _, _, text in self._texts() if pattern.fullmatch(text)}

    @cached_property
    def _longest(self) -> int:
        return max((len(words) for words in self._stored), default=0)

    @cached_property
    def _shown(self) -> dict[str, dict[int, set[int]]]:
        """Stored texts as sentences show them, in quotes or cut → column → rows."""
        found: dict[str, dict[int, set[int]]] = defaultdict(lambda: defaultdict(set))
        for place, row, text in self._texts():
            found[say(text).strip("“”")][place].add(row)
            found[text][place].add(row)
        return found

    def quoted(self, text: str, start: int, end: int) -> Mention | None:
        """The stored text that stands in quotes, if there is one."""
        places = self._shown.get(text) or self._stored.get(tuple(stems(text)))
        return _mention(start, end, places) if places else None

    def find(self, text: str) -> list[Mention]:
        """The stored texts of a sentence, the longest first, none inside another."""
        words = tokens(text)
        found: list[Mention] = []
        position = 0
        while position < len(words):
            mention, used = self._at(text, words, position)
            if mention:
                found.append(mention)
            position += used
        return found

    def _at(self, text: str, words: Sequence[Token], position: int) -> tuple[Mention | None, int]:
        for length in range(min(self._longest, len(words) - position), 0, -1):
            span = words[position : position + length]
            folded = tuple(word for token in span for word in token.stems)
            places = self._stored.get(folded)
            start, end = span[0].start, span[-1].end
            after = words[position + length].stems if position + length < len(words) else ()
            called = any(set(after) & self.ground.column_stems[place] for place in places or ())
            if places and (called or self._is_meant(text, folded, start, end)):
                return _mention(start, end, places), length
        return self._part(text, words, position)

    def _is_meant(self, text: str, folded: tuple[str, ...], start: int, end: int) -> bool:
        """A stored text of everyday words (`Other`) is meant only when written as a name."""
        if len("".join(folded)) > 1 and not set(folded) <= NEUTRAL:
            return True
        written = text[start:end]
        return written in self._shown and (written[:1].isupper() or not written.isalpha())

    def _part(self, text: str, words: Sequence[Token], position: int) -> tuple[Mention | None, int]:
        """A part of exactly one stored name: `Schmidt` for `Anna Schmidt`."""
        token = words[position]
        if not token.text[0].isupper() or len(token.text) < 3 or len(token.stems) != 1:
            return None, 1
        stem = token.stems[0]
        if stem in self.ground.known or stem in NEUTRAL:
            return None, 1
        owners = [words for words in self._people if stem in words]
        if len(owners) != 1:
            return None, 1
        return _mention(token.start, token.end, self._stored[owners[0]]), 1

    # --- dates and numbered labels -----------------------------------------------------------

    def moment(self, moment: Moment) -> Mention | None:
        """The rows of a date; what no column tells may come from the question."""
        places = {
            place: rows
            for place, unit in self._units.items()
            if unit == "date" and (rows := self._dated(place, moment))
        }
        if not places:
            places = self._by_units(moment)
        if not places:
            return None
        return Mention(moment.start, moment.end, min(places), places, True)

    def _dated(self, place: int, moment: Moment) -> frozenset[int]:
        """The rows whose date in a column agrees with all that is told."""
        found = set()
        for row, values in enumerate(self.ground.result.rows):
            key = time_key(values[place])
            year = moment.year
            if key is not None and key[0] == 0 and year is not None and self._asked("year", year):
                key = (year, *key[1:])
            if key is not None and moment.within(key):
                found.add(row)
        return frozenset(found)

    def _by_units(self, moment: Moment) -> dict[int, frozenset[int]]:
        """The rows whose years, months, hours, each in a column of its own, are told."""
        columns = {unit: place for place, unit in self._units.items() if unit != "date"}
        needed = {
            name: part
            for name, part in moment.parts().items()
            if name in columns or not self._goes_without(name, part)
        }
        if not needed or not needed.keys() <= columns.keys():
            return {}
        rows = frozenset(
            row
            for row, values in enumerate(self.ground.result.rows)
            if all(values[columns[name]] == part for name, part in needed.items())
        )
        return {min(columns[name] for name in needed): rows} if rows else {}

    @cached_property
    def _units(self) -> dict[int, str]:
        """Columns that tell a time → `date` for full dates, else the unit of their figures."""
        found = {}
        for place, kind in enumerate(self.ground.shape.kinds):
            column = [row[place] for row in self.ground.result.rows]
            if kind != "time":
                continue
            if any(as_number(value) is None for value in column if value is not None):
                found[place] = "date"
            else:
                units = self.ground.column_stems[place] & set(_UNIT_COLUMNS)
                found[place] = _UNIT_COLUMNS[min(units)] if units else "date"
        return found

    def _goes_without(self, name: str, part: int) -> bool:
        """No column tells it, and none has to: it is in the question, or a full hour's zeros."""
        return (name in ("minute", "second") and part == 0) or self._asked(name, part)

    def _asked(self, name: str, part: int) -> bool:
        return any(
            asked.parts().get(name) == part
            for text in self.ground.asked
            for asked in find_moments(text)
        )

    def numbered(self, figure: Figure, place: int) -> Mention | None:
        """The rows whose label in a column is the number that a figure tells."""
        labels = ((row, self.ground.number(row, place)) for row in range(self.ground.size))
        rows = frozenset(row for row, label in labels if label is not None and figure.fits(label))
        return Mention(figure.start, figure.end, place, {place: rows}) if rows else None


def _mention(start: int, end: int, places: Mapping[int, set[int]]) -> Mention:
    frozen = {place: frozenset(rows) for place, rows in places.items()}
    return Mention(start, end, min(frozen), frozen)
