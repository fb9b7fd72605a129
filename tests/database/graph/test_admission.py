"""Only one statement that reads is admitted, decided on the parsed text."""

from __future__ import annotations

import gzip
import json

import pytest

from groundwire.database.graph_admission import PROCEDURES, refusal
from groundwire.query.cypher import parse
from tests.database.graph.shared_data import shared

ATTACKS = shared("attacks/cypher_guard_cases.jsonl.gz")


@pytest.mark.parametrize(
    "text",
    [
        "MATCH (n) RETURN n",
        "MATCH (n) RETURN n;",
        "EXPLAIN MATCH (n) RETURN n",
        "OPTIONAL MATCH (n) WITH n UNWIND labels(n) AS l RETURN DISTINCT l ORDER BY l LIMIT 2",
        "MATCH (n) CALL (n) { MATCH (n)-->(m) RETURN count(m) AS c } RETURN c",
        "CALL db.labels()",
        "CALL DB.Index.Fulltext.queryNodes('i', 'x') YIELD node RETURN node",
        "RETURN date.truncate('month', date()), apoc.text.join(['a'], ','), point.distance(1, 2)",
        "MATCH (n) RETURN EXISTS { (n)-->() }, COUNT { (n)-->() }, [(n)-->(m) | m.x]",
        "RETURN 1 UNION RETURN 2",
    ],
)
def test_reading_is_admitted(text):
    assert refusal(parse(text)) == ""


@pytest.mark.parametrize(
    ("text", "word"),
    [
        ("CREATE (n)", "CREATE"),
        ("MATCH (n) CALL (n) { DELETE n }", "DELETE"),
        ("MATCH (n) WITH n MERGE (m) RETURN m", "MERGE"),
        ("MATCH (n) FOREACH (x IN [1] | SET n.x = x)", "FOREACH"),
        ("LOAD CSV WITH HEADERS FROM 'http://127.0.0.1/' AS l RETURN l", "LOAD CSV"),
        ("MATCH (n) CALL (n) { RETURN 1 AS x } IN TRANSACTIONS RETURN x", "IN TRANSACTIONS"),
        ("CALL apoc.load.json('x') YIELD value RETURN value", "apoc.load.json"),
        ("CALL { CALL dbms.listConfig() YIELD name RETURN name } RETURN name", "dbms.listConfig"),
        ("MATCH (n) WHERE apoc.cypher.runFirstColumnSingle('x', {}) RETURN n", "apoc.cypher"),
        ("RETURN custom.now()", "custom.now"),
        ("SHOW TRANSACTIONS", "SHOW TRANSACTIONS"),
        ("TERMINATE TRANSACTIONS 'x'", "TERMINATE"),
        ("DROP INDEX x", "DROP"),
        ("USE system MATCH (n) RETURN n", "USE"),
        ("RETURN 1; RETURN 2", "2 statements"),
        ("MATCH (n) RETURN n // '\n DELETE n", "DELETE"),
    ],
)
def test_anything_else_is_refused_by_name(text, word):
    assert word in refusal(parse(text))


def test_procedures_are_kept_in_small_letters():
    assert all(name == name.lower() for name in PROCEDURES)


@pytest.mark.skipif(not ATTACKS.exists(), reason="../shared/data is not here")
def test_the_recorded_attacks_get_the_expected_verdict():
    with gzip.open(ATTACKS, "rt", encoding="utf-8") as lines:
        for line in lines:
            case = json.loads(line)
            query = parse(case["cypher"])
            refused = bool(refusal(query) or query.errors)
            if case["expect"] == "deny":
                assert refused, case["cypher"]
            else:
                assert refusal(query) == "", case["cypher"]
