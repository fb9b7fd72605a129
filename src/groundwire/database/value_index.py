"""Which values of a text column look like a given text.

The different values of one column with their folded forms, in a private SQLite database that
stays in memory while it is small and is gone with its object: B-trees over the folded form and over
its reverse find what is one typing slip away, an FTS5 index of trigrams what shares letters.
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
from groundwire.database.result import Result

__all__ = ["ColumnValues", "Likeness", "column_values"]

LONGEST = 200
"""Characters of a value; longer texts are prose, which nobody spells in a query."""
_SHORT = 4
"""Up to so many letters a word one slip away is another word: `Iran` and `Iraq`."""
_SLIPS = 50
_COMMON = 600
"""Values that the trigrams of a look-up may occur in, all together."""
_COMPARED = 80

_TABLES = """
PRAGMA journal_mode = OFF;
PRAGMA synchronous = OFF;
CREATE TABLE v (id INTEGER PRIMARY KEY, value TEXT, size INTEGER, loose TEXT, back TEXT);
CREATE VIRTUAL TABLE f USING fts5(t, content = '', columnsize = 0, tokenize = 'trigram');
CREATE VIRTUAL TABLE trigrams USING fts5vocab(f, 'row');
"""
_INDEXES = """
CREATE INDEX forwards ON v (size, loose);
CREATE INDEX backwards ON v (size, back);
"""
_HALVES = """
SELECT value, loose FROM v WHERE size = $size AND loose >= $head AND loose < $head_end
UNION
SELECT value, loose FROM v WHERE size = $size AND back >= $tail AND back < $tail_end
LIMIT $most
"""


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
        self._store.create_function("folded", 1, folded, deterministic=True)
        self._store.execute("INSERT INTO f (rowid, t) SELECT id, folded(value) FROM v")
        self._store.execute("INSERT INTO f (f) VALUES ('optimize')")
        self._store.commit()
        self._common = dict(self._store.execute("SELECT term, doc FROM trigrams"))

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
        """One slip leaves the letters before or behind the middle as they are, which finds it.

        None where more values share a half than are compared: then nothing stands out.
        """
        if len(wanted) < _SHORT:
            return ()
        middle, near = len(wanted) // 2, set()
        head, tail = wanted[: middle - 1], wanted[: middle + 1 : -1] or wanted[-1]
        for size in range(len(wanted) - 1, len(wanted) + 2):
            halves = {
                "size": size,
                "head": head,
                "head_end": head + "\U0010ffff",
                "tail": tail,
                "tail_end": tail + "\U0010ffff",
                "most": 20 * _SLIPS,
            }
            found = self._store.execute(_HALVES, halves).fetchall()
            if len(found) == halves["most"]:
                return ()
            near |= {value for value, other in found if _slipped(wanted, other)}
        return tuple(sorted(near)) if len(near) <= _SLIPS else ()

    def _alike(self, text: str, most: int) -> tuple[str, ...]:
        wanted = _trigrams(text)
        chosen: list[str] = []
        occurrences = 0
        for count, trigram in sorted((self._common.get(t, 0), t) for t in wanted):
            occurrences += count
            if chosen and occurrences > _COMMON:
                break
            if count:
                chosen.append('"' + trigram.replace('"', '""') + '"')
        if not chosen:
            return ()
        found = self._store.execute(
            "SELECT v.value FROM f JOIN v ON v.id = f.rowid WHERE f MATCH ? LIMIT ?",
            (" OR ".join(chosen), _COMPARED),
        ).fetchall()
        ranked = sorted((-_overlap(wanted, _trigrams(folded(value))), value) for (value,) in found)
        return tuple(value for overlap, value in ranked if overlap <= -0.4)[:most]


def column_values(
    database: SqlDatabase,
    catalog: Catalog,
    table: Table,
    column: str,
    ask: Callable[..., Result | None],
) -> ColumnValues | None:
    """The values of a column, read on demand and kept like other facts; one probe.

    None where they cannot be read in time, are more than `settings.value_budget`, or the catalog
    does not show the column.
    """
    if table.column(column) is None:
        return None
    facts, key = kept_facts(database, catalog), ("values", table.schema, table.name, column)
    held: ColumnValues | None = facts.get(key)
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


def _trigrams(text: str) -> set[str]:
    return {text[i : i + 3] for i in range(len(text) - 2)}


def _overlap(one: set[str], other: set[str]) -> float:
    """The share of trigrams in common (Dice)."""
    return 2 * len(one & other) / (len(one) + len(other)) if one or other else 0.0
