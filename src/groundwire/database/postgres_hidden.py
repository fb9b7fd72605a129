"""What the names of a PostgreSQL database hide: calls that no call shows.

An operator, a cast, a domain's CHECK, an aggregate, a view, a row-level-security policy, the
default of an argument: each may run a function that a query may not call. The catalogues tell
(https://www.postgresql.org/docs/current/catalogs.html); they are read in one pass over what users
have made (`oid >= 16384`), and again when that has changed. What the system brought hides nothing.

Materialized views are stored: reading one runs nothing. Input and output functions of types can
be written by superusers in C only, and are trusted as the server's own code is.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterable, Set
from dataclasses import dataclass, field
from typing import Any

from groundwire.database.base import Mention

__all__ = ["VERSION", "Hidden", "read_hidden"]

Ask = Callable[..., list[tuple[Any, ...]]]
Node = tuple[str, int]
"""A catalogue (`function`, `operator`, `type`, `cast`, `table`) and an oid in it."""

FIRST_OF_USERS = 16384

CHANGING = {
    "pg_proc": f"oid >= {FIRST_OF_USERS}",
    "pg_operator": f"oid >= {FIRST_OF_USERS}",
    "pg_cast": f"oid >= {FIRST_OF_USERS}",
    "pg_type": f"oid >= {FIRST_OF_USERS}",
    "pg_rewrite": f"oid >= {FIRST_OF_USERS}",
    "pg_class": f"oid >= {FIRST_OF_USERS} AND relkind IN ('r', 'v', 'p', 'f', 'c')",
    "pg_constraint": f"oid >= {FIRST_OF_USERS} AND contypid <> 0",
    "pg_policy": "true",
}
VERSION = (
    "SELECT concat_ws(':', current_user, (SELECT concat(rolsuper, rolbypassrls) FROM pg_roles"
    " WHERE rolname = current_user), "
    + ", ".join(
        f"(SELECT concat(count(*), '-', sum(xmin::text::bigint)) FROM {catalogue} WHERE {ours})"
        for catalogue, ours in CHANGING.items()
    )
    + ")"
)
"""A text that changes whenever the graph would."""

FUNCTIONS = f"""
SELECT p.oid::bigint, p.proname::text, p.provolatile = 'v' AND p.prokind IN ('f', 'w'),
       p.oid >= {FIRST_OF_USERS} AND l.lanname NOT IN ('internal', 'c'),
       p.pronargs > 0 AND p.pronargs - p.pronargdefaults <= 1
       AND (a.typtype = 'c' OR a.typname IN ('record', 'anyelement', 'any'))
FROM pg_proc AS p JOIN pg_language AS l ON l.oid = p.prolang
LEFT JOIN pg_type AS a ON a.oid = p.proargtypes[0]
WHERE p.oid >= {FIRST_OF_USERS} OR p.provolatile = 'v' OR p.proname ~ '^pg_'
   OR p.proname::text = ANY($1)
"""

# A stored expression names the functions that it runs; what users made is in pg_depend too.
EDGES = f"""
WITH trees AS (
    SELECT 'table' AS kind, r.ev_class AS oid, r.ev_action::text AS tree
    FROM pg_rewrite AS r JOIN pg_class AS c ON c.oid = r.ev_class
    WHERE c.relkind = 'v' AND r.oid >= {FIRST_OF_USERS} AND c.oid >= {FIRST_OF_USERS}
    UNION ALL
    SELECT 'policy', polrelid, polqual::text
    FROM pg_policy WHERE polcmd IN ('r', '*') AND row_security_active(polrelid)
    UNION ALL
    SELECT 'type', contypid, conbin::text
    FROM pg_constraint WHERE contypid <> 0 AND oid >= {FIRST_OF_USERS}
    UNION ALL
    SELECT 'function', oid, proargdefaults::text
    FROM pg_proc WHERE proargdefaults IS NOT NULL AND oid >= {FIRST_OF_USERS}
), owners AS (
    SELECT 'pg_rewrite'::regclass AS class, r.oid, 'table' AS kind, r.ev_class AS owner
    FROM pg_rewrite AS r JOIN pg_class AS c ON c.oid = r.ev_class WHERE c.relkind = 'v'
    UNION ALL
    SELECT 'pg_policy'::regclass, oid, 'policy', polrelid
    FROM pg_policy WHERE polcmd IN ('r', '*') AND row_security_active(polrelid)
    UNION ALL
    SELECT 'pg_constraint'::regclass, oid, 'type', contypid FROM pg_constraint WHERE contypid <> 0
)
SELECT kind, oid::bigint, 'function', used[1]::bigint
FROM trees CROSS JOIN LATERAL
     regexp_matches(tree, ':(?:funcid|opfuncid|aggfnoid|winfnoid|tsmhandler) (\\d+)', 'g') AS used
