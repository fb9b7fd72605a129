"""PostgreSQL's EXPLAIN (FORMAT JSON) as a Plan."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from groundwire.database.base import Plan

__all__ = ["read_plan"]

DETAILS = ("Relation Name", "Index Name", "Join Type", "Index Cond", "Hash Cond", "Filter")


def read_plan(root: dict[str, Any]) -> Plan:
    """The plan with the topmost node's cost (in the server's unit) and estimate of rows."""
    text = "\n".join(_lines(root, 0))
    return Plan(text, cost=float(root["Total Cost"]), rows=float(root["Plan Rows"]))


def _lines(node: dict[str, Any], depth: int) -> Iterator[str]:
    details = "; ".join(f"{name}: {node[name]}" for name in DETAILS if name in node)
    cost = f"cost {node['Total Cost']}, rows {node['Plan Rows']}"
    yield "  " * depth + f"{node['Node Type']} ({cost}" + (f"; {details})" if details else ")")
    for child in node.get("Plans", ()):
        yield from _lines(child, depth + 1)
