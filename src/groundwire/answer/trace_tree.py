"""A trace as a tree for a person."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

from groundwire.answer.wording import visible
from groundwire.trace import Step, Trace

if TYPE_CHECKING:
    from rich.text import Text
    from rich.tree import Tree

__all__ = ["trace_tree"]

LONGEST_DETAIL = 400
"""Characters of one detail; the JSON form of the trace has all of it."""


def trace_tree(trace: Trace) -> Tree:
    """Every step with its time and its details, children under their parents."""
    from rich.text import Text
    from rich.tree import Tree

    tree = Tree(Text(f"trace, {_time(trace.seconds)}", "bold"))
    for step in trace.steps:
        _grow(tree, step)
    return tree


def _grow(tree: Tree, step: Step) -> None:
    branch = tree.add(_headline(step))
    for key, value in step.detail.items():
        branch.add(_detail(key, value))
    for child in step.children:
        _grow(branch, child)


def _headline(step: Step) -> Text:
    from rich.text import Text

    line = Text.assemble((step.node, "bold"), (f"  {_time(step.seconds)}", "dim"))
    if step.what:
        line.append(f"  {visible(step.what)}")
    if step.error:
        line.append(f"  {step.error['code']}: {visible(step.error['message'])}", "red")
    return line


def _detail(key: str, value: Any) -> Text:
    from rich.text import Text

    text = value if isinstance(value, str) else json.dumps(value, ensure_ascii=False)
    if len(text) > LONGEST_DETAIL:
        text = f"{text[:LONGEST_DETAIL]}… ({len(text):,} characters)"
    lines = "\n".join(visible(line) for line in text.splitlines())
    return Text.assemble((f"{key}: ", "cyan"), lines)


def _time(seconds: float) -> str:
    return f"{seconds:.2f} s" if seconds >= 1 else f"{seconds * 1000:.1f} ms"