UNION
SELECT o.kind, o.owner::bigint,
       CASE d.refclassid WHEN 'pg_proc'::regclass THEN 'function'
            WHEN 'pg_type'::regclass THEN 'type'
            WHEN 'pg_operator'::regclass THEN 'operator' ELSE 'table' END, d.refobjid::bigint
FROM owners AS o JOIN pg_depend AS d ON d.classid = o.class AND d.objid = o.oid
WHERE d.refobjid >= {FIRST_OF_USERS}
  AND d.refclassid IN ('pg_proc'::regclass, 'pg_type'::regclass, 'pg_operator'::regclass,
                       'pg_class'::regclass)
  AND NOT (d.refclassid = 'pg_class'::regclass AND d.refobjid = o.owner)
UNION
SELECT 'table', v.oid::bigint, 'policy', t.oid::bigint
FROM pg_rewrite AS r JOIN pg_class AS v ON v.oid = r.ev_class
JOIN pg_depend AS d ON d.classid = 'pg_rewrite'::regclass AND d.objid = r.oid
                   AND d.refclassid = 'pg_class'::regclass
JOIN pg_class AS t ON t.oid = d.refobjid
WHERE v.relkind = 'v' AND t.relrowsecurity
  AND (v.relowner <> t.relowner OR t.relforcerowsecurity
       OR v.reloptions @> ARRAY['security_invoker=true'])
UNION
SELECT 'operator', oid::bigint, 'function', oprcode::bigint
FROM pg_operator WHERE oid >= {FIRST_OF_USERS}
UNION
SELECT 'cast', oid::bigint, 'function', castfunc::bigint FROM pg_cast WHERE castfunc <> 0
UNION
SELECT 'function', a.aggfnoid::bigint, 'function', part::oid::bigint
FROM pg_aggregate AS a CROSS JOIN LATERAL unnest(ARRAY[
    aggtransfn, aggfinalfn, aggcombinefn, aggserialfn, aggdeserialfn, aggmtransfn, aggminvtransfn,
    aggmfinalfn]) AS part
WHERE a.aggfnoid >= {FIRST_OF_USERS} AND part <> 0
UNION
SELECT 'function', p.oid::bigint, 'type', argument::bigint
FROM pg_proc AS p CROSS JOIN LATERAL
     unnest(p.proargtypes::oid[] || p.proallargtypes || p.prorettype) AS argument
WHERE p.oid >= {FIRST_OF_USERS} AND argument >= {FIRST_OF_USERS}
UNION
SELECT 'type', oid::bigint, 'type', unnest(ARRAY[typbasetype, typelem])::bigint
FROM pg_type WHERE oid >= {FIRST_OF_USERS} AND (typbasetype <> 0 OR typelem <> 0)
UNION
SELECT 'type', t.oid::bigint, 'type', a.atttypid::bigint
FROM pg_type AS t JOIN pg_attribute AS a ON a.attrelid = t.typrelid
WHERE t.typtype = 'c' AND t.oid >= {FIRST_OF_USERS} AND a.attnum > 0 AND NOT a.attisdropped
  AND a.atttypid >= {FIRST_OF_USERS}
"""

TYPES = f"""
SELECT oid::bigint, typname::text FROM pg_type WHERE oid >= {FIRST_OF_USERS}
"""
TABLES = f"""
SELECT c.oid::bigint, n.nspname::text, c.relname::text, c.reltype::bigint
FROM pg_class AS c JOIN pg_namespace AS n ON n.oid = c.relnamespace
WHERE c.relkind IN ('r', 'v', 'm', 'p', 'f') AND c.oid >= {FIRST_OF_USERS}
"""
OPERATORS = f"""
SELECT oid::bigint, oprname::text, oprleft::bigint, oprright::bigint
FROM pg_operator WHERE oid >= {FIRST_OF_USERS}
"""
CASTS = f"""
SELECT c.oid::bigint, c.castsource::bigint, c.casttarget::bigint, c.castcontext = 'i',
       t.typname::text, split_part(format_type(t.oid, NULL), ' ', 1)
