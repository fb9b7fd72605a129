"""`groundwire schema` of a graph: labels, types, what they join, and what was measured."""

from __future__ import annotations

from typing import Any

from groundwire.counted import counted
from groundwire.database import Database
from groundwire.errors import InternalError

__all__ = ["show_graph"]


def show_graph(database: Database, *, as_json: bool) -> None:
    """Print the catalog of a graph database."""
    from groundwire.database.graph import GraphDatabase

    if not isinstance(database, GraphDatabase):
        raise InternalError(f"No schema for {database.language}.")
    described = _described(database)
    if as_json:
        from groundwire.cli.output import print_json

        print_json(described)
    else:
        _print(described)


def _described(database: Any) -> dict[str, Any]:
    from groundwire.database import to_json

    catalog = database.catalog()
    return {
        "language": "cypher",
        "dialect": catalog.dialect,
        "version": catalog.version,
        "labels": [
            {
                "name": label.name,
                "count": label.count,
                "properties": [_property(item) for item in label.properties],
            }
            for label in catalog.labels
        ],
        "types": [
            {
                "name": kind.name,
                "count": kind.count,
                "properties": [_property(item) for item in kind.properties],
                "endpoints": [
                    {"source": end.source, "target": end.target, "count": end.count}
                    for end in kind.endpoints
                ],
            }
            for kind in catalog.types
        ],
        "reciprocity": [
            {
                "label": share.label,
                "type": share.type,
                "fraction": to_json(share.fraction),
                "sentence": share.sentence,
            }
            for share in catalog.reciprocity
        ],
    }


def _property(item: Any) -> dict[str, Any]:
    return {"name": item.name, "type": item.type, "present": round(item.present, 4)}


def _print(described: dict[str, Any]) -> None:
    from rich.text import Text

    from groundwire.cli.output import console

    out = console()
    for label in described["labels"]:
        nodes = counted(label["count"], "node")
        out.print(Text.assemble((f"(:{label['name']})", "bold"), f"  {nodes}"))
        _print_properties(label["properties"])
    for kind in described["types"]:
        ends = ", ".join(f"(:{e['source']})→(:{e['target']})" for e in kind["endpoints"])
        head = (f"[:{kind['name']}]", "bold")
        out.print(Text.assemble(head, f"  {kind['count']:,}  {ends}"), soft_wrap=True)
        _print_properties(kind["properties"])
    for share in described["reciprocity"]:
        out.print(Text(share["sentence"], "dim"), soft_wrap=True)


def _print_properties(properties: list[dict[str, Any]]) -> None:
    from rich.text import Text

    from groundwire.cli.output import console

    for item in properties:
        there = "" if item["present"] >= 1 else f"  on {item['present']:.0%}"
        console().print(Text.assemble(f"    {item['name']}  ", (item["type"], "cyan"), there))
