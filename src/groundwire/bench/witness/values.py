"""Values for properties: at large, near the constants of queries, and on either side of them."""

from __future__ import annotations

import random
from collections import defaultdict
from collections.abc import Iterator, Sequence
from datetime import date, timedelta
from typing import Any

from groundwire.bench.witness.conditions import PARTS, Condition, holds

__all__ = ["Values"]

TRIES = 60
"""Values that are drawn before one is made for the purpose."""

NEAR = 0.3
"""How often a value is drawn near a constant of a query, where there is one."""

TEXTS, ITEMS = 16, 16
"""Different texts of a property, and of a list property."""

SKEW = 2.5
"""How much more common the first of them are: so that a smaller set of nodes lacks rare ones."""

FIRST_DAY, DAYS = date(1880, 1, 1), 51_000


class Values:
    """Draws values, from a generator of random numbers.

    Args:
        chance: makes everything repeatable.
    """

    def __init__(self, chance: random.Random) -> None:
        self.chance = chance
        self.constants: dict[tuple[str, str], list[Condition]] = defaultdict(list)

    def note(self, owner: str, condition: Condition) -> None:
        """A constant that a query compares a property with, so that values lie near it."""
        known = self.constants[owner, condition.key]
        if condition not in known:
            known.append(condition)

    def is_constant(self, owner: str, key: str, value: Any) -> bool:
        """Whether a query names this very value."""
        return any(value == known.value for known in self.constants.get((owner, key), ()))

    def draw(self, owner: str, key: str, kind: str) -> Any:
        """Any value of a property of a label or type."""
        known = self.constants.get((owner, key))
        if known and self.chance.random() < NEAR:
            near = list(self._near(self.chance.choice(known), kind, key))
            if near:
                return self.chance.choice(near)
        return self._any(kind, key)

    def meeting(self, owner: str, key: str, kind: str, conditions: Sequence[Condition]) -> Any:
        """A value that meets all conditions; None where none was found."""
        for value in self._candidates(owner, key, kind, conditions):
            if all(holds(value, condition) for condition in conditions):
                return value
        return None

    def _candidates(
        self, owner: str, key: str, kind: str, conditions: Sequence[Condition]
    ) -> Iterator[Any]:
        near = [value for condition in conditions for value in self._near(condition, kind, key)]
        self.chance.shuffle(near)
        yield from near
        for _ in range(TRIES):
            yield self.draw(owner, key, kind)
        for condition in conditions:
            yield condition.value

    def _any(self, kind: str, key: str) -> Any:
        chance = self.chance
        if kind == "int":
            return chance.randint(1900, 2020) if "year" in key else chance.randint(0, 400)
        if kind == "float":
            return round(10 ** chance.uniform(0.5, 4.5), 2)
        if kind == "date":
            return FIRST_DAY + timedelta(days=chance.randrange(DAYS))
        if kind == "bool":
            return chance.random() < 0.5
        if kind.startswith("list"):
            return self._list(key)
        return f"{key} {self._rank(TEXTS)}"

    def _list(self, key: str) -> list[str]:
        size = self.chance.choice((1, 1, 1, 2, 2, 3))
        ranks = dict.fromkeys(self._rank(ITEMS) for _ in range(size))
        return [f"{key} {rank}" for rank in ranks]

    def _rank(self, count: int) -> int:
        """A whole number below `count`; low ones are common, high ones rare."""
        return int(count * self.chance.random() ** SKEW)

    def _near(self, condition: Condition, kind: str, key: str) -> Iterator[Any]:
        """Values about the constant: mostly beside it, since few values of a kind lie on it."""
        wanted = condition.value
        chance = self.chance
        if condition.operator.endswith("NULL"):
            yield None if condition.operator == "IS NULL" else self._any(kind, key)
        elif condition.part in PARTS or (kind == "date" and isinstance(wanted, int)):
            yield from self._dates(condition)
        elif isinstance(wanted, date):
            if condition.operator in ("=", "<>"):
                yield wanted
            yield wanted + timedelta(days=chance.choice((-1, 1)) * chance.randint(1, 400))
        elif kind.startswith("list"):
            if isinstance(wanted, str):
                yield [wanted]
                yield self._mixed([wanted, *self._list(key)[:1]])
        elif isinstance(wanted, bool):
            yield wanted
        elif isinstance(wanted, int | float) and kind in ("int", "float"):
            yield from self._numbers(condition, kind)
        elif isinstance(wanted, str):
            yield wanted
            if condition.operator not in ("=", "<>"):
                yield f"{wanted} {chance.randrange(100)}"
                yield f"a {wanted}"
        elif isinstance(wanted, tuple):
            yield from wanted

    def _numbers(self, condition: Condition, kind: str) -> Iterator[int | float]:
        wanted = condition.value
        exact = condition.operator in ("=", "<>") or (kind == "int" and self.chance.random() < 0.2)
        if exact:
            yield wanted
        step = max(1.0, abs(wanted) * 0.2)
        if kind == "int":
            step = min(step, 12.0)
        for sign in (-1, 1):
            value = wanted + sign * self.chance.uniform(0.05, 1.0) * step
            yield round(value) if kind == "int" else round(value, 2)

    def _dates(self, condition: Condition) -> Iterator[date]:
        base = self._any("date", "")
        if condition.part == "year":
            for shift in (-3, -1, 0, 1, 3):
                if 1 <= condition.value + shift <= 9999:
                    yield base.replace(year=condition.value + shift, day=min(base.day, 28))
        elif condition.part == "month" and 1 <= condition.value <= 12:
            yield base.replace(month=condition.value, day=min(base.day, 28))
        elif condition.part == "day" and 1 <= condition.value <= 28:
            yield base.replace(day=condition.value)

    def _mixed(self, items: list[str]) -> list[str]:
        self.chance.shuffle(items)
        return items
