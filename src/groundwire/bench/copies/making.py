"""The copies of the databases of a set of cases, in a folder that is removed in the end."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable
from dataclasses import replace
from pathlib import Path
from random import Random
from tempfile import TemporaryDirectory
from types import TracebackType
from typing import Self

from groundwire.bench.case import Case, Malformed
from groundwire.bench.copies.files import read_tables, write_copy
from groundwire.bench.copies.hints import read_hints
from groundwire.bench.copies.perturb import RECIPES, perturb
from groundwire.bench.running import resolve
from groundwire.database import Database, SqlDatabase, connect
from groundwire.database.url import mask, parse
from groundwire.errors import GroundwireError, UsageError
from groundwire.settings import Settings

__all__ = ["LARGEST_FILE", "MOST_ROWS", "PerturbedCopies"]

MOST_ROWS = 20_000
"""Rows of a database that is copied at most."""

LARGEST_FILE = 50_000_000
"""Bytes of its file at most."""

ENGINES = ("sqlite", "duckdb")


class PerturbedCopies:
    """Makes the copies on which `test_suite` looks: `Databases(copies=PerturbedCopies(cases))`.

    A copy has the schema, the keys and valid references of the original; rows are left out,
    changed and added, near the values that the golds ask for, whose own rows stay. The same seed
    gives the same copies. SQLite and DuckDB files are copied; of other databases (PostgreSQL would
    need the right to create some) there are no copies, and `notes` says so.

    Use as a context manager, or `close()` it: the copies are files in a temporary folder.

    Args:
        cases: their golds say near which values luck is to be looked for.
        where: as for `running.resolve`.
        count: copies of each database; the recipes take turns.
        seed: of every choice.
    """

    def __init__(
        self, cases: Iterable[Case | Malformed], where: str = "", *, count: int = 8, seed: int = 0
    ) -> None:
        self.count, self.seed = count, seed
        self.notes: dict[str, str] = {}
        """By the URL of a database without its password: why there are no copies of it."""
        self._golds: dict[str, list[str]] = defaultdict(list)
        for case in cases:
            if isinstance(case, Case) and case.language == "sql":
                try:
                    self._golds[resolve(case.database, where)].extend(case.queries)
                except UsageError:
                    continue  # the scorer marks the case
        self._folder = TemporaryDirectory(prefix="groundwire-copies-")
        self._made = 0

    def __call__(self, url: str, settings: Settings) -> list[Database]:
        """The copies of a database, opened; none where none can be made."""
        try:
            path = self._file(url)
            return self._copies(url, path, settings)
        except GroundwireError as error:
            self.notes[mask(url)] = f"There are no copies of {mask(url)}: {error}"
            return []

    def _file(self, url: str) -> Path:
        parsed = parse(url)
        if parsed.scheme not in ENGINES:
            raise UsageError("Only SQLite and DuckDB files are copied.")
        path = parsed.existing_file()
        if path is None:
            raise UsageError("It is in memory.")
        if path.stat().st_size > LARGEST_FILE:
            raise UsageError(f"Its file has more than {LARGEST_FILE:,} bytes.")
        return path

    def _copies(self, url: str, path: Path, settings: Settings) -> list[Database]:
        with connect(url, replace(settings, max_rows=MOST_ROWS)) as original:
            assert isinstance(original, SqlDatabase)
            tables = read_tables(original, path, MOST_ROWS)
            if tables is None:
                raise UsageError(f"It has more than {MOST_ROWS:,} rows.")
            columns = {column.name.lower() for _, column in original.catalog().columns()}
            hints = read_hints(self._golds.get(url, ()), original.dialect, columns)
            urls = []
            for number in range(self.count):
                random = Random(f"{self.seed}:{number}")
                recipe = RECIPES[number % len(RECIPES)]
                changed = perturb(tables, hints, recipe, random)
                self._made += 1
                target = Path(self._folder.name) / f"copy_{self._made}.{original.dialect}"
                urls.append(write_copy(original, path, target, changed))
        return [connect(copy, settings) for copy in urls]

    def close(self) -> None:
        """Remove the files. What `Databases` opened is closed by it."""
        self._folder.cleanup()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self.close()
