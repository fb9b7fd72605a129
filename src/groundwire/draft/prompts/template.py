"""Filling the templates: `=== system` and `=== user` sections with `$name` places."""

from __future__ import annotations

import re
from collections.abc import Mapping
from datetime import datetime
from functools import cache
from importlib import resources
from string import Template

from groundwire.draft.model.reply import Message

__all__ = ["fill", "moment_line", "places"]

_DAYS = ("Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday")


def fill(name: str, parts: Mapping[str, str]) -> tuple[Message, ...]:
    """The messages of a template; a line whose only place stays empty is dropped."""
    return tuple(
        Message(role, _fill(text, parts))  # type: ignore[arg-type]
        for role, text in _sections(name)
    )


def places(name: str) -> frozenset[str]:
    """The names of the places in a template."""
    return frozenset(
        place for _, text in _sections(name) for place in Template(text).get_identifiers()
    )


def moment_line(now: datetime) -> str:
    """Today's date and time zone in a sentence."""
    offset = f"{now:%z}"
    zone = f", UTC{offset[:3]}:{offset[3:]}" if offset else ""
    return (
        f"Now it is {_DAYS[now.weekday()]}, {now:%Y-%m-%d %H:%M} ({now.tzname() or 'local'}{zone})."
    )


@cache
def _sections(name: str) -> tuple[tuple[str, str], ...]:
    text = resources.files("groundwire.draft.prompts").joinpath(f"{name}.txt").read_text("utf-8")
    _, *found = re.split(r"^=== (system|user)\n", text, flags=re.MULTILINE)
    return tuple(zip(found[::2], found[1::2], strict=True))


def _fill(text: str, parts: Mapping[str, str]) -> str:
    kept = [
        line
        for line in text.strip().split("\n")
        if not (match := re.fullmatch(r"\$(\w+)", line)) or parts.get(match[1])
    ]
    return Template("\n".join(kept)).substitute(parts)
