"""Read-only admission of SQL: one statement, built only of what reads.

An allow-list over sqlglot's tree, in every position: kinds of nodes that write, lock, define or
are not understood are refused; functions are judged by the database itself
(`CanJudgeFunctions`). No regular expression decides anything. The read-only session underneath
(`Database.execute`) is the second wall.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from groundwire.database.base import CanJudgeFunctions, SqlDatabase
from groundwire.guard.findings import Evidence, Finding
from groundwire.guard.mentions import mentions
from groundwire.query.sql import Query
from groundwire.query.sql.tree import tokens, walk

if TYPE_CHECKING:
    from sqlglot import exp

__all__ = ["CODE", "read_only"]

CODE = "NOT_READ_ONLY"
LONGEST_TEXT = 1_000_000
"""Characters that a query may build with one constant; no answer needs more."""


def read_only(query: Query, database: SqlDatabase) -> list[Finding]:
    """Why a parsed text is not one statement that only reads; nothing when it is."""
    if len(query.statements) > 1:
        span = query.span(query.statements[1])
        return [_finding(query, span, f"The text holds {len(query.statements)} statements.")]
    nodes = walk(query.statements[0])
    return [
        *_forbidden_nodes(query, nodes),
        *_escaped_names(query),
        *_forbidden_functions(query, database),
        *_huge_texts(query, nodes),
    ]


def _forbidden_nodes(query: Query, nodes: tuple[exp.Expr, ...]) -> Iterator[Finding]:
    from sqlglot import exp

    statement = query.statements[0]
    forbidden = (
        *(exp.DML, exp.DDL, exp.Command, exp.Into, exp.Lock, exp.Set, exp.Copy, exp.Use),
        *(exp.Describe, exp.Summarize, exp.Show, exp.Pragma),
    )
    if not isinstance(statement, exp.Query | exp.Values):
        kind = _kind(statement)
        whole = (0, len(query.text))
        yield _finding(query, whole, f"{kind} is not a query that only reads.")
        return
    for node in nodes:
        if isinstance(node, forbidden) and not isinstance(node, exp.Query):
            reason = f"{_kind(node)} inside a query does more than read."
            yield _finding(query, query.span(node), reason)


def _forbidden_functions(query: Query, database: SqlDatabase) -> Iterator[Finding]:
    if not isinstance(database, CanJudgeFunctions):
        return
    mentioned = list(mentions(query))
    reasons = database.unsafe({mention for mention, _ in mentioned})
    for mention, span in mentioned:
        if mention in reasons:
            kind = "function" if mention.kind == "field" else mention.kind
            sentence = f"The {kind} {mention.name} is not allowed: {reasons[mention]}"
            yield _finding(query, span, sentence)


def _escaped_names(query: Query) -> Iterator[Finding]:
    """`U&"…"`: PostgreSQL decodes such a name, and the parser does not."""
    for token in tokens(query.text, query.dialect):
        start, end = token.start - 2, token.end + 1
        if query.text[max(start, 0) : token.start + 1].upper() == 'U&"':
            reason = "A name in Unicode escapes hides which one it is."
            yield _finding(query, (start, end), reason)


def _huge_texts(query: Query, nodes: tuple[exp.Expr, ...]) -> Iterator[Finding]:
    """A constant that makes one value fill the memory of the server and of the reader."""
    from sqlglot import exp

    def written(node: exp.Expr) -> int:
        from sqlglot.optimizer.simplify import simplify

        length = node.args.get("times") or node.args.get("expression") or node.this
        size = simplify(length.copy(), dialect=query.dialect) if length is not None else None
        return int(size.name) if isinstance(size, exp.Literal) and size.is_int else 1

    for node in nodes:
        if not isinstance(node, exp.Repeat | exp.Pad | exp.Space):
            continue
        size, outer = written(node), node.find_ancestor(exp.Repeat)
        while outer is not None:
            size, outer = size * max(written(outer), 1), outer.find_ancestor(exp.Repeat)
        if size > LONGEST_TEXT:
            reason = f"{_kind(node)} would build a text of {size:,} characters."
            yield _finding(query, query.span(node), reason)


def _kind(node: exp.Expr) -> str:
    if node.key == "command":
        return str(node.this).upper()
    return {"into": "SELECT INTO", "lock": "FOR UPDATE or FOR SHARE"}.get(
        node.key, node.key.upper()
    )


def _finding(query: Query, span: tuple[int, int], reason: str) -> Finding:
    return Finding(
        code=CODE,
        check="read_only",
        severity="fault",
        span=span,
        message=reason,
        evidence=(
            Evidence(sentence=f"The text there is {query.text[span[0] : span[1]][:200]!r}."),
        ),
        action="refused",
    )
