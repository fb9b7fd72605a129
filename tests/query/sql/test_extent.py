"""The exact characters of each part of a SQL text are found, or none are given."""

from __future__ import annotations

import pytest
import sqlglot
from sqlglot import exp

from groundwire.query.sql import after_blanks, comments, extent, parse, words

TEXT = """WITH a AS (SELECT 1 AS x) -- a comment (
SELECT DISTINCT c.name, count(DISTINCT o.id) AS n, (sum(o.v) / count(*))::int, cast(a.z AS date)
FROM t c LEFT JOIN o ON o.cid = c.id AND o.z = 'a(' WHERE NOT c.x IN (SELECT 1) AND (c.y = 2)
GROUP BY c.name HAVING count(*) > 2 AND o.d BETWEEN '2020-01-01' AND '2020-02-01' LIMIT 10"""


@pytest.mark.parametrize("dialect", ["postgres", "duckdb", "sqlite"])
def test_every_condition_and_expression_has_its_characters(dialect: str) -> None:
    query = parse(TEXT, dialect)
    seen = 0
    for node in query.statements[0].walk():
        if isinstance(node, exp.Condition) and not isinstance(node, exp.Identifier | exp.Star):
            place = extent(query, node)
            assert place is not None, repr(node)
            assert sqlglot.parse_one(TEXT[place[0] : place[1]], dialect=dialect) == node
            seen += 1
    assert seen > 30


def test_brackets_belong_to_what_they_close() -> None:
    query = parse("SELECT (a + b) * c FROM t WHERE ((a)) = lower(b)", "postgres")
    texts = {
        query.text[place[0] : place[1]]
        for node in query.statements[0].walk()
        if isinstance(node, exp.Mul | exp.Add | exp.Lower)
        and (place := extent(query, node)) is not None
    }
    assert texts == {"(a + b) * c", "a + b", "lower(b)"}


def test_words_are_the_tokens_with_their_places() -> None:
    query = parse("select x -- LIMIT 3\nfrom t order by x Desc limit 5", "postgres")
    texts = [word.text for word in words(query)]
    assert texts == ["SELECT", "X", "FROM", "T", "ORDER BY", "X", "DESC", "LIMIT", "5"]
    assert all(query.text[word.start : word.end].upper() == word.text for word in words(query))


def test_the_comments_of_a_stretch_are_given_as_they_are_written() -> None:
    text = "SELECT a /* 1 */ FROM t -- it's '2'\n"
    text += "WHERE b = '-- no' /* 3 /* 4 */ */ AND c /*5*/ = 1 -- 6"
    query = parse(text, "postgres")
    every = comments(query, (0, len(text)))
    assert every == " /* 1 */ -- it's '2'\n /* 3 /* 4 */ */ /*5*/ -- 6\n"
    condition = text.index("c /*5*/"), text.index(" -- 6")
    assert comments(query, (text.index("WHERE"), len(text)), [condition]) == (
        " /* 3 /* 4 */ */ -- 6\n"
    )
    assert comments(query, (0, text.index("/*"))) == ""


def test_blanks_before_a_place_end_at_a_comment() -> None:
    text = "SELECT a FROM t\n  WHERE b = 1 -- c\n  AND d = 2"
    query = parse(text, "postgres")
    assert after_blanks(query, text.index("WHERE")) == text.index("\n")
    assert after_blanks(query, text.index("AND")) == text.index("AND")
