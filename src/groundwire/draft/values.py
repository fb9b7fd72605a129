"""The value index: which stored value a phrase names, and in which column it stands.

Built once per catalog version with bounded work: one sample of rows a table, then one
`GROUP BY` for each column that the sample shows to have few different values.
"""

from __future__ import annotations

import time
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from datetime import date
from typing import Any, Literal
from weakref import WeakKeyDictionary

from groundwire.database.base import SqlDatabase
from groundwire.database.catalog import Catalog, Column, Table
from groundwire.draft.inflect import fold, stem
from groundwire.errors import Cancelled, ConnectionLost, QueryError

__all__ = ["ColumnProfile", "Exactness", "ValueIndex", "ValueMatch"]

Exactness = Literal["exact", "folded", "plural", "spelling"]
"""Equal as written; but for case, accents, signs; but for the plural; but for a typing error."""

Kind = Literal["number", "text", "date", "boolean", "other"]

SAMPLE_ROWS = 2_000
MAX_VALUES = 5_000
"""Different values of one column that are kept at most."""
SMALL_TABLE = 50_000
"""Rows up to which a column is listed even if nearly every value in it is different."""
MAX_LENGTH = 100
"""Characters of a value; longer texts are prose, not names."""
MAX_SECONDS = 20.0
"""Time for one whole build; columns that come later keep what the sample shows."""

_CHARACTER_TYPES = ("char", "text", "string", "clob", "enum", "name", "citext", "uuid")
_NUMBER_TYPES = (
    "int", "numeric", "decimal", "real", "double", "float", "number", "serial", "money",
)  # fmt: skip
_RANK: dict[Exactness, int] = {"exact": 0, "folded": 1, "plural": 2, "spelling": 3}
_Key = tuple[str, str, str]


@dataclass(frozen=True, slots=True)
class ValueMatch:
    """A stored value that a phrase may name."""

    table: Table
    column: Column
    value: str
    exactness: Exactness


@dataclass(frozen=True, slots=True)
class ColumnProfile:
    """What is known of the values of a column.

    `counts` lists (value, rows) with the most frequent first; `complete` says that no value is
    missing from it. `kind` is what the stored values are, whatever the declared type says.
    `recurs` says that ten rows or more share a value on average, as codes do and measures do not.
    """

    kind: Kind
    counts: tuple[tuple[str, int], ...] = ()
    complete: bool = False
    recurs: bool = False

    @property
    def values(self) -> tuple[str, ...]:
        """The values, the most frequent first."""
        return tuple(value for value, _ in self.counts)


