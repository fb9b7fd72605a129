"""The exact characters of a part of a SQL text, so that a repair can replace it.

sqlglot keeps the places of names and literals only. What stands around them (brackets, `CAST (`,
`DESC`) is found among the tokens, and a stretch counts as the text of an expression only if it
reads as that very expression again.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import lru_cache
from typing import TYPE_CHECKING

from groundwire.query.sql.parse import trees
from groundwire.query.sql.tree import tokens

if TYPE_CHECKING:
    from sqlglot import exp

    from groundwire.query.sql.parse import Query

__all__ = ["Word", "after_blanks", "comments", "extent", "words"]

MOST_WIDENINGS = 8


@dataclass(frozen=True, slots=True)
class Word:
    """One token: its characters in capitals, and where they stand."""

    text: str
    start: int
    end: int


def words(query: Query) -> tuple[Word, ...]:
    """The tokens of the text in order, without comments."""
    return _words(query.text, query.dialect)


@lru_cache(maxsize=4)
def _words(text: str, dialect: str) -> tuple[Word, ...]:
    """The checks of one draft ask for its words again and again."""
    return tuple(
        Word(text[token.start : token.end + 1].upper(), token.start, token.end + 1)
        for token in tokens(text, dialect)
    )


def comments(query: Query, place: tuple[int, int], kept: Iterable[tuple[int, int]] = ()) -> str:
    """The comments of a stretch that lie outside all `kept` stretches, each behind a blank.

    As they are written; they may stand between any two tokens. "" where there are none.
    """
    begins = [0, *(word.end for word in words(query))]
    ends = [*(word.start for word in words(query)), len(query.text)]
    stretches, found = list(kept), ""
    for start, end in zip(begins, ends, strict=True):
        inside = place[0] <= start and end <= place[1]
        text = query.text[start:end].strip() if inside else ""
        if text and not any(first <= start and end <= last for first, last in stretches):
            found += f" {text}" + ("\n" if "--" in text else "")
    return found


def after_blanks(query: Query, start: int) -> int:
    """Where the blanks before a place begin; the place itself where a comment stands before it.

    What is deleted from there on leaves no gap, and nothing behind it becomes a part of a comment.
    """
    before = max((word.end for word in words(query) if word.end <= start), default=0)
    return start if query.text[before:start].strip() else before


def extent(query: Query, node: exp.Expr) -> tuple[int, int] | None:
    """The (start, end) characters of an expression, brackets and function names included.

    None where no stretch of tokens around it reads as that expression (then nothing may be
    replaced).
    """
    start, end = query.span(node)
    tokens = words(query)
    inside = [index for index, word in enumerate(tokens) if word.end > start and word.start < end]
    if not inside:
        return None
    for first, last in _widened(inside[0], inside[-1], len(tokens)):
        place = tokens[first].start, tokens[last].end
        if _balanced(tokens[first : last + 1]) and _reads_as(query, place, node):
            return place
    return None


def _widened(first: int, last: int, count: int) -> Iterator[tuple[int, int]]:
    """The narrowest stretches first."""
    for more in range(MOST_WIDENINGS):
        for left in range(more + 1):
            if first - left >= 0 and last + more - left < count:
                yield first - left, last + more - left


def _balanced(tokens: tuple[Word, ...]) -> bool:
    depth = 0
    for word in tokens:
        depth += (word.text == "(") - (word.text == ")")
        if depth < 0:
            return False
    return depth == 0


def _reads_as(query: Query, place: tuple[int, int], node: exp.Expr) -> bool:
    from sqlglot.errors import SqlglotError

    try:
        read = trees(query.text[place[0] : place[1]], query.dialect)
    except SqlglotError:
        return False
    return read == [node]
