"""Repairs as text edits: what lies outside the edited spans stays byte for byte."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

__all__ = ["Edit", "apply", "in_order"]


@dataclass(frozen=True, slots=True)
class Edit:
    """Replace the characters `start:end` of a text by `text` (insert where start == end)."""

    start: int
    end: int
    text: str

    def to_json(self) -> dict[str, object]:
        """`{"span": [start, end], "text": …}`."""
        return {"span": [self.start, self.end], "text": self.text}


def apply(text: str, edits: Iterable[Edit]) -> str:
    """The text with all edits made; spans refer to the text as it was given.

    Raises:
        ValueError: two edits overlap, or a span lies outside the text.
    """
    pieces: list[str] = []
    position = 0
    for edit in in_order(edits):
        if not position <= edit.start <= edit.end <= len(text):
            raise ValueError(f"edit {edit} overlaps another one or lies outside the text")
        pieces += [text[position : edit.start], edit.text]
        position = edit.end
    pieces.append(text[position:])
    return "".join(pieces)


def in_order(edits: Iterable[Edit]) -> list[Edit]:
    """The edits in the order of the text."""
    return sorted(edits, key=lambda edit: (edit.start, edit.end))
