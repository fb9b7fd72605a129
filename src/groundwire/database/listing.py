"""The different values of a text column of a large table, where no index answers for it.

A look for one value takes a pass over the whole table, and all of its values no more. So they are
read, part by part within the budgets of as many drafts as it takes, and kept. They are the whole
truth while nothing at all has been written since the reading began; after that they only say
what there is to be found.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import dataclass, field

from groundwire.database.base import SqlDatabase
from groundwire.database.catalog import Catalog, Table
from groundwire.database.kept import kept_facts
from groundwire.database.measuring import CanListValues, ValueReader
from groundwire.database.result import Result

__all__ = ["Listing", "listing"]

FIRST_PART = 500
"""Blocks (of 8 kB) of the first part; it tells how fast the next ones are."""
PART_SECONDS = 0.3
LAST_BLOCK = 2**32 - 1
RENEWED = 60.0
"""Seconds after which values that are no longer the whole truth are read again."""


@dataclass(slots=True)
class Listing:
    """The values as far as they have been read: the blocks of the table before `read`.

    `moment` is the state of the database in which all was read; None where that has changed.
    `statement` says how, in one piece; `seconds` how long that took in parts; `ended` when the
    last one was read. `reader` is None where they cannot be read.
    """

    moment: str | None
    reader: ValueReader | None
    values: set[str] = field(default_factory=set)
    read: int = 0
    complete: bool = False
    statement: str = ""
    seconds: float = 0.0
    ended: float = 0.0

    def is_exact(self, database: SqlDatabase) -> bool:
        """A value that is not listed is not stored."""
        return (
            self.moment is not None
            and isinstance(database, CanListValues)
            and database.moment() == self.moment
        )


def listing(
    database: SqlDatabase,
    catalog: Catalog,
    table: Table,
    column: str,
    ask: Callable[..., Result | None],
    wanted: str | None = None,
) -> Listing | None:
    """All values of a column, kept like other facts; or as many as it takes to meet `wanted`.

    None where they have not all been read yet, are more than `settings.value_budget`, or cannot
    be read.
    """
    if not isinstance(database, CanListValues) or table.column(column) is None:
        return None
    facts, key = kept_facts(database, catalog), ("listing", table.schema, table.name, column)
    held: Listing | None = facts.get(key)
    if held is None or (
        held.complete and time.monotonic() - held.ended > RENEWED and not held.is_exact(database)
    ):
        held = Listing(database.moment(), database.value_reader(table, column))
        facts.put(key, held)
    if held.reader is None:
        return None
    if not held.complete and len(held.values) <= database.settings.value_budget:
        _read_on(held, held.reader, database.settings.value_budget, ask, wanted)
        if held.complete and database.moment() != held.moment:
            held.moment = None
    is_all = held.complete and len(held.values) <= database.settings.value_budget
    return held if is_all or wanted in held.values else None


def _read_on(
    held: Listing,
    reader: ValueReader,
    budget: int,
    ask: Callable[..., Result | None],
    wanted: str | None,
) -> None:
    """Read parts until one value is met, the budget of the draft is spent, or there are too many
    values.
    """
    step = FIRST_PART
    while not held.complete and len(held.values) <= budget and wanted not in held.values:
        last = held.read + step if held.read + step < reader.blocks else LAST_BLOCK
        statement = reader.whole or reader.part.format(first=held.read, last=last)
        result = ask(statement, rows=budget + 1)
        if result is None:
            return
        held.values.update(value for (value,) in result.rows)
        held.statement = reader.whole or reader.part.format(first=0, last=LAST_BLOCK)
        held.seconds += result.elapsed
        held.complete = reader.whole is not None or last == LAST_BLOCK
        held.read, held.ended = last, time.monotonic()
        step = min(4 * step, max(1, int(step * PART_SECONDS / max(result.elapsed, 0.001))))
