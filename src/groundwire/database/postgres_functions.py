"""Which functions a read-only query may not call on PostgreSQL, be it by way of another name.

The server declares a volatility (manual, 36.7 Function Volatility Categories): what is volatile
is refused unless it is known to be harmless, and so are a few stable functions that run a text as
SQL, and the system's own `pg_…`, which tell of the server and of what a catalog hides.
"""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Iterable, Set

from groundwire.database.base import CanJudgeFunctions, Mention
from groundwire.database.functions import OWN_FUNCTION
from groundwire.database.postgres_hidden import FIRST_OF_USERS, Function, Hidden, Node
from groundwire.settings import Settings

__all__ = ["LISTED", "PostgresFunctions"]

_RUNS_SQL = "it runs a text as SQL or reads a whole table by its name."
_VOLATILE = "the database declares it volatile: it may have effects."
_ABOUT_SERVER = "it tells about the server, not about the data."
RUN_SQL = frozenset(
    {
        "connectby",
        "crosstab",
        "crosstab2",
        "crosstab3",
        "crosstab4",
        "cursor_to_xml",
        "cursor_to_xmlschema",
        "database_to_xml",
        "database_to_xml_and_xmlschema",
        "database_to_xmlschema",
        "query_to_xml",
        "query_to_xml_and_xmlschema",
        "query_to_xmlschema",
        "schema_to_xml",
        "schema_to_xml_and_xmlschema",
        "schema_to_xmlschema",
        "table_to_xml",
        "table_to_xml_and_xmlschema",
        "table_to_xmlschema",
        "ts_rewrite",
        "ts_stat",
        "xpath_table",
    }
)
TELL = {
    "current_setting": "it reads the server's configuration.",
    "to_regclass": "it shows which hidden names exist.",
    "txid_current": "it takes a transaction number.",
}
LISTED = RUN_SQL | set(TELL)
"""Refused whatever they declare."""

ABOUT_VALUES = frozenset(
    {
        "pg_char_to_encoding",
        "pg_client_encoding",
        "pg_column_compression",
        "pg_column_size",
        "pg_encoding_to_char",
        "pg_input_error_info",
        "pg_input_is_valid",
        "pg_size_bytes",
        "pg_size_pretty",
        "pg_timezone_abbrevs",
        "pg_timezone_names",
        "pg_typeof",
    }
)
"""The `pg_…` functions that look at what they are given."""

HARMLESS = frozenset(
    {
        "bernoulli",
        "clock_timestamp",
        "gen_random_bytes",
        "gen_random_uuid",
        "gen_salt",
        "random",
        "random_normal",
        "st_generatepoints",
        "system",
        "system_rows",
        "system_time",
        "timeofday",
        "uuid_generate_v1",
        "uuid_generate_v1mc",
        "uuid_generate_v4",
        "uuidv4",
        "uuidv7",
    }
)
"""Volatile since no two calls answer alike; the server's and the extensions' have no effect."""

OBJECT_TYPES = frozenset(
    {
        "regclass",
        "regcollation",
        "regnamespace",
        "regoper",
        "regoperator",
        "regproc",
        "regprocedure",
        "regrole",
        "regtype",
    }
)
"""Types that turn numbers into the names of the database's objects, and back."""

Found = dict[Node, Function]
"""What may not be mentioned, with the function that it runs in the end."""


class PostgresFunctions(CanJudgeFunctions):
    """Judges by the server's catalogues, whatever the schema and the arguments."""

    settings: Settings
    _judged: tuple[Hidden, list[Found]] | None = None

    @abstractmethod
    def _hidden(self) -> Hidden:
        """What the names of the database hide, as of now."""

    def unsafe(self, mentions: Set[Mention]) -> dict[Mention, str]:
        hidden = self._hidden()
        hiding = bool(self.settings.exclude or self.settings.schemas)
        if self._judged is None or self._judged[0] is not hidden:
            self._judged = hidden, _judge(hidden, hiding)
        reasons = _by_name(mentions, hidden, hiding)
        for found in self._judged[1]:
            _by_graph(reasons, mentions, hidden, found)
        return reasons


def _judge(hidden: Hidden, hiding: bool) -> list[Found]:
    """What runs a dangerous function; where something is hidden also what runs one of users'."""
    functions = {("function", f.oid): f for f in hidden.functions}
    dangerous = (node for node, f in functions.items() if _is_dangerous(f))
    own = (node for node, f in functions.items() if f.own and hiding)
    # A view is taken away by its own name; what it calls is its owner's affair.
    reached = [hidden.reaching(dangerous), hidden.reaching(own, through={"table", "policy"})]
    return [{node: functions[root] for node, root in found.items()} for found in reached]


def _is_dangerous(function: Function) -> bool:
    harmless = function.name in HARMLESS and not function.own
    return function.name in RUN_SQL or (function.volatile and not harmless)


def _by_name(mentions: Iterable[Mention], hidden: Hidden, hiding: bool) -> dict[Mention, str]:
    """What is refused for its own sake; only as a call, since owners may use it in a view."""
    reasons = {}
    for mention in mentions:
        if mention.kind == "function" and mention.name in TELL:
            reasons[mention] = TELL[mention.name]
        elif (
            mention.kind == "function"
            and mention.name.startswith("pg_")
            and mention.name not in ABOUT_VALUES
            and any(oid < FIRST_OF_USERS for _, oid in hidden.called(mention))
        ):
            reasons[mention] = _ABOUT_SERVER
        elif hiding and mention.kind == "type" and mention.name in OBJECT_TYPES:
            reasons[mention] = TELL["to_regclass"]
    return reasons


def _by_graph(
    reasons: dict[Mention, str],
    mentions: Iterable[Mention],
    hidden: Hidden,
    found: Found,
) -> None:
    """Add what stands for a call."""
    brought = {mention: hidden.types(mention) for mention in mentions}
    all_types = frozenset().union(*brought.values())
    type_names = {mention.name for mention in mentions if mention.kind in ("type", "field")}
    for mention, types in brought.items():
        for node in hidden.called(mention):
            operands = hidden.operands[node] if node[0] == "operator" else frozenset()
            if node in found and (not operands or operands & all_types):
                reasons.setdefault(mention, _reason(node, found[node]))
        for cast in hidden.casts:
            written = cast.implicit or cast.names & type_names
            if cast.node in found and cast.types & types and written:
                reasons.setdefault(mention, _reason(cast.node, found[cast.node]))


def _reason(node: Node, function: Function) -> str:
    if function.name in RUN_SQL:
        why = _RUNS_SQL
    elif _is_dangerous(function):
        why = _VOLATILE
        if function.oid >= FIRST_OF_USERS:
            why += " If it only reads, declare it STABLE."
    else:
        why = OWN_FUNCTION
    if node == ("function", function.oid):
        return why
    through = {"cast": "by a cast ", "policy": "by a row-level-security policy "}.get(node[0], "")
    return f"{through}it runs the function {function.name}: {why}"
