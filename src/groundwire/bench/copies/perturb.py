"""The rows of a copy: fewer, more, other values, in another order; keys and references hold."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from random import Random
from typing import Any

from groundwire.bench.copies.hints import Hints
from groundwire.bench.copies.tables import (
    FEW_ROWS,
    Reference,
    Stored,
    connected,
    parents_first,
)
from groundwire.bench.copies.values import ColumnValues

__all__ = ["RECIPES", "Recipe", "perturb"]

LEAST_ADDED = 8
"""Rows that are added to a table at least where any are: in few rows luck shows seldom."""

MOVED_TWINS = 0.6
"""Share of the twins that refer to another row than their model."""

LABEL = re.compile(r"(.*_)?(name|title|code|label)s?", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class Recipe:
    """How a copy differs: shares of the rows that are left out, changed and added as twins of
    others; `nulls` is the share of NULLs put into columns that hold some already."""

    name: str
    drop: float = 0.0
    change: float = 0.0
    add: float = 0.0
    nulls: float = 0.0


RECIPES = (
    Recipe("more rows", add=0.6),
    Recipe("fewer rows", drop=0.35),
    Recipe("other values", change=0.4, nulls=0.1),
    Recipe("all of it", drop=0.2, change=0.25, add=0.5, nulls=0.05),
)


def perturb(tables: Sequence[Stored], hints: Hints, recipe: Recipe, random: Random) -> list[Stored]:
    """The tables of a copy, parents first; what is given stays as it is."""
    copies = [Stored(item.table, item.columns, [list(row) for row in item.rows]) for item in tables]
    before = {stored.name: stored for stored in tables}
    after: dict[str, Stored] = {}
    for stored in parents_first(connected(copies, hints)):
        after[stored.name] = stored
        _Perturbation(stored, hints, recipe, random).apply(before, after)
    return list(after.values())


class _Perturbation:
    """Of one table."""

    def __init__(self, stored: Stored, hints: Hints, recipe: Recipe, random: Random) -> None:
        self.stored, self.recipe, self.random = stored, recipe, random
        self.original = [tuple(row) for row in stored.rows]
        self.twins = len(stored.rows)  # where the twins begin
        self.in_keys = {place for key in stored.keys for place in key}
        self.referring = {place for ref in stored.references for place in ref.columns}
        joined = hints.joined
        self.values = [
            ColumnValues(
                [row[place] for row in stored.rows],
                hints.literals.get(name.lower(), ()),
                hints.patterns.get(name.lower(), ()),
                closed=name.lower() in joined or self._is_enum(name),
            )
            for place, name in enumerate(stored.columns)
        ]
        self.free = [
            place
            for place in range(len(stored.columns))
            if place not in self.in_keys and place not in self.referring
        ]
        self.apart = [place for place in self.free if self._is_apart(place, hints)]

    def apply(self, before: Mapping[str, Stored], after: Mapping[str, Stored]) -> None:
        """Perturb the rows in place."""
        if not self.stored.rows:
            return
        self._drop()
        for row in self.stored.rows:
            self._change(row, self.recipe.change)
        self._add()
        for reference in self.stored.references:
            self._refer(reference, before[reference.target], after.get(reference.target))
        self._put_nulls()
        for place in self.apart:
            self._keep_apart(place)
        self._keep_keys()
        self.random.shuffle(self.stored.rows)

    def _is_enum(self, name: str) -> bool:
        column = self.stored.table.column(name)
        return column is not None and bool(column.values)

    def _is_apart(self, place: int, hints: Hints) -> bool:
        """Names that no two rows share, and ranks without ties, stay so.

        Else a query that groups by a name instead of its key, or one that asks for the largest
        value instead of the first row, would be wrong for what the question leaves open.
        """
        name = self.stored.columns[place]
        known = [str(value).lower() for value in self.values[place].known]
        return (
            len(known) >= FEW_ROWS
            and len(set(known)) == len(known)
            and (LABEL.fullmatch(name) is not None or name.lower() in hints.ranked)
        )

    def _asked_for(self, row: Sequence[Any]) -> bool:
        return any(
            values.holds_literal(value)
            for values, value in zip(self.values, row, strict=True)
            if value is not None
        )

    def _drop(self) -> None:
        """Leave rows out, but none that a gold asks for by a value."""
        kept = [
            row
            for row in self.stored.rows
            if self.random.random() >= self.recipe.drop or self._asked_for(row)
        ]
        self.stored.rows = kept or self.stored.rows[:1]

    def _change(self, row: list[Any], share: float) -> None:
        for place in self.free:
            values = self.values[place]
            if self.random.random() < share and not values.holds_literal(row[place]):
                row[place] = values.another(row[place], self.random)

    def _add(self) -> None:
        """Twins of rows under keys of their own: a third equal otherwise, the rest changed.

        Half of them get, in turn, each value at and about those that golds ask for.
        """
        self.twins = len(self.stored.rows)
        if not self.recipe.add:
            return
        wanted = [(place, value) for place in self.free for value in self._near(place)]
        self.random.shuffle(wanted)
        count = max(LEAST_ADDED, round(self.recipe.add * len(self.stored.rows)))
        for number in range(1, count + 1):
            twin = list(self.random.choice(self.stored.rows))
            if self._take_key(twin, number):
                self._change(twin, self.random.choice((0.0, 0.5, 0.8)))
                if wanted and number % 2:
                    place, value = wanted[number // 2 % len(wanted)]
                    twin[place] = value
                self.stored.rows.append(twin)

    def _near(self, place: int) -> list[Any]:
        values = self.values[place]
        return [] if values.closed else values.near

    def _take_key(self, twin: list[Any], number: int) -> bool:
        """Give a twin its own key; False where none can be made."""
        for key in self.stored.keys:
            for place in key:
                if place in self.referring:
                    continue
                if len(key) > 1:
                    twin[place] = self.random.choice(self.original)[place]
                    continue
                twin[place] = self.values[place].fresh(number)
                if twin[place] is None:
                    return False
        return True

    def _refer(self, reference: Reference, before: Stored, after: Stored | None) -> None:
        """Point references at rows that are there; what pointed nowhere before still does."""
        keys = (after or before).taken(reference.target_columns)
        known = {_text(key) for key in before.taken(reference.target_columns)}
        there = {_text(key) for key in keys}
        known |= there
        for index, row in enumerate(self.stored.rows):
            held = tuple(row[place] for place in reference.columns)
            if None in held or not keys or _text(held) not in known:
                continue
            share = MOVED_TWINS if index >= self.twins else self.recipe.change
            if self.random.random() < share or _text(held) not in there:
                for place, value in zip(reference.columns, self.random.choice(keys), strict=True):
                    row[place] = str(value) if isinstance(row[place], str) else value

    def _put_nulls(self) -> None:
        for place in self.free:
            column = self.stored.table.column(self.stored.columns[place])
            if column is None or not column.nullable or None not in self.values[place].stored:
                continue
            for row in self.stored.rows:
                if self.random.random() < self.recipe.nulls and not self._asked_for(row):
                    row[place] = None

    def _keep_apart(self, place: int) -> None:
        """Give a value that stands in another row already a place of its own."""
        seen: set[str] = set()
        for number, row in enumerate(self.stored.rows, 1):
            value = row[place]
            if value is not None and str(value).lower() in seen:
                row[place] = value = self.values[place].fresh(number)
            seen.add(str(value).lower())

    def _keep_keys(self) -> None:
        """Leave out rows whose key is taken."""
        for key in self.stored.keys:
            seen: set[str] = set()
            kept = []
            for row in self.stored.rows:
                held = [row[place] for place in key]
                if None in held or str(held).lower() not in seen:
                    seen.add(str(held).lower())
                    kept.append(row)
            self.stored.rows = kept


def _text(key: tuple[Any, ...]) -> tuple[str, ...]:
    """A key as it compares between a text column and a column of numbers."""
    return tuple(map(str, key))
