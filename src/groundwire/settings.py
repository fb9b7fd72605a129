"""Named limits and switches: a name, a default, a sentence. One frozen object carries them.

`Settings()` has the defaults; `Settings.from_environment()` reads `GROUNDWIRE_<NAME>` for each
field (`GROUNDWIRE_MAX_ROWS=5000`), which is how the command line gets them. Tuples are given
comma-separated.
"""

from __future__ import annotations

import os
from collections.abc import Mapping
from dataclasses import dataclass, field, fields
from typing import Any

from groundwire.errors import UsageError

__all__ = ["COMPONENTS", "Settings"]

POLICIES = ("truthful", "paper")
COMPONENTS = ("rules", "few-shot", "shapes", "literal", "loop", "fixes", "statistics")
"""What can be switched off to measure what it is worth (`without`)."""


def _setting(default: Any, sentence: str) -> Any:
    return field(default=default, metadata={"sentence": sentence})


@dataclass(frozen=True, slots=True)
class Settings:
    """All limits of one database session. `describe()` lists each with its sentence."""

    max_rows: int = _setting(
        1000, "Rows fetched at most; one more is read to know that the result is cut."
    )
    max_bytes: int = _setting(
        50_000_000, "Bytes of the values of a result; one that holds more is stopped."
    )
    query_timeout: float = _setting(
        30.0, "Seconds that the server may spend on one query before it stops it."
    )
    probe_timeout: float = _setting(
        2.0, "Seconds for one small question that the guard asks of the database."
    )
    connect_timeout: float = _setting(5.0, "Seconds to wait for a database to answer at all.")
    max_question_length: int = _setting(2000, "Characters of a question at most.")
    max_cost: float = _setting(
        0.0, "Refuse a query whose planner cost is above this (the server's unit); 0 = no ceiling."
    )
    schemas: tuple[str, ...] = _setting(
        (), "Schemas that may be read; empty = every schema that the role can read."
    )
    exclude: tuple[str, ...] = _setting(
        (), "Patterns (`table`, `table.column`, globs) that nothing may see or read."
    )
    policy: str = _setting(
        "truthful",
        "`truthful`, or `paper`: repair graph drafts to the letter of the corrector paper.",
    )
    reciprocity_threshold: float = _setting(
        0.9, "Share of edges stored both ways from which a relationship type counts as reciprocal."
    )
    max_probes: int = _setting(12, "Small questions that the guard may ask for one draft.")
    probe_seconds: float = _setting(
        2.0, "Seconds that all small questions for one draft may take together."
    )
    statistics_age: float = _setting(
        300.0, "Seconds for which a fact measured in the stored data is taken for true."
    )
    value_budget: int = _setting(
        20_000, "Different values of one text column that are read to look for a spelling at most."
    )
    max_repairs: int = _setting(3, "Times that a failed draft goes back to the drafter at most.")
    without: tuple[str, ...] = _setting(
        (), "Components that are switched off, to measure them: " + ", ".join(COMPONENTS) + "."
    )

    def __post_init__(self) -> None:
        if self.policy not in POLICIES:
            raise UsageError(
                f"There is no policy {self.policy!r}.",
                hint=f"Set policy to {' or '.join(POLICIES)}.",
            )
        for name in self.without:
            if name not in COMPONENTS:
                raise UsageError(
                    f"There is no component {name!r}.", hint=f"Components: {', '.join(COMPONENTS)}."
                )

    @classmethod
    def from_environment(cls, environment: Mapping[str, str] | None = None) -> Settings:
        """Read `GROUNDWIRE_<NAME>` variables.

        Raises:
            UsageError: a value is not a number where one is wanted, or no such policy or component.
        """
        environment = os.environ if environment is None else environment
        values: dict[str, Any] = {}
        for item in fields(cls):
            text = environment.get(f"GROUNDWIRE_{item.name.upper()}")
            if text is not None:
                values[item.name] = _read(item.name, text, item.default)
        return cls(**values)

    @classmethod
    def describe(cls) -> list[tuple[str, Any, str]]:
        """Every setting as (name, default, sentence)."""
        return [(item.name, item.default, item.metadata["sentence"]) for item in fields(cls)]


def _read(name: str, text: str, default: Any) -> Any:
    if isinstance(default, tuple):
        return tuple(part.strip() for part in text.split(",") if part.strip())
    if isinstance(default, str):
        return text
    try:
        return type(default)(text)
    except ValueError:
        raise UsageError(
            f"The setting {name} is not a number: {text!r}.",
            hint=f"Set GROUNDWIRE_{name.upper()} to a number such as {default}.",
        ) from None
