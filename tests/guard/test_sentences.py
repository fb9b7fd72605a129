"""What findings say in the cases that are easily worded wrong."""

from __future__ import annotations

from collections.abc import Callable

from groundwire.guard import Guard
from tests.graph_fixtures import NewGraph


def test_a_name_that_differs_in_its_quotes_is_shown_with_them(
    guarded: Callable[..., tuple[str, Guard]],
) -> None:
    engine, guard = guarded()
    if engine == "postgres":  # the others ignore case
        verdict = guard.check("SELECT createdAt FROM camel")
        assert verdict.query == 'SELECT "createdAt" FROM camel'
        assert verdict.findings[0].message == (
            'There is no column createdAt in camel; only "createdAt" can be meant.'
        )


def test_a_graph_without_labels_or_types_is_said_to_have_none(new_graph: NewGraph) -> None:
    new_graph.load([])
    with new_graph.connect() as database:
        guard = Guard(database)
        label = guard.check("MATCH (n:Person) RETURN n.name").findings[0]
        assert label.message == "There is no label Person. The graph has no labels."
        messages = [f.message for f in guard.check("MATCH ()-[:KNOWS]->() RETURN 1").findings]
        assert "There is no relationship type KNOWS; the graph has none." in messages
