"""Cases in, graphs out."""

from __future__ import annotations

import random
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any

from groundwire.bench.case import Case
from groundwire.bench.witness.graph import Graph, Rows
from groundwire.bench.witness.planting import MISSING, Planter
from groundwire.bench.witness.population import populate
from groundwire.bench.witness.schema import Schema, read_schema
from groundwire.bench.witness.template import Template, templates
from groundwire.bench.witness.values import Values
from groundwire.query.cypher import parse

__all__ = ["store_witnesses", "witnesses"]


def witnesses(
    cases: Iterable[Case],
    schema: Schema | Mapping[str, Any],
    info: Mapping[str, Any] | None = None,
    k: int = 3,
    seed: int = 0,
    missing: float = MISSING,
) -> list[Rows]:
    """`k` graphs, each made from another seed, on which the golds of all cases find something.

    Args:
        cases: those of one database; golds that cannot be read are left out.
        schema: as `read_schema` gives it, or the JSON that it takes.
        info: cardinalities and symmetry, where `schema` is JSON.
        missing: the share of properties without a value.

    Raises:
        UsageError: the schema is none.
    """
    known = schema if isinstance(schema, Schema) else read_schema(schema, info)
    wanted = [
        template
        for gold in dict.fromkeys(gold for case in cases for gold in case.queries)
        for template in templates(parse(gold))
    ]
    return [_witness(wanted, known, seed, number, missing) for number in range(k)]


def _witness(
    wanted: list[Template], schema: Schema, seed: int, number: int, missing: float
) -> Rows:
    chance = random.Random(f"{schema.name} {seed} {number}")
    planter = Planter(Graph(), schema, Values(chance), chance, number, missing)
    for template in wanted:
        _note(template, planter)
    for template in wanted:
        planter.plant(template)
    populate(planter)
    return planter.graph.rows()


def _note(template: Template, planter: Planter) -> None:
    """Let values lie near the constants of a query."""
    for way in template.ways:
        for condition in way:
            key = template.key_of(condition)
            owners = template.nodes.get(key) if key is not None else None
            if owners is None:
                owners = tuple(t for hop in template.hops if hop.key == key for t in hop.types)
            for owner in owners:
                planter.values.note(owner, condition)


def store_witnesses(graphs: Iterable[Rows], name: str, folder: Path) -> list[Path]:
    """Store the graphs of one database as `FOLDER/1/NAME.kgl`, `FOLDER/2/NAME.kgl`, …

    Raises:
        DriverMissing, StorageError: as `load_graph`.
    """
    from groundwire.database.graph_load import load_graph

    paths: list[Path] = []
    for number, rows in enumerate(graphs, 1):
        path = folder / str(number) / f"{name}.kgl"
        path.parent.mkdir(parents=True, exist_ok=True)
        path.unlink(missing_ok=True)
        load_graph(rows.nodes, rows.relationships, f"kglite:///{path.resolve()}")
        paths.append(path)
    return paths
