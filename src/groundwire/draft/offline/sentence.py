"""A question while it is being read: its words, its mentions, and the memory of the grammar.

A rule of the grammar is a function `(sentence, position, …) → [(phrase, end), …]`: all ways to
read a phrase that begins at the position. Nothing is skipped: what no rule consumes makes the
whole reading fail, which is how every word of a question is accounted for.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from datetime import date
from functools import wraps
from typing import Any, Concatenate, ParamSpec, TypeVar, cast

from groundwire.draft.offline.mentions import Mention, MentionKind, Mentions
from groundwire.draft.offline.tokens import Token
from groundwire.draft.offline.vocabulary import words

__all__ = ["Found", "Sentence", "rule"]


_VERBS = words("verbs of happening")


T = TypeVar("T")
P = ParamSpec("P")
Found = list[tuple[T, int]]


@dataclass
class Sentence:
    """Tokens and mentions of one question, and what the rules found so far.

    `place` is the name of what all the data is about (`chicago`): `in Chicago` says nothing.
    `verbs` are the words of the tables' names: `conducted` relates to a table of conductors.
    """

    tokens: tuple[Token, ...]
    mentions: Mentions
    today: date
    place: str = ""
    verbs: frozenset[str] = frozenset()
    memory: dict[Any, Any] = field(default_factory=dict)

    def __len__(self) -> int:
        return len(self.tokens)

    def word(self, position: int) -> str:
        """The folded word; "" outside and for quoted text, which is never grammar."""
        if 0 <= position < len(self.tokens) and not self.tokens[position].quoted:
            return self.tokens[position].word
        return ""

    def token(self, position: int) -> Token | None:
        """The token, None past the end."""
        return self.tokens[position] if 0 <= position < len(self.tokens) else None

    def columns(self, position: int) -> list[Mention]:
        """Columns named by a noun; `happened` may stand for a date column, never for a thing."""
        return [m for m in self.found(position, "column") if self.word(position) not in _VERBS]

    def is_relation_verb(self, position: int) -> bool:
        """Whether the word is a verb made from the name of a table."""
        word = self.word(position)
        if len(word) < 6 or not word.endswith(("ed", "ing", "s")):
            return False
        root = word.removesuffix("ed").removesuffix("ing").removesuffix("s")
        return len(root) >= 4 and any(verb.startswith(root) for verb in self.verbs)

    def number(self, position: int) -> int | float | None:
        """The value of a number that stands there."""
        token = self.token(position)
        return token.number if token and not token.quoted else None

    def found(self, position: int, kind: MentionKind) -> list[Mention]:
        """Mentions of a kind that begin there, the longest first."""
        return self.mentions[position][kind] if position in self.mentions else []


def rule(
    function: Callable[Concatenate[Sentence, int, P], Iterator[tuple[T, int]]],
) -> Callable[Concatenate[Sentence, int, P], Found[T]]:
    """Make a generator of readings a rule that is worked out once per place."""

    @wraps(function)
    def remembered(
        sentence: Sentence, position: int, *args: P.args, **kwargs: P.kwargs
    ) -> Found[T]:
        key = (function, position, args, tuple(kwargs.items()))
        if key not in sentence.memory:
            sentence.memory[key] = []
            sentence.memory[key] = list(function(sentence, position, *args, **kwargs))
        found: Found[T] = sentence.memory[key]
        return found

    return cast(Callable[Concatenate[Sentence, int, P], Found[T]], remembered)
