"""Everything in a SQL text that may stand for a call of a function, with its place.

Read from the tokens: a tree shows no call in `(row).f`, in an alias with columns, in a typed
literal. More is mentioned than is meant; the database says what its names hide.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

from groundwire.database.base import Mention
from groundwire.query.sql import Query
from groundwire.query.sql.operators import is_operator, trimmed
from groundwire.query.sql.reserved import reserved_words
from groundwire.query.sql.tree import tokens, walk

if TYPE_CHECKING:
    from sqlglot import Token

__all__ = ["mentions"]

Span = tuple[int, int]
WORD_OPERATORS = {
    "LIKE": ("~~", "!~~"),
    "ILIKE": ("~~*", "!~~*"),
    "SIMILAR": ("~", "!~"),
    "BETWEEN": (">=", "<=", "<", ">"),
    **dict.fromkeys(("IN", "CASE", "NULLIF", "USING", "NATURAL", "DISTINCT"), ("=", "<>")),
}
"""The operators that PostgreSQL runs for a word (its grammar, gram.y: `a_expr`)."""


def mentions(query: Query) -> Iterator[tuple[Mention, Span]]:
    """Every mention of a text that parsed, in the order of the text, tables last."""
    read = tokens(query.text, query.dialect)
    yield from _names(query.text, read)
    yield from _operators(query.text, read)
    yield from _tables(query)


def _names(text: str, tokens: Sequence[Token]) -> Iterator[tuple[Mention, Span]]:
    from sqlglot import TokenType

    literals = {TokenType.STRING, TokenType.NUMBER}
    closing = {TokenType.R_PAREN, TokenType.R_BRACKET}
    for position, token in enumerate(tokens):
        if token.token_type in literals or not _is_name(text, token):
            continue
        before, after = _at(tokens, position - 1), _at(tokens, position + 1)
        name, span = _folded(text, token), (token.start, token.end + 1)
        is_call = after is not None and after.token_type is TokenType.L_PAREN
        is_field = before is not None and before.token_type is TokenType.DOT
        front = _at(tokens, position - 2) if is_field else None
        if is_call or (front is not None and front.token_type in closing):
            yield Mention("function", name), span
        elif is_field:
            yield Mention("field", name), span
        quoted = text[token.start] == '"'
        if is_call or ((quoted or not _is_reserved(token.text)) and _may_be_type(tokens, position)):
            yield Mention("type", name), span


def _may_be_type(tokens: Sequence[Token], position: int) -> bool:
    """A type stands behind `::`, `AS` or a name (a column definition), or before a string."""
    from sqlglot import TokenType

    after = _at(tokens, position + 1)
    if after is not None and after.token_type is TokenType.STRING:
        return True
    while (dot := _at(tokens, position - 1)) is not None and dot.token_type is TokenType.DOT:
        position -= 2
    before = _at(tokens, position - 1)
    if before is None or before.token_type is TokenType.STRING:
        return False
    if before.token_type is TokenType.DCOLON or before.text.upper() == "RETURNING":
        return True
    if before.token_type is TokenType.ALIAS:
        ends = {TokenType.R_PAREN, TokenType.L_PAREN, TokenType.L_BRACKET, TokenType.DOT}
        return after is not None and after.token_type in ends
    return before.text[:1].isidentifier() and not _is_reserved(before.text)


def _is_reserved(word: str) -> bool:
    return word.upper() == "BY" or word.upper() in reserved_words()


def _operators(text: str, tokens: Sequence[Token]) -> Iterator[tuple[Mention, Span]]:
    """Adjoining operator characters are one operator, as PostgreSQL's lexer has it."""
    start = end = 0
    for token in tokens:
        if is_operator(text, token):
            if token.start != end:
                yield from _operator(text, start, end)
                start = token.start
            end = token.end + 1
        for name in WORD_OPERATORS.get(token.text.upper(), ()):
            yield Mention("operator", name), (token.start, token.end + 1)
    yield from _operator(text, start, end)


def _operator(text: str, start: int, end: int) -> Iterator[tuple[Mention, Span]]:
    if start < end:
        shortest = start + len(trimmed(text[start:end]))
        for stop in range(end, shortest - 1, -1):
            yield Mention("operator", text[start:stop]), (start, stop)


def _tables(query: Query) -> Iterator[tuple[Mention, Span]]:
    from sqlglot import exp

    for node in walk(query.statements[0]):
        if isinstance(node, exp.Table) and isinstance(node.this, exp.Identifier):
            schema = node.args.get("db")
            written = _stored(schema) if isinstance(schema, exp.Identifier) else ""
            yield Mention("table", _stored(node.this), written), query.span(node.this)


def _stored(identifier: object) -> str:
    from sqlglot import exp

    assert isinstance(identifier, exp.Identifier)
    return identifier.name if identifier.args.get("quoted") else _lower(identifier.name)


def _is_name(text: str, token: Token) -> bool:
    return text[token.start] == '"' or token.text[:1].isidentifier()


def _folded(text: str, token: Token) -> str:
    return token.text if text[token.start] == '"' else _lower(token.text)


def _lower(name: str) -> str:
    """As PostgreSQL folds in UTF-8: the letters A to Z only."""
    return "".join(c.lower() if c.isascii() else c for c in name)


def _at(tokens: Sequence[Token], position: int) -> Token | None:
    return tokens[position] if 0 <= position < len(tokens) else None
