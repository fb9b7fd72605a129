"""Which values of a text column look like a given text.

The different values of one column with their folded forms, in a private SQLite database that
stays in memory while it is small and is gone with its object: B-trees over the folded form and over
its reverse find what is one typing slip away, an index of words (`value_words.py`) what is alike.
"""

from __future__ import annotations

import sqlite3
import threading
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass

from groundwire.database.base import SqlDatabase
from groundwire.database.catalog import Catalog, Table
from groundwire.database.folding import folded, loose, one_slip
from groundwire.database.kept import kept_facts
from groundwire.database.listing import Listing
from groundwire.database.result import Result
from groundwire.database.value_words import ALIKE, ValueWords, overlap, trigrams

__all__ = ["ColumnValues", "Likeness", "column_values"]

LONGEST = 200
"""Characters of a value; longer texts are prose, which nobody spells in a query."""
_SHORT = 4
"""Up to so many letters a word one slip away is another word: `Iran` and `Iraq`."""
_SLIPS = 50
_SEARCHED = 5_000
"""Values with the same half that are searched for one with the same quarter."""

_TABLES = """
PRAGMA journal_mode = OFF;
PRAGMA synchronous = OFF;
CREATE TABLE v (id INTEGER PRIMARY KEY, value TEXT, size INTEGER, loose TEXT, back TEXT);
"""
_INDEXES = """
CREATE INDEX forwards ON v (size, loose, back);
CREATE INDEX backwards ON v (size, back, loose);
"""
_QUARTER = """
SELECT id, loose FROM (
    SELECT id, loose, back FROM v WHERE size = :size AND {half} >= :half AND {half} < :half_end
    LIMIT :searched
)
WHERE loose >= :head AND loose < :head_end OR back >= :tail AND back < :tail_end
LIMIT :most
"""
_MORE = """
SELECT 1 FROM v WHERE size = :size AND {half} >= :half AND {half} < :half_end
LIMIT 1 OFFSET :searched
"""
_LAST = "\U0010ffff"


@dataclass(frozen=True, slots=True)
class Likeness:
    """What a column holds in place of a text.

    `stored`: exactly the text. `same` lists the other values that differ from it only in case,
    accents, blanks, hyphens, points and apostrophes; `near` those one slip away from a text of
    four letters and more, digits aside; `like` those that share most trigrams, best first.
    """

    stored: bool
    same: tuple[str, ...] = ()
    near: tuple[str, ...] = ()
    like: tuple[str, ...] = ()


