"""The place in the token list, and what happens where the tokens stop making sense."""

from __future__ import annotations

from groundwire.query.cypher import ast
from groundwire.query.cypher.tokens import NAMES, Tokens, name_value

__all__ = ["MAX_DEPTH", "SUBQUERY_LEVELS", "Cursor", "Failure"]

MAX_DEPTH = 100
"""How deep brackets, subqueries and the like may nest.

Far more than any written query needs, and low enough to stay well inside Python's default limit of
1,000 frames when the parser is called from deep inside a program.
"""


SUBQUERY_LEVELS = 4
"""A subquery counts as so many levels: reading one takes that many more frames."""


class Failure(Exception):
    """The token at `index` cannot stand there; never leaves this package."""

    def __init__(self, index: int, expected: str) -> None:
        super().__init__(index, expected)
        self.index = index
        self.expected = expected


class Cursor:
    """Reads tokens from left to right.

    An alternative that was tried and given up leaves its failure in `furthest`: if the text makes
    no sense in the end, the place that was reached by any alternative is the one to report, as
    Neo4j's parser does.
    """

    def __init__(self, tokens: Tokens) -> None:
        self.tokens = tokens
        self.kinds = tokens.kinds
        self.texts = tokens.texts
        self.starts = tokens.starts
        self.ends = tokens.ends
        self.index = 0
        self.depth = 0
        self.furthest: Failure | None = None
        self.too_deep = False
        self.bar_ends_labels = False
        # Places where an alternative is known to fail, or a bar to end labels: a nested text is
        # not read again and again.
        self.dead_ends: set[int] = set()
        self.bars_end_labels_at: set[int] = set()
        self.parts: list[ast.Node] = []
        self.number_problems: list[tuple[int, str]] = []

    def fail(self, expected: str) -> Failure:
        """The failure at the present token; the caller raises it."""
        return Failure(self.index, expected)

    def expect(self, kind: str) -> None:
        """Step over a token of this kind."""
        if self.kinds[self.index] != kind:
            raise Failure(self.index, f"'{kind}'")
        self.index += 1

    def accept(self, kind: str) -> bool:
        """Step over a token if it is of this kind."""
        if self.kinds[self.index] == kind:
            self.index += 1
            return True
        return False

    def word(self, *words: str) -> bool:
        """Step over a word that is no keyword of the tokenizer, in any case."""
        if self.texts[self.index].upper() in words:
            self.index += 1
            return True
        return False

    def span(self, first: int) -> ast.Span:
        """From the token `first` to the one that was read last; empty where none was read."""
        start = self.starts[first]
        return (start, self.ends[self.index - 1] if self.index > first else start)

    def token_span(self, index: int) -> ast.Span:
        """The place of one token."""
        return (self.starts[index], self.ends[index])

    def variable(self, expected: str = "a variable name") -> ast.Variable:
        """A variable."""
        index = self.index
        if self.kinds[index] not in NAMES:
            raise Failure(index, expected)
        self.index = index + 1
        return ast.Variable((self.starts[index], self.ends[index]), name_value(self.texts[index]))

    def name(self, expected: str = "an identifier") -> ast.Name:
        """A property key or the like."""
        index = self.index
        if self.kinds[index] not in NAMES:
            raise Failure(index, expected)
        self.index = index + 1
        return ast.Name((self.starts[index], self.ends[index]), name_value(self.texts[index]))

    def dotted_name(self) -> str:
        """A name with a namespace, `apoc.text.join`."""
        parts = [self.name().value]
        while self.accept("."):
            parts.append(self.name().value)
        return ".".join(parts)

    def enter(self, levels: int = 1) -> None:
        """Go deeper; the caller takes the levels off `self.depth` when all went well."""
        self.depth += levels
        if self.depth > MAX_DEPTH:
            self.too_deep = True
            raise Failure(self.index, f"at most {MAX_DEPTH} nested levels")

    def remember(self, failure: Failure) -> None:
        """Keep the failure of an alternative that is given up, if it reached further."""
        if self.furthest is None or failure.index > self.furthest.index:
            self.furthest = failure