class ValueIndex:
    """Stored values by phrase and by column. Use `ValueIndex.build(database)`."""

    def __init__(self, catalog: Catalog, profiles: dict[_Key, ColumnProfile]) -> None:
        self._profiles = profiles
        self._folded: dict[str, list[tuple[Table, Column, str]]] = defaultdict(list)
        self._stemmed: dict[str, list[tuple[Table, Column, str]]] = defaultdict(list)
        self._spelling: dict[tuple[str, int], list[str]] | None = None
        for table, column in catalog.columns():
            for value in self.profile(table, column).values:
                self._folded[fold(value)].append((table, column, value))
                self._stemmed[stem(value)].append((table, column, value))
        self.longest_phrase = max((key.count(" ") + 1 for key in self._folded), default=0)
        """Words of the longest value."""

    @classmethod
    def build(cls, database: SqlDatabase, *, refresh: bool = False) -> ValueIndex:
        """The index of a database, cached until the catalog's version changes.

        Raises:
            ConnectionLost, Cancelled: as `Database.execute`; other failures of single queries
                only leave a column out.
        """
        catalog = database.catalog()
        held = _CACHE.get(database)
        if held is not None and held[0] == catalog.version and not refresh:
            return held[1]
        index = cls(catalog, dict(_Builder(database).profiles(catalog)))
        _CACHE[database] = (catalog.version, index)
        return index

    @classmethod
    def held(cls, database: SqlDatabase) -> ValueIndex | None:
        """The index that was built for the database before, however old; None if none was."""
        found = _CACHE.get(database)
        return found[1] if found is not None else None

    def __len__(self) -> int:
        return sum(len(found) for found in self._folded.values())

    def profile(self, table: Table, column: Column) -> ColumnProfile:
        """The profile of a column; an empty one where nothing was read."""
        found = self._profiles.get(_key(table, column))
        return found or ColumnProfile(declared_kind(column.type))

    def frequent(self, table: Table, column: Column, n: int) -> tuple[str, ...]:
        """The `n` most frequent values of a text column, the most frequent first."""
        return self.profile(table, column).values[:n]

    def lookup(self, phrase: str, *, spelling: bool = False) -> tuple[ValueMatch, ...]:
        """The stored values that a phrase names, the most exact first.

        Args:
            phrase: words as a person writes them.
            spelling: also find values one or two letters away when nothing else is found.
        """
        folded = fold(phrase)
        matches: dict[tuple[str, ...], ValueMatch] = {}
        found = [(entry, "folded") for entry in self._folded.get(folded, ())]
        found += [(entry, "plural") for entry in self._stemmed.get(stem(phrase), ())]
        if spelling and not found:
            found = [(e, "spelling") for near in self._near(folded) for e in self._folded[near]]
        for (table, column, value), how in found:
            exactness: Any = "exact" if value == phrase else how
            matches.setdefault(
                (*_key(table, column), value), ValueMatch(table, column, value, exactness)
            )
        return tuple(sorted(matches.values(), key=lambda match: _RANK[match.exactness]))

    def containing(self, phrase: str, limit: int = 5) -> tuple[ValueMatch, ...]:
        """Values that hold all words of the phrase among others, the shortest first."""
        wanted = set(stem(phrase).split())
        keys = [key for key in self._stemmed if wanted <= set(key.split())] if wanted else []
        keys.sort(key=len)
        return tuple(
            ValueMatch(*entry, "spelling") for key in keys[:limit] for entry in self._stemmed[key]
        )

    def numbered(self, table: Table, column: Column, number: int) -> tuple[str, ...]:
        """Values of a text column that are this number, padded or not: 3 → `003`."""
        values = self.profile(table, column).values
        return tuple(v for v in values if v.strip().isdigit() and int(v) == number)

    def _near(self, folded: str) -> list[str]:
        if len(folded) < 5 or folded.isdigit():
            return []
        if self._spelling is None:
            self._spelling = defaultdict(list)
            for key in self._folded:
                self._spelling[key[:1], len(key)].append(key)
        allowed = 1 if len(folded) < 9 else 2
        lengths = range(len(folded) - allowed, len(folded) + allowed + 1)
        candidates = (key for n in lengths for key in self._spelling.get((folded[0], n), ()))
        return [key for key in candidates if _distance(folded, key, allowed) <= allowed]


_CACHE: WeakKeyDictionary[SqlDatabase, tuple[str, ValueIndex]] = WeakKeyDictionary()


def declared_kind(declared: str) -> Kind:
    """What a declared type holds; `other` where the type does not say."""
    name = declared.lower()
    if name.startswith("bool"):
        return "boolean"
    if name.startswith(("date", "timestamp")):
        return "date"
    if "[" in name or name.startswith("interval"):
        return "other"
    if any(word in name for word in _CHARACTER_TYPES):
        return "text"
    return "number" if any(word in name for word in _NUMBER_TYPES) else "other"


