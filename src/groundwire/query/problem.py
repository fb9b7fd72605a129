"""What could not be read in a query text, and where."""

from __future__ import annotations

from dataclasses import dataclass

__all__ = ["Problem"]


@dataclass(frozen=True, slots=True)
class Problem:
    """One reason why a text is not a query.

    `line` and `column` count from 1; `offset` counts characters of the original text from 0.
    `expected` says what could have stood there ("" where nothing in particular could).
    `sentence` tells a person or a model the whole of it in one sentence.
    """

    line: int
    column: int
    offset: int
    expected: str
    sentence: str

    @classmethod
    def at(cls, text: str, offset: int, sentence: str, expected: str = "") -> Problem:
        """The problem at a character offset of a text; an offset past the end is the end."""
        offset = min(max(offset, 0), len(text))
        start_of_line = text.rfind("\n", 0, offset) + 1
        line = text.count("\n", 0, offset) + 1
        return cls(line, offset - start_of_line + 1, offset, expected, sentence)
