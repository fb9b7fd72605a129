"""Which functions a read-only query may not call, judged on each engine's own catalogue.

PostgreSQL declares a volatility (manual, 36.7 Function Volatility Categories); what is volatile
is refused unless it is known to be harmless, and so are a few stable functions that run text as
SQL or read what a catalog hides. DuckDB's table functions reach files and other schemas, so only
those that compute are allowed. SQLite has few, listed one by one.
"""

from __future__ import annotations

from abc import ABC, abstractmethod

from groundwire.database.base import CanJudgeFunctions, Parameters
from groundwire.database.result import Result
from groundwire.settings import Settings

__all__ = ["DuckDBFunctions", "PostgresFunctions", "SQLiteFunctions"]

_RUNS_SQL = "it runs a text as SQL or reads a whole table by its name."
_POSTGRES_STABLE_UNSAFE = {
    "connectby": _RUNS_SQL,
    "crosstab": _RUNS_SQL,
    "crosstab2": _RUNS_SQL,
    "crosstab3": _RUNS_SQL,
    "crosstab4": _RUNS_SQL,
    "cursor_to_xml": _RUNS_SQL,
    "cursor_to_xmlschema": _RUNS_SQL,
    "database_to_xml": _RUNS_SQL,
    "database_to_xml_and_xmlschema": _RUNS_SQL,
    "database_to_xmlschema": _RUNS_SQL,
    "query_to_xml": _RUNS_SQL,
    "query_to_xml_and_xmlschema": _RUNS_SQL,
    "query_to_xmlschema": _RUNS_SQL,
    "schema_to_xml": _RUNS_SQL,
    "schema_to_xml_and_xmlschema": _RUNS_SQL,
    "schema_to_xmlschema": _RUNS_SQL,
    "table_to_xml": _RUNS_SQL,
    "table_to_xml_and_xmlschema": _RUNS_SQL,
    "table_to_xmlschema": _RUNS_SQL,
    "ts_rewrite": _RUNS_SQL,
    "ts_stat": _RUNS_SQL,
    "xpath_table": _RUNS_SQL,
    "current_setting": "it reads the server's configuration.",
    "pg_config": "it reads the server's configuration.",
    "pg_current_xact_id": "it takes a transaction number.",
    "pg_get_functiondef": "it shows what may not be read.",
    "pg_get_viewdef": "it shows what may not be read.",
    "pg_relation_filepath": "it shows the server's files.",
    "pg_show_all_settings": "it reads the server's configuration.",
    "pg_stat_get_activity": "it shows what others ask.",
    "pg_stat_get_backend_activity": "it shows what others ask.",
    "to_regclass": "it shows which hidden names exist.",
    "txid_current": "it takes a transaction number.",
}
_OWN_FUNCTION = "it is the database's own function, which may read what is excluded."
_POSTGRES_VOLATILE_HARMLESS = {
    "clock_timestamp",
    "gen_random_uuid",
    "random",
    "bernoulli",
    "random_normal",
    "system",
    "timeofday",
    "uuidv4",
    "uuidv7",
}
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


class PostgresFunctions(CanJudgeFunctions, _Executes):
    """Judges by `pg_proc.provolatile`, whatever the schema and the arguments."""

    def unsafe_functions(self, names: set[str]) -> dict[str, str]:
        reasons = {n: why for n, why in _POSTGRES_STABLE_UNSAFE.items() if n in names}
        result = self.execute(
            "SELECT DISTINCT proname::text FROM pg_catalog.pg_proc"
            " WHERE proname = ANY($1) AND provolatile = 'v' AND prokind = 'f'",
            [sorted(names)],
            max_rows=len(names) + 1,
        )
        for (name,) in result.rows:
            if name not in _POSTGRES_VOLATILE_HARMLESS:
                reasons.setdefault(name, "the database declares it volatile: it may have effects.")
        if self.settings.exclude or self.settings.schemas:
            own = self.execute(
                "SELECT DISTINCT p.proname::text FROM pg_catalog.pg_proc p"
                " JOIN pg_catalog.pg_language l ON l.oid = p.prolang"
                " WHERE p.proname = ANY($1) AND l.lanname NOT IN ('internal', 'c')"
                " AND p.pronamespace <> 'pg_catalog'::regnamespace",
                [sorted(names)],
                max_rows=len(names) + 1,
            )
            for (name,) in own.rows:
                reasons.setdefault(name, _OWN_FUNCTION)
        return reasons


class DuckDBFunctions(CanJudgeFunctions, _Executes):
    """Judges by `duckdb_functions()`: table functions only from a list, no settings, no files."""

    _functions: dict[str, str] | None = None
    """Table functions and the database's own macros, by what they are."""

    def unsafe_functions(self, names: set[str]) -> dict[str, str]:
        reasons = {n: why for n, why in _DUCKDB_UNSAFE.items() if n in names}
        if self._functions is None:
            self._functions = self._read_functions()
        hiding = bool(self.settings.exclude or self.settings.schemas)
        for name in names & set(self._functions):
            if self._functions[name] == "macro":
                if hiding:
                    reasons.setdefault(name, _OWN_FUNCTION)
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


class SQLiteFunctions(CanJudgeFunctions):
    """Judges by a list: SQLite does not say what a function does."""

    def unsafe_functions(self, names: set[str]) -> dict[str, str]:
        reasons = {n: why for n, why in _SQLITE_UNSAFE.items() if n in names}
        for name in names:
            if name.startswith("pragma_"):
                reasons[name] = "it reads outside the tables of the catalog."
        return reasons
