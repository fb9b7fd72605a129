"""DuckDB's EXPLAIN in JSON as a Plan."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any

from groundwire.database.base import Plan

__all__ = ["read_plan"]


def read_plan(text: str) -> Plan:
    """DuckDB estimates rows but no cost. The rows are those of the topmost node that says so."""
    root = json.loads(text)[0]
    estimates = (
        node["extra_info"]["Estimated Cardinality"]
        for _, node in _walk(root)
        if "Estimated Cardinality" in node["extra_info"]
    )
    rows = next(estimates, None)
    lines = [_line(depth, node) for depth, node in _walk(root)]
    return Plan("\n".join(lines), rows=None if rows is None else float(rows))


def _walk(node: dict[str, Any], depth: int = 0) -> Iterator[tuple[int, dict[str, Any]]]:
    yield depth, node
    for child in node["children"]:
        yield from _walk(child, depth + 1)


def _line(depth: int, node: dict[str, Any]) -> str:
    details = "; ".join(f"{name}: {value}" for name, value in node["extra_info"].items())
    name: str = node["name"].strip()
    return "  " * depth + name + (f" ({details})" if details else "")
