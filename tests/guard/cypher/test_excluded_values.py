"""Whatever the guard lets through shows no excluded value: run and looked at, not reasoned."""

from __future__ import annotations

import json
from collections.abc import Callable

import pytest

from groundwire.database.values import to_json
from groundwire.errors import QueryError
from groundwire.guard import Guard
from tests.graph_fixtures import NewGraph, node

SECRET = "canary-7731"
WAYS = [
    "{n}",
    "[{n}]",
    "collect({n})",
    "{{a: {n}}}",
    "{{a: [{n}]}}",
    "head(collect({n}))",
    "{n} {{.*}}",
    "{n} {{.code}}",
    "properties({n})",
    "keys({n})",
    "{n}.code",
    "{n}['code']",
    "{n}['co' + 'de']",
    "[k IN keys({n}) | {n}[k]]",
    "toString({n})",
    "coalesce({n}, 1)",
    "coalesce({n}, 1).code",
    "CASE WHEN true THEN {n} END",
    "(CASE WHEN true THEN {n} END).code",
    "[x IN collect({n}) | x.code]",
    "reduce(s = '', x IN collect({n}) | s + x.code)",
    "any(x IN [{n}] WHERE x.code STARTS WITH 'canary')",
    "[x IN [{n}] | x {{.*}}]",
    "COLLECT {{ MATCH (m:Town) RETURN m.code }}",
    "max({n}.code)",
]


@pytest.mark.parametrize("way", WAYS)
def test_no_way_shows_it(guarded: Callable[..., tuple[str, Guard]], way: str) -> None:
    _, guard = guarded(exclude=("Town.code", "Shop"))
    for start in ("MATCH (n:Town)", "MATCH (n)", "MATCH (:Shop)-->(n)", "MATCH (n:Shop)"):
        verdict = guard.check(f"{start} RETURN {way.format(n='n')} AS x")
        if not verdict.ok:
            assert verdict.error is not None
            continue
        try:
            found = guard.database.execute(verdict.query)
        except QueryError:
            continue
        shown = json.dumps(to_json(list(found.rows)), ensure_ascii=False)
        assert "KH-2" not in shown, verdict.query
        assert '"code"' not in shown, verdict.query


def test_the_catalog_does_not_show_it(new_graph: NewGraph) -> None:
    nodes = [node(1, "Person Agent", code=SECRET, name="Ann"), node(2, "Person", name="Bob")]
    new_graph.load(nodes)
    with new_graph.connect(exclude=("Agent.code",)) as database:
        catalog = database.catalog()
        assert SECRET not in repr(catalog)
        assert catalog.node_property("Person", "code") is None
        assert catalog.node_property("Person", "name") is not None
        assert not Guard(database).check("MATCH (p:Person) RETURN p.code").ok
        assert Guard(database).check("MATCH (p:Person) RETURN p.name").ok