FROM pg_cast AS c JOIN pg_type AS t ON t.oid = c.casttarget
WHERE c.castfunc <> 0 AND c.oid >= {FIRST_OF_USERS}
"""
SYNONYMS = {
    "bpchar": {"char", "nchar"},
    "float4": {"float"},
    "float8": {"float"},
    "int4": {"int"},
    "numeric": {"dec", "decimal"},
    "varchar": {"char", "nchar"},
}
"""Names of types that the grammar knows and no catalogue has."""


@dataclass(frozen=True, slots=True)
class Function:
    """`of_row`: it can be written as a field of a row. `own`: in a language that users write."""

    oid: int
    name: str
    volatile: bool
    own: bool
    of_row: bool


@dataclass(frozen=True, slots=True)
class Cast:
    """From or into `types` of users. An implicit one needs no word; else one of `names` stands."""

    node: Node
    types: frozenset[Node]
    implicit: bool
    names: frozenset[str]


@dataclass(slots=True)
class Hidden:
    """The graph of what runs what, and the names by which its nodes can be mentioned.

    `functions` are those that users made and the system's own that matter. `operators` come with
    the types of users that they take, tables with the type of their rows.
    """

    version: str
    functions: list[Function]
    edges: dict[Node, set[Node]]
    names: dict[tuple[str, str], list[Node]] = field(default_factory=lambda: defaultdict(list))
    of_row: set[Node] = field(default_factory=set)
    schemas: dict[Node, str] = field(default_factory=dict)
    operands: dict[Node, frozenset[Node]] = field(default_factory=dict)
    casts: list[Cast] = field(default_factory=list)

    def reaching(self, roots: Iterable[Node], through: Set[str] = frozenset()) -> dict[Node, Node]:
        """Every node that runs one of the roots, with the root; not through some kinds."""
        users: dict[Node, list[Node]] = defaultdict(list)
        for node, used in self.edges.items():
            if node[0] not in through:
                for other in used:
                    users[other].append(node)
        found = {root: root for root in roots}
        waiting = list(found)
        while waiting:
            node = waiting.pop()
            for user in users[node]:
                if user not in found:
                    found[user] = found[node]
                    waiting.append(user)
        return found

    def called(self, mention: Mention) -> list[Node]:
        """The nodes that a mention may mean."""
        kind = "function" if mention.kind == "field" else mention.kind
        nodes = self.names.get((kind, _cut(mention.name)), [])
        if mention.kind == "field":
            return [node for node in nodes if node in self.of_row]
        if mention.schema:
            return [node for node in nodes if self.schemas.get(node) in ("", _cut(mention.schema))]
        return nodes

    def types(self, mention: Mention) -> set[Node]:
        """The types of users that a table, a type or a function brings into a statement."""
        seen: set[Node] = set()
        waiting = [] if mention.kind == "operator" else list(self.called(mention))
        if mention.kind == "table":
            waiting = [row for node in waiting for row in self.operands[node]]
        while waiting:
            node = waiting.pop()
            if node not in seen:
                seen.add(node)
                waiting += [other for other in self.edges.get(node, ()) if other[0] == "type"]
        return {node for node in seen if node[0] == "type"}


def read_hidden(ask: Ask, version: str, listed: Iterable[str]) -> Hidden:
    """Read the graph; `listed` are names of functions that matter whatever they declare."""
    functions = [Function(*row) for row in ask(FUNCTIONS, [sorted(listed)])]
    edges: dict[Node, set[Node]] = defaultdict(set)
    for kind, oid, used_kind, used in ask(EDGES):
        edges[kind, oid].add((used_kind, used))
    hidden = Hidden(version, functions, edges)
    for function in functions:
        hidden.names["function", function.name].append(("function", function.oid))
        if function.of_row:
            hidden.of_row.add(("function", function.oid))
    for oid, name in ask(TYPES):
        hidden.names["type", name].append(("type", oid))
    for oid, schema, name, row in ask(TABLES):
        for kind in ("table", "policy"):
            hidden.names["table", name].append((kind, oid))
            hidden.schemas[kind, oid] = schema
            hidden.operands[kind, oid] = frozenset({("type", row)})
    for oid, name, left, right in ask(OPERATORS):
        hidden.names["operator", name].append(("operator", oid))
        hidden.operands["operator", oid] = _of_users(left, right)
    for oid, source, target, implicit, name, words in ask(CASTS):
        names = frozenset({name, words, *SYNONYMS.get(name, ())})
        hidden.casts.append(Cast(("cast", oid), _of_users(source, target), implicit, names))
    return hidden


def _of_users(*oids: int) -> frozenset[Node]:
    return frozenset(("type", oid) for oid in oids if oid >= FIRST_OF_USERS)


def _cut(name: str) -> str:
    """The server cuts a longer name off after 63 bytes."""
    return name.encode()[:63].decode(errors="ignore")
