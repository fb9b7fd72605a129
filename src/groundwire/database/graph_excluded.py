"""What `settings.exclude` takes away from a graph, for the guard that keeps queries off it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from functools import cached_property

from groundwire.database.graph_catalog import Endpoint, Entity, GraphCatalog, quote_name
from groundwire.database.graph_facts import Ask, Facts
from groundwire.database.scope import Scope

__all__ = ["Excluded", "read_excluded"]


@dataclass(frozen=True)
class Excluded:
    """The excluded names beside all that is stored; nothing here may be shown to anybody.

    `labels`, `types` and `endpoints` are those of the whole graph. `beside` has, for each label
    that is excluded or has an excluded property, the labels of its nodes, itself among them.
    """

    scope: Scope
    labels: frozenset[str]
    types: frozenset[str]
    endpoints: tuple[Endpoint, ...]
    beside: Mapping[str, frozenset[str]]

    def hides(self, name: str) -> bool:
        """The label or type is excluded, stored or not."""
        return self.scope.hides_table("", name)

    @cached_property
    def hidden_labels(self) -> frozenset[str]:
        """The stored labels that are excluded."""
        return frozenset(filter(self.hides, self.labels))

    @cached_property
    def hidden_types(self) -> frozenset[str]:
        """The stored types that are excluded."""
        return frozenset(filter(self.hides, self.types))

    def owners(self, entity: Entity, key: str | None) -> frozenset[str]:
        """The stored labels (types, of relationships) whose property `key` is excluded.

        None = some property of theirs.
        """
        stored = self.labels if entity == "node" else self.types
        if key is None:
            return frozenset(n for n in stored if self.scope.hides_some_column("", n))
        return frozenset(n for n in stored if self.scope.hides_column("", n, key))

    def met_with(self, owners: frozenset[str]) -> frozenset[str]:
        """The labels of the nodes that have one of some labels, these among them."""
        return owners.union(*(self.beside.get(owner, ()) for owner in owners))

    def narrow(self, catalog: GraphCatalog) -> GraphCatalog:
        """The catalog without properties that are another label's, excluded there."""

        def visible(label: str, key: str) -> bool:
            return label not in self.met_with(self.owners("node", key))

        labels = tuple(
            replace(
                label,
                properties=tuple(p for p in label.properties if visible(label.name, p.name)),
            )
            for label in catalog.labels
        )
        return replace(catalog, labels=labels, excluded=self)


def read_excluded(ask: Ask, facts: Facts, scope: Scope) -> Excluded:
    """What is excluded from a graph with these facts; asks for the labels of the nodes concerned.

    Args:
        ask: runs a statement of our own.
        facts: all that the engine counts, nothing left out.
        scope: what `settings.exclude` takes away.
    """
    beside = {
        label: frozenset(
            name
            for (name,) in ask(
                f"MATCH (n:{quote_name(label)}) UNWIND labels(n) AS label RETURN DISTINCT label"
            )
        )
        for label in facts.labels
        if scope.hides_some_column("", label)
    }
    return Excluded(scope, frozenset(facts.labels), frozenset(facts.types), facts.endpoints, beside)
