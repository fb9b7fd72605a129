"""A result as a table in the terminal. Stored text is shown, never obeyed."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from decimal import Decimal
from typing import TYPE_CHECKING, Any

from groundwire.answer.shape import shape_of
from groundwire.answer.wording import cut, is_number, plain_text, visible
from groundwire.database.result import Result

if TYPE_CHECKING:
    from rich.console import Console, ConsoleOptions, RenderableType, RenderResult
    from rich.text import Text

__all__ = ["ResultTable", "result_table"]

LONGEST_CELL = 80
NARROWEST = 12
"""Characters that a column needs; a table with less for each is told row by row."""


def result_table(result: Result, *, total: int | None = None, limit: int = 20) -> ResultTable:
    """At most `limit` rows, and under them how many of how many.

    NULL is a dim `NULL`, figures stand to the right, long texts are cut. A result with more
    columns than the terminal is wide for is told row by row instead.
    """
    return ResultTable(result, total, limit)


@dataclass(frozen=True, slots=True)
class ResultTable:
    """A result that rich can print."""

    result: Result
    total: int | None = None
    limit: int = 20

    def __rich_console__(self, console: Console, options: ConsoleOptions) -> RenderResult:
        from rich.text import Text

        wide = len(self.result.columns) * NARROWEST > options.max_width
        yield _records(self.result, self.limit) if wide else _table(self.result, self.limit)
        note = _note(self.result, min(self.limit, len(self.result.rows)), self.total)
        if note:
            yield Text(note, "dim")


def _note(result: Result, shown: int, total: int | None) -> str:
    rows = len(result.rows)
    if total is not None and total > shown:
        return f"{shown:,} of {total:,} rows"
    if result.truncated:
        return f"{shown:,} of more than {rows:,} rows"
    return f"{shown:,} of {rows:,} rows" if shown < rows else ""


def _table(result: Result, limit: int) -> RenderableType:
    from rich.box import SIMPLE_HEAD
    from rich.table import Table
    from rich.text import Text

    table = Table(box=SIMPLE_HEAD, pad_edge=False)
    for place, column in enumerate(result.columns):
        figures = all(is_number(row[place]) or row[place] is None for row in result.rows[:limit])
        table.add_column(
            Text(visible(column.name)),
            justify="right" if figures and result.rows else "left",
            overflow="fold",
        )
    measures = shape_of(result).measures
    for row in result.rows[:limit]:
        table.add_row(*(_cell(value, place in measures) for place, value in enumerate(row)))
    return table


def _records(result: Result, limit: int) -> RenderableType:
    """One block a row, one line a column, for results wider than the terminal."""
    from rich.console import Group
    from rich.rule import Rule
    from rich.table import Table
    from rich.text import Text

    measures = shape_of(result).measures
    blocks: list[RenderableType] = []
    for number, row in enumerate(result.rows[:limit], 1):
        block = Table.grid(padding=(0, 2))
        block.add_column(style="dim", overflow="fold")
        block.add_column(overflow="fold")
        for place, (column, value) in enumerate(zip(result.columns, row, strict=True)):
            block.add_row(Text(visible(column.name)), _cell(value, place in measures))
        blocks += [Rule(f"row {number}", align="left", style="dim"), block]
    return Group(*blocks)


def _cell(value: Any, is_measure: bool) -> Text:
    from rich.text import Text

    if value is None:
        return Text("NULL", "dim")
    if isinstance(value, datetime):
        return Text(value.isoformat(" "))
    if is_measure and isinstance(value, int):
        return Text(f"{value:,}")
    if isinstance(value, float | Decimal):
        return Text(str(value))
    return Text(cut(visible(plain_text(value)), LONGEST_CELL))