class _Builder:
    def __init__(self, database: SqlDatabase) -> None:
        self.database = database
        self.deadline = time.monotonic() + MAX_SECONDS

    def profiles(self, catalog: Catalog) -> Iterator[tuple[_Key, ColumnProfile]]:
        for table in catalog.tables:
            yield from self._table(table)

    def _table(self, table: Table) -> Iterator[tuple[_Key, ColumnProfile]]:
        columns = [c for c in table.columns if _worth_reading(c)]
        if not columns:
            return
        listed = ", ".join(self.database.quote(column.name) for column in columns)
        rows = self._ask(f"SELECT {listed} FROM {self.database.source(table)}", SAMPLE_ROWS)
        for position, column in enumerate(columns):
            seen = [row[position] for row in rows if row[position] is not None]
            kind = _observed_kind(column, seen)
            recurs = self._recurs(table, column, seen, len(rows))
            profile = ColumnProfile(kind, recurs=recurs)
            if column.values:
                profile = ColumnProfile("text", tuple((v, 0) for v in column.values), True)
            elif kind == "text" or (kind in {"date", "number"} and _is_text(column, seen)):
                profile = self._listed(table, column, kind, seen, len(rows))
            yield _key(table, column), replace(profile, recurs=recurs)

    def _recurs(self, table: Table, column: Column, seen: Sequence[Any], rows: int) -> bool:
        """Whether rows share their values; asked of all rows where the sample is mostly empty."""
        if rows < SAMPLE_ROWS or len(seen) >= rows // 4:
            return bool(seen) and len(seen) >= 10 * len(set(map(str, seen)))
        name = self.database.quote(column.name)
        found = self._ask(
            f"SELECT {name}, COUNT(*) FROM {self.database.source(table)} WHERE {name} IS NOT NULL"
            f" GROUP BY {name} ORDER BY COUNT(*) DESC",
            SAMPLE_ROWS,
        )
        return bool(found) and sum(count for _, count in found) >= 10 * len(found)

    def _listed(
        self, table: Table, column: Column, kind: Kind, seen: Sequence[Any], rows: int
    ) -> ColumnProfile:
        counts = Counter(value for value in seen if isinstance(value, str))
        sampled = _kept(counts.most_common())
        if rows < SAMPLE_ROWS:
            return ColumnProfile(kind, sampled, len(sampled) == len(counts))
        big = table.row_estimate is None or table.row_estimate > SMALL_TABLE
        if big and len(counts) > len(seen) // 2:
            return ColumnProfile(kind)
        name = self.database.quote(column.name)
        found = self._ask(
            f"SELECT {name}, COUNT(*) FROM {self.database.source(table)} WHERE {name} IS NOT NULL"
            f" GROUP BY {name} ORDER BY COUNT(*) DESC, {name}",
            MAX_VALUES + 1,
        )
        if not found:
            return ColumnProfile(kind, sampled)
        if len(found) > MAX_VALUES and big:
            return ColumnProfile(kind)
        kept = _kept((value, count) for value, count in found[:MAX_VALUES])
        return ColumnProfile(kind, kept, len(kept) == len(found))

    def _ask(self, statement: str, max_rows: int) -> Sequence[tuple[Any, ...]]:
        left = self.deadline - time.monotonic()
        if left <= 0:
            return ()
        timeout = min(left, self.database.settings.probe_timeout)
        try:
            limited = f"{statement} LIMIT {max_rows}"
            return self.database.execute(limited, max_rows=max_rows, timeout=timeout).rows
        except (ConnectionLost, Cancelled):
            raise
        except QueryError:
            return ()


def _worth_reading(column: Column) -> bool:
    kind = declared_kind(column.type)
    return kind in {"text", "number"} or (kind == "other" and not column.type)


def _kept(counts: Iterable[tuple[Any, int]]) -> tuple[tuple[str, int], ...]:
    return tuple(
        (value, count)
        for value, count in counts
        if isinstance(value, str) and value.strip() and len(value) <= MAX_LENGTH
    )


def _is_text(column: Column, seen: Sequence[Any]) -> bool:
    return declared_kind(column.type) == "text" or any(isinstance(value, str) for value in seen)


def _observed_kind(column: Column, seen: Sequence[Any]) -> Kind:
    declared = declared_kind(column.type)
    if declared not in {"text", "other"} or column.values:
        return declared
    if not seen:
        return declared
    if all(isinstance(value, (int, float)) for value in seen):
        return "number"
    texts = [value.strip() for value in seen if isinstance(value, str) and value.strip()]
    if texts and all(_is_number(text) for text in texts):
        return "number"
    if texts and all(_is_iso_date(text) for text in texts):
        return "date"
    return "text" if texts else declared


def _is_number(text: str) -> bool:
    return text.lstrip("-").replace(".", "", 1).isdigit() and text.isascii()


def _is_iso_date(text: str) -> bool:
    try:
        date.fromisoformat(text[:10])
    except ValueError:
        return False
    return len(text) == 10 or text[10] in " T"


def _key(table: Table, column: Column) -> _Key:
    return table.schema, table.name, column.name


def _distance(left: str, right: str, limit: int) -> int:
    """Optimal string alignment distance, cut off above `limit`."""
    before: list[int] = []
    row = list(range(len(right) + 1))
    for i, a in enumerate(left, 1):
        following = [i]
        for j, b in enumerate(right, 1):
            cost = min(row[j] + 1, following[j - 1] + 1, row[j - 1] + (a != b))
            if i > 1 and j > 1 and a == right[j - 2] and left[i - 2] == b:
                cost = min(cost, before[j - 2] + 1)
            following.append(cost)
        if min(following) > limit:
            return limit + 1
        before, row = row, following
    return row[-1]
