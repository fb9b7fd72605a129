"""Another value for a value of a column: near what a gold asks for, of another row, or shifted."""

from __future__ import annotations

import re
from collections.abc import Sequence
from datetime import date, datetime, timedelta
from decimal import Decimal
from functools import cached_property
from random import Random
from typing import Any

__all__ = ["ColumnValues"]

DAY = re.compile(r"\d{4}-\d{2}-\d{2}")
CATEGORIES = 3
"""So few different values are a set of codes, which gets no new one."""


class ColumnValues:
    """What may stand in a column.

    Args:
        stored: its values, row by row.
        literals: values that golds compare it with.
        patterns: texts that golds look for in it.
        closed: only stored values may stand in it.
    """

    def __init__(
        self,
        stored: Sequence[Any],
        literals: Sequence[Any] = (),
        patterns: Sequence[str] = (),
        *,
        closed: bool = False,
    ) -> None:
        self.stored = list(stored)
        self.known = [value for value in self.stored if value is not None]
        different = len(set(map(str, self.known)))
        self.closed = closed or different <= min(CATEGORIES, len(self.known) // 2)
        self._literals, self._patterns = literals, patterns

    def another(self, value: Any, random: Random) -> Any:
        """Another value; the same one now and then."""
        if not self.stored:
            return value
        roll = random.random()
        if not self.closed and self.near and roll < 0.35:
            return random.choice(self.near)
        if not self.closed and self._shifts and value is not None and roll < 0.65:
            return self._shifted(value, random)
        return random.choice(self.stored)

    def fresh(self, number: int) -> Any:
        """A value that the column does not hold, the same for the same number; None = none."""
        if self._is_number:
            return self._greatest + number
        if self._is_text:
            if self._is_decimal_text:
                return str(self._greatest + number)
            return f"{self.known[number % len(self.known)]}~{number}"
        return None

    def holds_literal(self, value: Any) -> bool:
        """Whether a gold asks for this very value."""
        text = str(value).lower()
        return text in self._asked or any(word.lower() in text for word in self._patterns if word)

    @cached_property
    def _asked(self) -> frozenset[str]:
        return frozenset(str(literal).lower() for literal in self._literals)

    @cached_property
    def near(self) -> list[Any]:
        """Values at and about those that golds ask for."""
        found: list[Any] = []
        for literal in self._literals:
            found.extend(self._about(literal))
        if self._is_text:
            for word in self._patterns:
                found.extend((word, f"{word} x", f"x {word}"))
        return found

    @cached_property
    def _is_text(self) -> bool:
        return bool(self.known) and all(isinstance(value, str) for value in self.known)

    @cached_property
    def _is_number(self) -> bool:
        numbers = (int, float, Decimal)
        return bool(self.known) and all(
            isinstance(value, numbers) and not isinstance(value, bool) for value in self.known
        )

    @cached_property
    def _is_whole(self) -> bool:
        return all(isinstance(value, int) for value in self.known)

    @cached_property
    def _is_decimal_text(self) -> bool:
        return all(value.isdecimal() for value in self.known)

    @cached_property
    def _greatest(self) -> Any:
        return max(map(int, self.known)) if self._is_text else max(self.known)

    @cached_property
    def _least(self) -> float:
        return min(float(known) for known in self.known)

    @cached_property
    def _shifts(self) -> bool:
        """Whether values can be moved a little: numbers and days, also written as texts."""
        return (
            self._is_number
            or (bool(self.known) and all(isinstance(value, date) for value in self.known))
            or (
                self._is_text and all(value.isdecimal() or DAY.match(value) for value in self.known)
            )
        )

    def _about(self, literal: Any) -> list[Any]:
        if self._is_number:
            try:
                number = float(literal)
            except (TypeError, ValueError):
                return []
            return [self._number(number + step, self.known[0]) for step in (-1, 0, 1)]
        if self._is_text:
            text = str(literal)
            if DAY.match(text):
                return [text, *(_shift_day(text, days) for days in (-1, 1))]
            return [text]
        if self._shifts and isinstance(literal, str) and DAY.match(literal):
            day = date.fromisoformat(literal[:10])
            return [self._day(day + timedelta(days=days)) for days in (-1, 0, 1)]
        return []

    def _day(self, day: date) -> date:
        first = self.known[0]
        return first.replace(day.year, day.month, day.day) if isinstance(first, datetime) else day

    def _shifted(self, value: Any, random: Random) -> Any:
        if isinstance(value, date):
            return value + timedelta(days=random.choice((-400, -31, -1, 1, 31, 400)))
        if isinstance(value, str) and DAY.match(value):
            return _shift_day(value, random.choice((-400, -31, -1, 1, 31, 400)))
        step = random.choice((-1, 1, 2)) * max(
            1.0, random.choice((0, 0.1, 0.5)) * abs(float(value))
        )
        moved = float(value) + step
        if moved < 0 <= self._least:
            moved = float(value) + 1
        return str(int(moved)) if isinstance(value, str) else self._number(moved, value)

    def _number(self, number: float, like: Any) -> Any:
        """A number in the type, and with the places behind the point, of the column."""
        if self._is_whole:
            return int(number)
        if isinstance(like, Decimal):
            return Decimal(str(number)).quantize(Decimal(1).scaleb(-self._decimals))
        return round(number, self._decimals)

    @cached_property
    def _decimals(self) -> int:
        """Places behind the point, at most 6."""
        fractions = [str(value).partition(".")[2] for value in self.known[:200]]
        return min(6, max(len(fraction) for fraction in fractions if "e" not in fraction.lower()))


def _shift_day(text: str, days: int) -> str:
    try:
        return (date.fromisoformat(text[:10]) + timedelta(days=days)).isoformat() + text[10:]
    except (ValueError, OverflowError):  # the 31st of February
        return text
