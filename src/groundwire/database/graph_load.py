"""Loads a graph from nodes and relationships, into either engine; twice is the same as once."""

from __future__ import annotations

import json
import time
from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from groundwire.database.graph_catalog import quote_name
from groundwire.database.graph_files import (
    NodeRecord,
    Rejected,
    RelationshipRecord,
    Source,
    read_items,
)
from groundwire.database.graph_values import from_neo4j
from groundwire.database.graph_write import Writer, open_writer
from groundwire.database.values import to_json
from groundwire.settings import Settings

__all__ = ["LoadReport", "load_graph"]

BATCH = 5_000
"""Nodes or relationships in one transaction."""

KEPT_REJECTIONS = 1_000


@dataclass(frozen=True)
class LoadReport:
    """What a load did.

    `nodes` and `relationships` were read and are in the graph now; `added` relationships were
    not in it before. `rejected` keeps the first lines that were put aside, `rejected_count`
    counts all. `seconds` is the time for everything.
    """

    nodes: int
    relationships: int
    added: int
    rejected: tuple[Rejected, ...]
    rejected_count: int
    seconds: float


Progress = Callable[[str, int], None]
"""Called now and then with "nodes" or "relationships" and how many are stored."""


def load_graph(
    nodes: Source | str,
    relationships: Source | str,
    url: str,
    *,
    progress: Progress = lambda what, count: None,
    settings: Settings | None = None,
) -> LoadReport:
    """Load nodes, then the relationships between them.

    A node is known by its first label and its id in the file: loading it again sets its
    properties again. A relationship is known by its type, its ends and all its properties; as
    many equal ones are stored as the file has.

    Args:
        nodes: the path of a file of JSON lines or CSV (`graph_files` says how), or such objects.
        relationships: the same; both ends must be among the nodes.
        url: `kglite:///file` (made if it does not exist) or a Neo4j URL.

    Raises:
        UsageError, StorageError, DriverMissing, Unreachable, AccessDenied: it cannot begin.
        QueryError: the engine refused a batch; what was stored before stays in Neo4j, a kglite
            file stays as it was.
    """
    started = time.perf_counter()
    nodes, relationships = (Path(s) if isinstance(s, str) else s for s in (nodes, relationships))
    with open_writer(url, settings or Settings()) as writer:
        load = _Load(writer, progress)
        load.store_nodes(nodes)
        load.store_relationships(relationships)
    return LoadReport(
        len(load.labels),
        load.relationships,
        load.added,
        tuple(load.rejected),
        load.rejected_count,
        time.perf_counter() - started,
    )