class ColumnValues:
    """The different values of one text column.

    `statement` and `seconds` say how they were read, `complete` whether that is all of them.
    """

    def __init__(
        self,
        values: Iterable[str],
        statement: str = "",
        seconds: float = 0.0,
        *,
        complete: bool = True,
    ) -> None:
        self.statement, self.seconds, self.complete = statement, seconds, complete
        self._lock = threading.Lock()
        self._store = sqlite3.connect("", check_same_thread=False)
        self._store.executescript(_TABLES)
        self._store.executemany("INSERT INTO v VALUES (?, ?, ?, ?, ?)", _forms(values))
        self._store.executescript(_INDEXES)
        stored = self._store.execute("SELECT id, value FROM v")
        self._words = ValueWords(self._store, ((key, folded(value)) for key, value in stored))
        self._store.commit()

    def __len__(self) -> int:
        with self._lock:
            (count,) = self._store.execute("SELECT count(*) FROM v").fetchone()
        return int(count)

    def look_up(self, text: str, most: int = 5) -> Likeness:
        """What is stored in place of a text; at most `most` values that are merely alike."""
        wanted = loose(text)
        with self._lock:
            same = self._same(wanted)
            if text in same or same:
                return Likeness(text in same, tuple(value for value in same if value != text))
            near = self._near(wanted)
            alike = () if near else self._alike(folded(text), most)
        return Likeness(False, (), near, alike)

    def _same(self, wanted: str) -> tuple[str, ...]:
        found = self._store.execute(
            "SELECT value FROM v WHERE size = ? AND loose = ? ORDER BY value", (len(wanted), wanted)
        )
        return tuple(value for (value,) in found)

    def _near(self, wanted: str) -> tuple[str, ...]:
        """The values one slip away; none where too many are, since then nothing stands out.

        A slip behind the middle leaves the half before it as it is, and either the quarter behind
        the slip or the one before it. So it is on the other side.
        """
        length = len(wanted)
        if length < _SHORT:
            return ()
        back, near = wanted[::-1], set[int]()
        halves = {
            "loose": (wanted[: length // 2 - 1], 3 * length // 4),
            "back": (back[: length - length // 2], length // 4),
        }
        for half, (kept, quarter) in halves.items():
            parts = {"half": kept, "head": wanted[: max(quarter - 1, 0)]}
            parts["tail"] = back[: length - quarter]
            for size in range(length - 1, length + 2):
                found = self._sharing(half, size, parts)
                if found is None:
                    return ()
                near |= {key for key, other in found if _slipped(wanted, other)}
        return tuple(sorted(self._values(near))) if len(near) <= _SLIPS else ()

    def _sharing(self, half: str, size: int, parts: dict[str, str]) -> list[tuple[int, str]] | None:
        """(number, form) of the values with that half and one of two ends; None for too many."""
        ends = {f"{name}_end": part + _LAST for name, part in parts.items()}
        asked = {**parts, **ends, "size": size, "searched": _SEARCHED, "most": 20 * _SLIPS}
        found = self._store.execute(_QUARTER.format(half=half), asked).fetchall()
        more = self._store.execute(_MORE.format(half=half), asked).fetchone()
        return None if more or len(found) == asked["most"] else found

    def _alike(self, text: str, most: int) -> tuple[str, ...]:
        wanted = trigrams(text)
        values = self._values(self._words.sharing(text))
        ranked = sorted((-overlap(wanted, folded(value)), value) for value in values)
        return tuple(value for share, value in ranked if share <= -ALIKE)[:most]

    def _values(self, keys: Iterable[int]) -> tuple[str, ...]:
        listed = ",".join(map(str, keys))
        found = self._store.execute(f"SELECT value FROM v WHERE id IN ({listed})")
        return tuple(value for (value,) in found)


def column_values(
    database: SqlDatabase,
    catalog: Catalog,
    table: Table,
    column: str,
    ask: Callable[..., Result | None],
    listed: Listing | None = None,
) -> ColumnValues | None:
    """The values of a column, read on demand and kept like other facts; one probe, or none where
    they have been `listed`.

    None where they cannot be read in time, are more than `settings.value_budget`, or the catalog
    does not show the column.
    """
    if table.column(column) is None:
        return None
    facts, read = kept_facts(database, catalog), listed and listed.ended
    key = ("values", table.schema, table.name, column, read)
    held: ColumnValues | None = facts.get(key)
    if held is None and listed is not None:
        held = ColumnValues(sorted(listed.values), listed.statement, listed.seconds)
        facts.put(key, held)
    if held is not None:
        return held if held.complete else None
    most, name = database.settings.value_budget, database.quote(column)
    source = database.source(table)
    statement = f"SELECT DISTINCT {name} FROM {source} WHERE {name} IS NOT NULL LIMIT {most + 1}"
    result = ask(statement, rows=most + 1)
    if result is None:
        return None
    complete = len(result.rows) <= most
    texts = (value for (value,) in result.rows if isinstance(value, str)) if complete else ()
    held = ColumnValues(texts, statement, result.elapsed, complete=complete)
    facts.put(key, held)
    return held if complete else None


def _forms(values: Iterable[str]) -> Iterator[tuple[int, str, int, str, str]]:
    for number, value in enumerate(values):
        if len(value) <= LONGEST:
            form = loose(value)
            yield number, value, len(form), form, form[::-1]


def _slipped(wanted: str, other: str) -> bool:
    told_apart = max(len(wanted), len(other)) > _SHORT and _digits(wanted) == _digits(other)
    return told_apart and one_slip(wanted, other)


def _digits(text: str) -> str:
    return "".join(filter(str.isdigit, text))
