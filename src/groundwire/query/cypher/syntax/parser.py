"""From text to tree: statements, and what happens behind a syntax error."""

from __future__ import annotations

from groundwire.query.cypher import ast
from groundwire.query.cypher.syntax.clauses import ClauseParser
from groundwire.query.cypher.syntax.cursor import MAX_DEPTH, Failure
from groundwire.query.cypher.syntax.starts import CLAUSE_STARTS
from groundwire.query.cypher.tokens import NAMES, Tokens, tokenize
from groundwire.query.problem import Problem

__all__ = ["parse_statements"]

_MAX_PROBLEMS = 20
_QUERY_ENDS = CLAUSE_STARTS | {"UNION", ";", "EOF"}


def parse_statements(text: str) -> tuple[tuple[ast.Statement, ...], list[Problem]]:
    """The statements of a text and its syntax errors, in the order of the text."""
    tokens = tokenize(text)
    parser = StatementParser(text, tokens)
    if tokens.bad_escape is not None:
        sentence = "`\\u` must be followed by four hexadecimal digits."
        parser.problems.append(
            Problem.at(text, tokens.bad_escape, sentence, "four hexadecimal digits")
        )
    statements = parser.statements()
    parser.report_numbers()
    return statements, parser.problems


class StatementParser(ClauseParser):
    """Reads whole texts, and reads on at the next clause when one is broken."""

    def __init__(self, text: str, tokens: Tokens) -> None:
        super().__init__(tokens)
        self.text = text
        self.problems: list[Problem] = []

    def statements(self) -> tuple[ast.Statement, ...]:
        """Statements with `;` between them."""
        statements: list[ast.Statement] = []
        while True:
            if self.kinds[self.index] == "EOF":
                if not statements:
                    self.report(self.fail("a query"))
                return tuple(statements)
            statements.append(self.statement())
            self.accept(";")

    def statement(self) -> ast.Statement:
        first = self.index
        prefix = self.prefix()
        branches: list[ast.SingleQuery] = []
        unions: list[ast.Span] = []
        union_all: list[bool] = []
        start = self.index
        while True:
            branches.append(self.branch())
            if self.kinds[self.index] != "UNION":
                break
            unions.append(self.token_span(self.index))
            union_all.append(self.union())
        query = ast.RegularQuery(self.span(start), tuple(branches), tuple(union_all), tuple(unions))
        return ast.Statement(self.span(first), prefix, query)

    def prefix(self) -> tuple[str, ...]:
        """`EXPLAIN`, `PROFILE`, `CYPHER 5 planner=cost` before the query."""
        words: list[str] = []
        while True:
            first = self.index
            if self.accept("EXPLAIN") or self.accept("PROFILE"):
                words.append(self.texts[first].upper())
            elif self.word("CYPHER"):
                while self.kinds[self.index] in ("INTEGER", "FLOAT") or (
                    self.kinds[self.index + 1 : self.index + 2] == ["="]
                ):
                    self.index += 3 if self.kinds[self.index + 1] == "=" else 1
                words.append(" ".join(self.texts[first : self.index]))
            else:
                return tuple(words)

    def branch(self) -> ast.SingleQuery:
        """One branch of a UNION, with everything up to the next UNION, `;` or end."""
        first = self.index
        clauses: list[ast.Clause] = []
        kinds = self.kinds
        while True:
            if kinds[self.index] in CLAUSE_STARTS or not clauses:
                clauses.append(self.recovering_clause())
            elif kinds[self.index] in ("UNION", ";", "EOF"):
                return ast.SingleQuery(self.span(first), tuple(clauses))
            else:
                clauses.append(self.recover(self.index, self.fail("a clause or the end")))

    def recovering_clause(self) -> ast.Clause:
        if self.depth:  # inside a subquery the clause around it is the broken one
            return self.clause()
        first = self.index
        self.parts = []
        try:
            return self.clause()
        except Failure as failure:
            return self.recover(first, failure)

    def recover(self, first: int, failure: Failure) -> ast.Broken:
        """Report the failure and skip to where the next clause seems to start."""
        self.report(failure)
        self.depth = 0
        self.furthest = None
        self.too_deep = self.bar_ends_labels = False
        index = max(failure.index, first)
        while self.kinds[index] not in _QUERY_ENDS or self.kinds[index - 1] in (".", ":", "|", "$"):
            if self.kinds[index] == "EOF":
                break
            index += 1
        if index == first:  # a clause that fails on its first word would fail there again
            index += self.kinds[index] not in ("EOF", ";", "UNION")
        self.index = index
        parts = tuple(self.parts)
        self.parts = []
        keyword = self.texts[first].upper() if self.kinds[first] in NAMES else ""
        last = max(index - 1, first)
        return ast.Broken((self.starts[first], self.ends[last]), keyword, parts)

    def report(self, failure: Failure) -> None:
        """Note a syntax error at the furthest token that any alternative reached."""
        if self.furthest is not None and self.furthest.index > failure.index:
            failure = self.furthest
        if len(self.problems) < _MAX_PROBLEMS:
            index = failure.index
            sentence = self.sentence(index, failure.expected)
            self.problems.append(
                Problem.at(self.text, self.starts[index], sentence, failure.expected)
            )

    def sentence(self, index: int, expected: str) -> str:
        if self.too_deep:
            return f"The query nests deeper than {MAX_DEPTH} levels."
        kind, found = self.kinds[index], self.texts[index]
        if kind == "UNCLOSED" and found[0] == "/":
            return "A comment that starts with `/*` has no closing `*/`."
        if kind == "UNCLOSED":
            return f"What starts with {found[0]} has no closing {found[0]}."
        if kind == "EOF":
            return f"The query ends where {expected} was expected."
        if len(found) > 40:
            found = found[:40] + "…"
        return f"Found `{found}` where {expected} was expected."

    def report_numbers(self) -> None:
        for index, sentence in self.number_problems:
            self.problems.append(Problem.at(self.text, self.starts[index], sentence, "a number"))
        self.problems.sort(key=lambda problem: problem.offset)
