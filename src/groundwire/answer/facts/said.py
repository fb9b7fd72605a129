"""One figure of a sentence with what it is said of: its rows, its columns, the words around it."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import product

from groundwire.answer.facts.figures import Figure
from groundwire.answer.facts.ground import Ground, columns_called, is_percent
from groundwire.answer.facts.names import tokens
from groundwire.answer.facts.reading import NAME, Group, Reading
from groundwire.answer.facts.words import HIGH, LOW, ROW_NOUNS, word_set

__all__ = ["Said", "extreme_rows", "row_noun"]

_STOPS = word_set(
    """of in for with had have has were was are is led that which who from to by at on per and or
    than as between among each every"""
)


@dataclass
class Said:
    """One figure with what surrounds it."""

    reading: Reading
    group: Group
    index: int

    @property
    def ground(self) -> Ground:
        """The result."""
        return self.reading.ground

    @property
    def figure(self) -> Figure:
        """The figure itself."""
        return self.group.figures[self.index]

    @cached_property
    def targets(self) -> list[frozenset[int]]:
        """The rows that the figure is said of: one set for each name that it is tied to."""
        choices = []
        for run in self.group.links.values():
            parallel = len(self.group.figures) == len(run) > 1
            choices.append([run[self.index]] if parallel else run)
        if not choices:
            return [frozenset([0])] if self.ground.size == 1 else []
        return [
            frozenset.intersection(*(mention.rows for mention in combination))
            for combination in product(*choices)
        ]

    @cached_property
    def all_rows(self) -> list[int]:
        """Every row of all targets together, or of the result."""
        if self.targets:
            return sorted(frozenset.union(*self.targets))
        return list(range(self.ground.size))

    @cached_property
    def words(self) -> set[str]:
        """The lower-case words around the figure."""
        return {token.text.lower() for token in tokens(self.group.around)}

    @cached_property
    def rank_words(self) -> set[str]:
        """The words around the figure that rank, without those that are a column's name."""
        return (self.words & (HIGH | LOW)) - self.ground.own_words

    @cached_property
    def clause_words(self) -> set[str]:
        """The lower-case words of the clause that the figure stands in."""
        begin, stop = self.reading.clause(self.figure.start)
        return {token.text.lower() for token in tokens(self.reading.text[begin:stop])}

    @cached_property
    def sentence_words(self) -> set[str]:
        """The lower-case words of the whole sentence."""
        return {token.text.lower() for token in tokens(self.reading.text)}

    @cached_property
    def columns(self) -> list[int]:
        """The columns that the words around the figure allow."""
        ground = self.ground
        numeric = [place for place in ground.figures if ground.numbers(place)]
        if len(numeric) < 2:
            return numeric
        before = self.reading.raw[: self.figure.start]
        if place := re.search(r"\(column (\d+)\)\W+(?:is )?(?:about )?$", before):
            return [int(place[1]) - 1]
        named = self._named(numeric) or self._of_the_year() or self._as_before(numeric)
        if named:
            return named
        if len(self.group.figures) > 1 and len(self.group.figures) <= len(numeric):
            parallel = any(len(run) == len(self.group.figures) for run in self.group.links.values())
            if not parallel:
                return [numeric[self.index]]
        plain = [place for place in numeric if not is_percent(ground, place)]
        if self.figure.kind == "percent":
            return [place for place in numeric if place not in plain] or numeric
        return plain[:1] if ground.size > 1 or ground.shape.labels else []

    def _named(self, numeric: Sequence[int]) -> list[int]:
        raw, group = self.reading.raw, self.group
        right = [token.stems for token in tokens(raw[group.end : group.right_end])[:5]]
        left = [token.stems for token in reversed(tokens(raw[group.left_start : group.start]))]
        for words in (*right[:2], *left, *right[2:]):
            found = columns_called(self.ground, numeric, words)
            if found:
                return found
        return []

    def _as_before(self, numeric: Sequence[int]) -> list[int]:
        """`arrests fell from 61 in May to 12 in June`: the column of the figure before."""
        number = self.reading.groups.index(self.group)
        if not number:
            return []
        before = Said(self.reading, self.reading.groups[number - 1], 0)
        return before._named(numeric) if before.figure.kind == self.figure.kind else []

    def _of_the_year(self) -> list[int]:
        """Among columns of years: that of the only year named; `from` the first `to` the last."""
        years = self.ground.year_columns
        if not years:
            return []
        said = {year for year in years if year in self.reading.raw}
        if len(said) == 1:
            return [years[said.pop()]]
        before = self.reading.text[: self.figure.start].lower()
        if before.endswith("from "):
            return [years[min(years)]]
        return [years[max(years)]] if before.endswith("to ") else []


def row_noun(said: Said) -> str | None:
    """The noun that the figure counts, where it stands for rows."""
    text = re.split(rf"[,;:.(){NAME}#]", said.group.right)[0]
    text = re.sub(r"^\s*of\s+(?:the|these|those)\b", "", text)
    for token in tokens(text)[:4]:
        if token.text.lower() in _STOPS:
            return None
        for stem in token.stems:
            if stem in ROW_NOUNS or stem in said.ground.row_nouns:
                return stem
    return None


def extreme_rows(said: Said, place: int) -> list[frozenset[int]]:
    """The rows that an unnamed extreme speaks of: `the highest share is 45%`."""
    ground = said.ground
    cells = {row: ground.number(row, place) for row in range(ground.size)}
    known = {row: cell for row, cell in cells.items() if cell is not None}
    ends = []
    if known and said.rank_words & HIGH:
        ends.append(max(known.values()))
    if known and said.rank_words & LOW:
        ends.append(min(known.values()))
    return [frozenset(row for row, cell in known.items() if cell in ends)] if ends else []
