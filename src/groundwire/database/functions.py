"""Which functions a read-only query may not call, judged on each engine's own catalogue.

`postgres_functions.py` has PostgreSQL's. DuckDB's table functions reach files and other schemas,
so only those that compute are allowed. SQLite has few, listed one by one.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Set

from groundwire.database.base import CanJudgeFunctions, Mention, Parameters
from groundwire.database.result import Result
from groundwire.settings import Settings

__all__ = ["OWN_FUNCTION", "DuckDBFunctions", "SQLiteFunctions"]

OWN_FUNCTION = "it is the database's own function, which may read what is excluded."
_DUCKDB_TABLE_FUNCTIONS = {
    "generate_series",
    "json_each",
    "json_tree",
    "range",
    "repeat",
    "repeat_row",
    "unnest",
}
_DUCKDB_UNSAFE = {
    "current_setting": "it reads the configuration.",
    "currval": "it depends on and changes a sequence.",
    "getenv": "it reads the environment of the process.",
    "getvariable": "it reads the state of the session.",
    "nextval": "it changes a sequence.",
    "write_log": "it writes to the log.",
}
_SQLITE_UNSAFE = {
    "edit": "it starts a program.",
    "fts3_tokenizer": "it can load code.",
    "load_extension": "it loads code.",
    "readfile": "it reads a file.",
    "writefile": "it writes a file.",
}


class _Executes(ABC):
    settings: Settings

    @abstractmethod
    def execute(
        self,
        statement: str,
        parameters: Parameters = None,
        *,
        max_rows: int | None = None,
        timeout: float | None = None,
    ) -> Result:
        """As `Database.execute`."""


class _JudgesByName(CanJudgeFunctions):
    """Nothing but a name before a bracket is a call; names are alike in both cases."""

    def unsafe(self, mentions: Set[Mention]) -> dict[Mention, str]:
        called = {m: m.name.lower() for m in mentions if m.kind == "function"}
        reasons = self._unsafe_names(set(called.values()))
        return {mention: reasons[name] for mention, name in called.items() if name in reasons}

    @abstractmethod
    def _unsafe_names(self, names: set[str]) -> dict[str, str]:
        """Which of some names of functions may not be called, each with a sentence why."""


class DuckDBFunctions(_JudgesByName, _Executes):
    """Judges by `duckdb_functions()`: table functions only from a list, no settings, no files."""

    _functions: dict[str, str] | None = None
    """Table functions and the database's own macros, by what they are."""

    def _unsafe_names(self, names: set[str]) -> dict[str, str]:
        reasons = {n: why for n, why in _DUCKDB_UNSAFE.items() if n in names}
        if self._functions is None:
            self._functions = self._read_functions()
        hiding = bool(self.settings.exclude or self.settings.schemas)
        for name in names & set(self._functions):
            if self._functions[name] == "macro":
                if hiding:
                    reasons.setdefault(name, OWN_FUNCTION)
            elif name not in _DUCKDB_TABLE_FUNCTIONS:
                reasons.setdefault(name, "it reads outside the tables of the catalog.")
        return reasons

    def _read_functions(self) -> dict[str, str]:
        # Listing them takes 40 ms. A file that is open for reading gains none. What computes a
        # value under the same name as a table function (`histogram`) is not meant here.
        result = self.execute(
            "SELECT function_name, CASE WHEN bool_or(function_type IN ('scalar', 'aggregate'))"
            " THEN 'value' WHEN bool_or(function_type IN ('table', 'table_macro', 'pragma'))"
            " THEN 'table' WHEN bool_and(internal) THEN 'value' ELSE 'macro' END AS kind"
            " FROM duckdb_functions() GROUP BY function_name HAVING kind <> 'value'",
            max_rows=100_000,
        )
        return {str(name): str(kind) for name, kind in result.rows}


class SQLiteFunctions(_JudgesByName):
    """Judges by a list: SQLite does not say what a function does."""

    def _unsafe_names(self, names: set[str]) -> dict[str, str]:
        reasons = {n: why for n, why in _SQLITE_UNSAFE.items() if n in names}
        for name in names:
            if name.startswith("pragma_"):
                reasons[name] = "it reads outside the tables of the catalog."
        return reasons
