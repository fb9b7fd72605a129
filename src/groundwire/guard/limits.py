"""What a LIMIT leaves out, for the checks of both languages."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from groundwire.database.result import Result
from groundwire.guard.findings import Evidence, Finding

__all__ = ["AHEAD", "MOST_TIES", "MOST_UNPROMPTED", "cut_off", "tied"]

AHEAD = 20
"""Rows behind the LIMIT that are looked at for ties."""
MOST_TIES = 200
"""Up to this LIMIT a tie at its end is looked for."""
MOST_UNPROMPTED = 1000
"""From here a LIMIT is a precaution, not a part of the rows."""


def cut_off(limit: int, statement: str, result: Result, span: tuple[int, int]) -> list[Finding]:
    """RET2: the rows of `statement`, which asks for one more, go on behind the LIMIT."""
    if len(result.rows) <= limit:
        return []
    sentence = f"There are more rows than the {limit} that the LIMIT lets through."
    finding = Finding(
        code="RET2",
        check="unprompted_limit",
        severity="doubt",
        span=span,
        message=f"The question does not ask for a part of the rows. {sentence}",
        evidence=(Evidence(sentence, statement, len(result.rows), result.elapsed),),
    )
    return [finding]


def tied(
    limit: int,
    statement: str,
    result: Result,
    places: Sequence[int],
    width: int,
    span: tuple[int, int],
) -> Finding | None:
    """RET3: rows behind the LIMIT sort like the last one shown, and do not read like one shown.

    Args:
        result: of `statement`, which asks for `AHEAD` rows more than the LIMIT.
        places: the columns of it that it is sorted by.
        width: its columns that are shown; those behind are there to sort by.
        span: of the LIMIT in the draft.
    """
    if len(result.rows) <= limit:
        return None
    keys: list[tuple[Any, ...]] = [tuple(row[place] for place in places) for row in result.rows]
    last, shown = keys[limit - 1], [row[:width] for row in result.rows[:limit]]
    beyond = sum(
        key == last and row[:width] not in shown
        for key, row in zip(keys[limit:], result.rows[limit:], strict=True)
    )
    if not beyond or last[0] is None:
        return None
    more = f"at least {beyond}" if beyond == AHEAD else str(beyond)
    value = ", ".join(str(part) for part in last)
    sentence = (
        f"{more} more row{'s' if beyond > 1 else ''} beyond the LIMIT "
        f"{'have' if beyond > 1 else 'has'} the same sort value ({value})."
    )
    return Finding(
        code="RET3",
        check="ties_at_limit",
        severity="doubt",
        span=span,
        message=f"The last row shown is one of several that tie: {sentence}",
        evidence=(Evidence(sentence, statement, beyond, result.elapsed),),
    )
