"""How many rows a query has, asked as a query of its own."""

from __future__ import annotations

from groundwire.query.sql.parse import Query

__all__ = ["count_text"]


def count_text(query: Query) -> str:
    """A statement that counts the rows of an admitted query, whose text stays as it is."""
    from sqlglot import TokenType
    from sqlglot.dialects.dialect import Dialect

    text = query.text
    tokens = Dialect.get_or_raise(query.dialect).tokenize(text)
    while tokens and tokens[-1].token_type is TokenType.SEMICOLON:
        text = text[: tokens[-1].start] + " " + text[tokens[-1].end + 1 :]
        tokens.pop()
    # On lines of its own, so that a comment at the end of the query hides nothing.
    return f"SELECT count(*) FROM (\n{text}\n) AS counted"
