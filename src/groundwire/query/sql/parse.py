"""Reading SQL: sqlglot's tree, with the character span of every name and literal."""

from __future__ import annotations

import logging
from dataclasses import dataclass
from typing import TYPE_CHECKING

from groundwire.query.problem import Problem
from groundwire.query.sql.tree import below

if TYPE_CHECKING:
    from sqlglot import exp
    from sqlglot.errors import ParseError

__all__ = ["Query", "parse", "trees"]

DEEPEST = 250
"""Levels of a tree that is read: who walks it may take three of Python's 1000 calls a level."""
LONGEST = 100_000
"""Characters of a text that is read: a list of 50,000 numbers takes tens of seconds to judge."""


@dataclass(frozen=True, slots=True)
class Query:
    """A SQL text and its structure.

    `statements` are sqlglot trees, one a statement, empty where nothing could be read. `errors`
    say what could not be read.
    """

    text: str
    dialect: str
    statements: tuple[exp.Expr, ...]
    errors: tuple[Problem, ...] = ()

    @property
    def ok(self) -> bool:
        """The whole text could be read."""
        return not self.errors

    def span(self, node: exp.Expr) -> tuple[int, int]:
        """The (start, end) characters from the first to the last token known below a node.

        Names and literals carry their place; a node above them spans what they span. A node
        without any spans the whole text.
        """
        places = [
            (part.meta["start"], part.meta["end"] + 1)
            for part in node.walk()
            if "start" in part.meta
        ]
        if not places:
            return (0, len(self.text))
        return min(start for start, _ in places), max(end for _, end in places)

    def written(self, node: exp.Expr) -> str:
        """The characters of the text that a node spans."""
        start, end = self.span(node)
        return self.text[start:end]


def parse(text: str, dialect: str) -> Query:
    """Read a SQL text in a dialect (`postgres`, `duckdb`, `sqlite`, … as sqlglot names them).

    Never raises: a text that cannot be read has `errors` and no statements.
    """
    from sqlglot import exp
    from sqlglot.errors import ParseError, TokenError

    logging.getLogger("sqlglot").setLevel(logging.ERROR)
    if len(text) > LONGEST:
        problem = Problem.at(text, 0, f"The text is longer than {LONGEST:,} characters.")
        return Query(text, dialect, (), (problem,))
    try:
        parsed = trees(text, dialect)
    except ParseError as error:
        return Query(text, dialect, (), tuple(_problems(text, error)))
    except TokenError:
        return Query(text, dialect, (), (_open_token(text),))
    except RecursionError:
        return _too_deep(text, dialect)
    # A comment behind the last `;` comes as a statement of its own.
    statements = tuple(s for s in parsed if s is not None and not isinstance(s, exp.Semicolon))
    if not statements:
        problem = Problem.at(text, 0, "There is no statement in the text.", "a SELECT statement")
        return Query(text, dialect, (), (problem,))
    if any(_depth(statement) > DEEPEST for statement in statements):
        return _too_deep(text, dialect)
    for statement in statements:
        if isinstance(statement, exp.Condition | exp.Alias):
            offset = Query(text, dialect, statements).span(statement)[0]
            problem = Problem.at(
                text, offset, "The text does not begin as a SQL statement does.", "SELECT or WITH"
            )
            return Query(text, dialect, (), (problem,))
    return Query(text, dialect, statements)


def trees(text: str, dialect: str) -> list[exp.Expr | None]:
    """sqlglot's trees of a text, one a statement, read by the dialect's whole grammar.

    Raises:
        SqlglotError: it cannot be read.
    """
    import sqlglot

    if dialect == "postgres":
        from groundwire.query.sql.postgres import parse_postgres

        return parse_postgres(text)
    return sqlglot.parse(text, dialect=dialect)


def _too_deep(text: str, dialect: str) -> Query:
    """Each condition of an AND and each branch of a UNION is one level deeper too."""
    problem = Problem.at(text, 0, "The query is nested too deeply to be read.")
    return Query(text, dialect, (), (problem,))


def _depth(statement: exp.Expr) -> int:
    """Levels of a tree, counted without recursion."""
    level, count = [statement], 0
    while level:
        level = below(level)
        count += 1
    return count


def _problems(text: str, error: ParseError) -> list[Problem]:
    return [_problem(text, entry) for entry in error.errors] or [
        Problem.at(text, 0, "The text is not a SQL statement.")
    ]


def _problem(text: str, entry: dict[str, object]) -> Problem:
    line, column = int(str(entry.get("line") or 1)), int(str(entry.get("col") or 1))
    highlight = str(entry.get("highlight") or "")
    line_start = 0
    for _ in range(line - 1):
        line_start = text.find("\n", line_start) + 1
    # sqlglot counts the column of the token's last character, from 1.
    offset = max(line_start + column - max(len(highlight), 1), 0)
    description = str(entry.get("description") or "")
    expected = ""
    if description.startswith("Expected "):
        expected = description.removeprefix("Expected ").split(" but got ")[0].rstrip(".")
    place = f"near {highlight!r}" if highlight else "at its end"
    wanted = f"; {expected} is expected there" if expected else ""
    sentence = f"The SQL cannot be read {place} (line {line}){wanted}."
    return Problem.at(text, offset, sentence, expected)


def _open_token(text: str) -> Problem:
    """A quote or comment that is never closed: sqlglot does not say where, so look for it."""
    opened = _unclosed_quote(text)
    if opened is None:
        return Problem.at(text, len(text), "A token at the end of the SQL is not complete.")
    return Problem.at(
        text,
        opened,
        f"The quote {text[opened]!r} is opened and never closed.",
        f"a closing {text[opened]}",
    )


def _unclosed_quote(text: str) -> int | None:
    position = 0
    while position < len(text):
        if text[position] in "'\"`":
            end = text.find(text[position], position + 1)
            if end < 0:
                return position
            position = end
        elif text.startswith("--", position):
            end = text.find("\n", position)
            position = len(text) if end < 0 else end
        position += 1
    return None
