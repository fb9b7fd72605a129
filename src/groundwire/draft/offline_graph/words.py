"""A question while it is being read: its tokens and what they may name in the graph."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from datetime import date
from functools import wraps
from typing import Any, Concatenate, ParamSpec, TypeVar, cast

from groundwire.database.graph_catalog import GraphCatalog, Property
from groundwire.draft.offline.tokens import Token
from groundwire.draft.offline_graph.lexicon import GraphLexicon
from groundwire.draft.offline_graph.plan import Role
from groundwire.draft.offline_graph.values import Stored
from groundwire.draft.offline_graph.verbs import root
from groundwire.draft.offline_graph.vocabulary import phrases

__all__ = ["DETERMINERS", "TooManyReadings", "Words", "remembered"]

DETERMINERS = phrases("determiners")
_LONGEST_NAME = 4
_MOST_READINGS = 100

T = TypeVar("T")
P = ParamSpec("P")


@dataclass
class Words:
    """Tokens with the lexicon and the stored values. Positions count tokens."""

    tokens: tuple[Token, ...]
    lexicon: GraphLexicon
    today: date
    values: dict[int, list[Stored]] = field(default_factory=dict)
    memory: dict[Any, Any] = field(default_factory=dict)

    def __len__(self) -> int:
        return len(self.tokens)

    @property
    def catalog(self) -> GraphCatalog:
        """The graph's catalog."""
        return self.lexicon.catalog

    def word(self, position: int) -> str:
        """The folded word; "" outside and for quoted text, which is never grammar."""
        if 0 <= position < len(self.tokens) and not self.tokens[position].quoted:
            return self.tokens[position].word
        return ""

    def root(self, position: int) -> str:
        """The root of the word as a verb."""
        return root(self.word(position))

    def number(self, position: int) -> int | float | None:
        """The value of a number that stands there."""
        known = 0 <= position < len(self.tokens) and not self.tokens[position].quoted
        return self.tokens[position].number if known else None

    def phrases(self, position: int) -> Iterator[tuple[str, int]]:
        """The phrases (in stems) that begin at a position, the longest first, with their ends."""
        last = min(position + _LONGEST_NAME, len(self.tokens))
        for end in range(last, position, -1):
            part = self.tokens[position:end]
            if not any(token.quoted for token in part):
                yield " ".join(token.stem for token in part), end

    def nouns(self, position: int) -> Iterator[tuple[str, Role | None, int]]:
        """(label, role of an agent noun, end) for the longest noun at a position."""
        for phrase, end in self.phrases(position):
            labels = self.lexicon.labels.get(phrase, [])
            roles = self.lexicon.roles.get(phrase, [])
            yield from ((label, None, end) for label in labels)
            if not labels:
                yield from ((label, role, end) for label, role in roles)
            if labels or roles:
                return

    def properties(self, position: int, label: str) -> Iterator[tuple[Property, int]]:
        """The properties of a label that the longest phrase at a position names."""
        for phrase, end in self.phrases(position):
            found = self.lexicon.properties(label, phrase)
            if found:
                yield from ((known, end) for known in found)
                return

    def stored(self, position: int, label: str = "") -> Iterator[Stored]:
        """Stored values that begin at a position; only the longest text counts."""
        options = self.values.get(position, ())
        longest = max((s.end for s in options), default=0)
        yield from (s for s in options if s.end == longest and label in ("", s.label))


class TooManyReadings(Exception):
    """One phrase may be read in more ways than are worth telling apart."""


def remembered(
    function: Callable[Concatenate[Words, int, P], Iterator[tuple[T, int]]],
) -> Callable[Concatenate[Words, int, P], list[tuple[T, int]]]:
    """Make a generator of readings one that works once a place: (reading, end), each once.

    Raises:
        TooManyReadings: when called.
    """

    @wraps(function)
    def known(
        words: Words, position: int, *args: P.args, **kwargs: P.kwargs
    ) -> list[tuple[T, int]]:
        key = (function, position, args)
        if key not in words.memory:
            words.memory[key] = []
            words.memory[key] = list(dict.fromkeys(function(words, position, *args, **kwargs)))
            if len(words.memory[key]) > _MOST_READINGS:
                raise TooManyReadings
        found: list[tuple[T, int]] = words.memory[key]
        return found

    return cast(Callable[Concatenate[Words, int, P], list[tuple[T, int]]], known)