@dataclass
class _Load:
    writer: Writer
    progress: Progress
    labels: dict[str, str] = field(default_factory=dict)
    """By the id of a node: its first label, "" for none."""
    relationships: int = 0
    added: int = 0
    rejected: list[Rejected] = field(default_factory=list)
    rejected_count: int = 0
    met: Counter[tuple[Any, ...]] = field(default_factory=Counter)

    def reject(self, rejected: Rejected) -> None:
        self.rejected_count += 1
        if len(self.rejected) < KEPT_REJECTIONS:
            self.rejected.append(rejected)

    def store_nodes(self, source: Source) -> None:
        batches: dict[tuple[str, ...], list[dict[str, Any]]] = {}
        for line, item in read_items(source, "node"):
            if not isinstance(item, NodeRecord):
                assert isinstance(item, Rejected)
                self.reject(item)
            elif reason := self.refused(item):
                self.reject(Rejected(_name(source, "nodes"), line, reason))
            else:
                self.labels[item.id] = item.labels[0] if item.labels else ""
                batch = batches.setdefault(item.labels, [])
                batch.append({"id": item.id, "properties": item.properties})
                if len(batch) == BATCH:
                    self.merge_nodes(item.labels, batches.pop(item.labels))
        for labels, batch in batches.items():
            self.merge_nodes(labels, batch)

    def refused(self, node: NodeRecord) -> str:
        if not node.labels and self.writer.needs_label:
            return "it has no label, and this engine needs one"
        known = self.labels.get(node.id)
        if known is not None and known != (node.labels[0] if node.labels else ""):
            return f"the id {node.id} is already that of a node with the label {known or 'none'}"
        return ""

    def merge_nodes(self, labels: tuple[str, ...], rows: list[dict[str, Any]]) -> None:
        if labels:
            self.writer.prepare(quote_name(labels[0]))
        first = f":{quote_name(labels[0])}" if labels else ""
        others = "".join(f" SET n:{quote_name(label)}" for label in labels[1:])
        self.writer.run(
            f"UNWIND $rows AS row MERGE (n{first} {{`{self.writer.key}`: row.id}}) "
            f"SET n += row.properties{others}",
            rows,
        )
        self.progress("nodes", len(self.labels))

    def store_relationships(self, source: Source) -> None:
        stored = {row[0] for row in self.writer.run(EXISTING, [])}
        batches: dict[tuple[str, str, str], list[RelationshipRecord]] = {}
        for line, item in read_items(source, "relationship"):
            if isinstance(item, Rejected):
                self.reject(item)
                continue
            assert isinstance(item, RelationshipRecord)
            missing = next((end for end in (item.start, item.end) if end not in self.labels), None)
            if missing is not None:
                reason = f"there is no node with the id {missing}"
                self.reject(Rejected(_name(source, "relationships"), line, reason))
                continue
            kind = (item.type, self.labels[item.start], self.labels[item.end])
            batch = batches.setdefault(kind, [])
            batch.append(item)
            if len(batch) == BATCH:
                self.create(kind, batches.pop(kind), item.type in stored)
        for kind, batch in batches.items():
            self.create(kind, batch, kind[0] in stored)

    def create(
        self, kind: tuple[str, str, str], batch: list[RelationshipRecord], check: bool
    ) -> None:
        rows = [{"a": r.start, "b": r.end, "properties": r.properties} for r in batch]
        self.relationships += len(rows)
        ends = _ends(kind, self.writer.key)
        type_name = quote_name(kind[0])
        if check:
            rows = list(self.missing(kind[0], f"{ends} MATCH (a)-[r:{type_name}]->(b)", rows))
        if rows:
            self.writer.run(f"{ends} CREATE (a)-[r:{type_name}]->(b) SET r += row.properties", rows)
        self.added += len(rows)
        self.progress("relationships", self.relationships)

    def missing(
        self, type_name: str, match: str, rows: list[dict[str, Any]]
    ) -> Iterator[dict[str, Any]]:
        """The rows that the graph has not yet as often as they were met in the file."""
        pairs = [{"a": a, "b": b} for a, b in {(row["a"], row["b"]) for row in rows}]
        have: Counter[tuple[Any, ...]] = Counter()
        found = self.writer.run(f"{match} RETURN row.a, row.b, properties(r)", pairs)
        for start, end, properties in found:
            have[type_name, start, end, _canonical(properties)] += 1
        for row in rows:
            key = (type_name, row["a"], row["b"], _canonical(row["properties"]))
            self.met[key] += 1
            if have[key] < self.met[key]:
                have[key] += 1
                yield row


EXISTING = "MATCH ()-[r]->() RETURN DISTINCT type(r) AS type"


def _ends(kind: tuple[str, str, str], key: str) -> str:
    a, b = (f":{quote_name(label)}" if label else "" for label in kind[1:])
    return f"UNWIND $rows AS row MATCH (a{a} {{`{key}`: row.a}}) MATCH (b{b} {{`{key}`: row.b}})"


def _canonical(properties: dict[str, Any]) -> str:
    plain = {key: from_neo4j(value, lambda owners, key: False) for key, value in properties.items()}
    return json.dumps(to_json(plain), sort_keys=True)


def _name(source: Source, otherwise: str) -> str:
    return getattr(source, "name", otherwise)
