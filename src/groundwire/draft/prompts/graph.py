"""A graph's catalog as the text of a prompt: one block a label, one a relationship type."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass

from groundwire.counted import counted
from groundwire.database.graph_catalog import (
    Endpoint,
    GraphCatalog,
    Label,
    Property,
    RelationshipType,
)
from groundwire.draft.prompts.quoting import cypher_name, is_offered, quoted

__all__ = ["GraphText"]

_VALUE_LENGTH = 40
_SHOWN_VALUES = 4
_OFTEN = 0.995
"""Share of nodes from which on a property counts as always present."""
_RECIPROCAL = 0.9


@dataclass(frozen=True)
class GraphText:
    """Writes labels and types of one catalog; with `schema_only` without any stored value."""

    catalog: GraphCatalog
    schema_only: bool = False

    def label(self, label: Label, properties: Collection[str] | None = None) -> str:
        """The block of a label."""
        header = f"(:{cypher_name(label.name)}) -- {counted(label.count, 'node')}"
        return self._block(header, label.properties, properties, label.name)

    def type(self, kind: RelationshipType, properties: Collection[str] | None = None) -> str:
        """The block of a type: each pair of labels that it joins, then its properties."""
        header = "\n".join(self._pattern(endpoint) for endpoint in kind.endpoints)
        return self._block(header, kind.properties, properties, "")

    def _pattern(self, endpoint: Endpoint) -> str:
        count = f"{endpoint.count:,}" if endpoint.exact else f"about {endpoint.count:,}"
        ends = [f"(:{cypher_name(x)})" if x else "()" for x in (endpoint.source, endpoint.target)]
        line = f"{ends[0]}-[:{cypher_name(endpoint.type)}]->{ends[1]} -- {count}"
        if endpoint.source == endpoint.target:
            measured = self.catalog.reciprocity_of(endpoint.type, endpoint.source)
            if measured and measured.fraction >= _RECIPROCAL:
                line += ", each stored both ways"
        return line

    def _block(
        self,
        header: str,
        properties: Sequence[Property],
        wanted: Collection[str] | None,
        label: str,
    ) -> str:
        shown = [p for p in properties if wanted is None or p.name in wanted]
        shown = [p for p in shown if is_offered(p.name)]
        lines = [header, *(f"  {self._property(p, label)}" for p in shown)]
        hidden = len(properties) - len(shown)
        if hidden:
            lines.append(f"  -- {counted(hidden, 'more property', 'more properties')} not shown")
        return "\n".join(lines)

    def _property(self, item: Property, label: str) -> str:
        notes = []
        if label and self.catalog.is_unique(label, [item.name]):
            notes.append("unique")
        if item.present < _OFTEN:
            notes.append(f"on {item.present:.0%}")
        if item.values and item.vector is None and not self.schema_only:
            values = ", ".join(_literal(value) for value, _ in item.values[:_SHOWN_VALUES])
            notes.append(f"for example: {values}")
        line = f"{cypher_name(item.name)} {item.type}"
        return line + (f" -- {'; '.join(notes)}" if notes else "")


def _literal(value: object) -> str:
    if isinstance(value, bool | int | float):
        return str(value).lower() if isinstance(value, bool) else str(value)
    return quoted(str(value), _VALUE_LENGTH)
