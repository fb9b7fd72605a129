"""PostgreSQL's own grammar where sqlglot's does not reach: operators of any name, and a few forms.

PostgreSQL takes the longest run of operator characters as one operator, whoever has defined it
(manual, 4.1.3 Operators). sqlglot knows the operators of the system by name and would read
`a <% b` as a comparison with a placeholder.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, ClassVar

from sqlglot import Token, TokenType, exp
from sqlglot.dialects.dialect import Dialect
from sqlglot.parsers.postgres import PostgresParser

from groundwire.query.sql.operators import is_operator, trimmed
from groundwire.query.sql.tree import tokens

__all__ = ["parse_postgres"]

ONE_TOKEN = {
    *(TokenType.DPIPE, TokenType.FARROW),
    *PostgresParser.BITWISE,
    *PostgresParser.COMPARISON,
    *PostgresParser.EQUALITY,
    *PostgresParser.EXPONENT,
    *PostgresParser.FACTOR,
    *PostgresParser.JSON_OPERATORS,
    *PostgresParser.RANGE_PARSERS,
    *PostgresParser.TERM,
    *PostgresParser.UNARY_PARSERS,
} - {TokenType.NULLSAFE_EQ, TokenType.GLOB}
SEVERAL_TOKENS = frozenset({"<<", ">>", "!~", "!~*", "!~~", "!~~*"})
"""The operators that sqlglot reads as PostgreSQL does."""
FORMS = ("NFC", "NFD", "NFKC", "NFKD")


def parse_postgres(text: str) -> list[exp.Expr | None]:
    """The trees of a PostgreSQL text, one a statement; raises as `sqlglot.parse`."""
    dialect = Dialect.get_or_raise("postgres")
    read = list(tokens(text, "postgres"))
    if any(token.comments for token in read):  # they become a part of the tree, which may change
        read = dialect.tokenize(text)
    return _Parser(dialect=dialect).parse(list(_plain(_whole_operators(text, read))), text)


def _whole_operators(text: str, tokens: list[Token]) -> Iterator[Token]:
    """The tokens, with one of the type OPERATOR for an operator that sqlglot does not know."""
    place = 0
    while place < len(tokens):
        end = place + 1
        if is_operator(text, tokens[place]):
            while end < len(tokens) and tokens[end].start == tokens[end - 1].end + 1:
                if not is_operator(text, tokens[end]):
                    break
                end += 1
            yield from _operator(text, tokens[place:end])
        else:
            yield tokens[place]
        place = end


def _operator(text: str, run: list[Token]) -> Iterator[Token]:
    """The tokens of operator characters that adjoin, those of one operator as one token."""
    first = run[0]
    name = trimmed(text[first.start : run[-1].end + 1])
    parts = [token for token in run if token.end < first.start + len(name)]
    known = name in SEVERAL_TOKENS if len(parts) > 1 else first.token_type in ONE_TOKEN
    if known:
        yield from run
        return
    comments = [comment for token in parts for comment in token.comments]
    end = parts[-1]
    yield Token(TokenType.OPERATOR, name, first.line, end.col, first.start, end.end, comments)
    yield from run[len(parts) :]


def _plain(tokens: Iterator[Token]) -> Iterator[Token]:
    """Words that are no keywords where they stand: `ONLY (a)` is `ONLY a`, `::cube` a type."""
    read = list(tokens)
    skipped: set[int] = set()
    for place, token in enumerate(read):
        if token.token_type is TokenType.ONLY:
            skipped |= _brackets_of_only(read, place + 1)
        called = _at(read, place + 1, TokenType.L_PAREN)
        cast = _at(read, place - 1, TokenType.DCOLON)
        if token.token_type is TokenType.CUBE and (cast or not called):
            read[place] = _named(token)
    return (token for place, token in enumerate(read) if place not in skipped)


def _brackets_of_only(tokens: list[Token], place: int) -> set[int]:
    if not _at(tokens, place, TokenType.L_PAREN):
        return set()
    end = place + 2
    while _at(tokens, end, TokenType.DOT):
        end += 2
    return {place, end} if _at(tokens, end, TokenType.R_PAREN) else set()


def _at(tokens: list[Token], place: int, kind: TokenType) -> bool:
    return 0 <= place < len(tokens) and tokens[place].token_type is kind


def _named(token: Token) -> Token:
    return Token(
        TokenType.VAR, token.text, token.line, token.col, token.start, token.end, token.comments
    )


class _Parser(PostgresParser):
    """sqlglot's parser with the forms that it lacks."""

    FUNC_TOKENS: ClassVar = PostgresParser.FUNC_TOKENS | {TokenType.CUBE}
    UNARY_PARSERS: ClassVar = {
        **PostgresParser.UNARY_PARSERS,
        **dict.fromkeys(
            (TokenType.OPERATOR, TokenType.DAT, TokenType.HASH, TokenType.QMARK_PIPE),
            lambda self: self._parse_prefix(),
        ),
    }

    def _parse_type(self, *arguments: Any, **options: Any) -> exp.Expr | None:
        """`cube '(1, 2)'`: a constant of a type that users or extensions made."""
        if self._curr.token_type is TokenType.VAR and self._next.token_type is TokenType.STRING:
            kind = exp.DataType(this=exp.DType.USERDEFINED, kind=self._parse_id_var())
            return self.expression(exp.Cast(this=self._parse_primary(), to=kind))
        return super()._parse_type(*arguments, **options)

    def _parse_prefix(self) -> exp.Expr | None:
        """An operator before its one operand, whose left one is left out in the tree too."""
        name, nothing = self._prev.text, exp.Var(this="")
        if name.upper() == "OPERATOR":
            return self._parse_operator(nothing)
        right = self._parse_unary()
        return self.expression(exp.Operator(this=nothing, operator=name, expression=right))

    def _parse_operator(self, this: exp.Expr | None) -> exp.Expr | None:
        name = self._prev.text
        if name.upper() == "OPERATOR":
            return super()._parse_operator(this)
        right = self._parse_bitwise()
        return self.expression(exp.Operator(this=this, operator=name, expression=right))

    def _parse_is_rhs(self, distinct: bool = False) -> exp.Expr | None:
        start = self._index
        form = self._match_texts(FORMS) and self._prev.text.upper()
        if not distinct and self._match_text_seq("NORMALIZED"):
            return exp.var(f"{form} NORMALIZED" if form else "NORMALIZED")
        self._retreat(start)
        return super()._parse_is_rhs(distinct)

    def _parse_join(self, *arguments: Any, **options: Any) -> exp.Join | None:
        join = super()._parse_join(*arguments, **options)
        if join is not None and join.args.get("using") and self._match(TokenType.ALIAS):
            join.set("alias", exp.TableAlias(this=self._parse_id_var()))
        return join

    def _parse_recursive_with_search(self) -> exp.RecursiveWithSearch | None:
        """SEARCH and CYCLE go by several columns; sqlglot takes one."""
        start = self._index
        kind = "CYCLE" if self._match_text_seq("CYCLE") else ""
        if self._match_text_seq("SEARCH") and self._match_texts(("DEPTH", "BREADTH")):
            kind = self._prev.text.upper()
            self._match_text_seq("FIRST", "BY")
        columns = self._parse_csv(self._parse_id_var) if kind else []
        if len(columns) < 2:
            self._retreat(start)
            return super()._parse_recursive_with_search()
        self._match_text_seq("SET")
        return self.expression(
            exp.RecursiveWithSearch(
                kind=kind,
                this=exp.var(", ".join(column.sql("postgres") for column in columns)),
                expression=self._parse_id_var(),
                to=self._match_text_seq("TO") and self._parse_bitwise(),
                default=self._match(TokenType.DEFAULT) and self._parse_bitwise(),
                using=self._match(TokenType.USING) and self._parse_id_var(),
            )
        )
