"""Provenance subgraph Jaccard similarity: which nodes count, by parse, on either engine."""

from __future__ import annotations

import pytest

from groundwire.bench.case import Case
from groundwire.bench.metrics import METRICS, ONE_LANGUAGE, choose
from groundwire.bench.metrics.psjs import provenance, psjs
from groundwire.bench.running import Databases
from groundwire.bench.scoring import Scorer
from tests.graph_fixtures import NewGraph, edge, node

ROUTE = "MATCH (a:Town {name: 'UNION'})-[:ROAD]->(b:Town) RETURN b.name"


NODES = [
    node(1, "Town", name="UNION", size=5),
    node(2, "Town", name="b }", size=7),
    node(3, "Town", name="c", size=9),
    node(4, "River", name="r"),
    node(5, "River", name="s"),
]
EDGES = [edge(1, "ROAD", 2), edge(2, "ROAD", 3), edge(1, "ON", 4), edge(3, "ON", 4)]


def test_it_is_for_cypher_only() -> None:
    assert METRICS["psjs"] is psjs
    assert ONE_LANGUAGE["psjs"] == "cypher"


NOTHING = "MATCH (t:Town {size: 0}) RETURN t.name"
SHARES: list[tuple[str, str, float]] = [
    # the same nodes, whatever is made of them
    (ROUTE, "MATCH (x:Town)-[:ROAD]->(y) WHERE x.name = 'UNION' RETURN count(*)", 1),
    # nodes 1, 2 against 1, 2, 3
    (ROUTE, "MATCH (x:Town)-[:ROAD]-(:Town) RETURN x.name", 2 / 3),
    # no node in common
    (ROUTE, "MATCH (r:River) RETURN r.name", 0),
    # a WHERE behind a WITH that passes on counts, one behind a renaming or counting does not
    (
        "MATCH (t:Town) WITH DISTINCT t WHERE t.size > 6 RETURN t.name",
        "MATCH (t:Town) WHERE t.size > 6 RETURN t.size",
        1,
    ),
    ("MATCH (t:Town) WITH t AS u WHERE u.size > 6 RETURN u", "MATCH (t:Town) RETURN t.name", 1),
    ("MATCH (t:Town) WITH t LIMIT 1 RETURN t.name", "MATCH (t:Town) RETURN t.name", 1),
    # a node without a name counts, one in small letters or back-ticks too
    (
        "MATCH (t:Town)-[:ON]->(:River) RETURN t.name",
        "match (`a t`:Town)-[:ON]->(r) return r",
        1,
    ),
    ("MATCH (t:Town)-[:ON]->() RETURN t.name", "MATCH (t:Town)-[:ON]->(r) RETURN r", 1),
    # a brace in a text ends no map
    (
        "MATCH (t:Town {name: 'b }'}) RETURN t.name",
        "MATCH (t:Town) WHERE t.name = 'b }' RETURN t.size",
        1,
    ),
    # every branch of a UNION, at the top or in a CALL
    (
        "MATCH (t:Town {size: 5}) RETURN t.name UNION MATCH (t:Town {size: 7}) RETURN t.name",
        "MATCH (t:Town) WHERE t.size < 9 RETURN t.name",
        1,
    ),
    (
        "CALL { MATCH (t:Town {size: 5}) RETURN t UNION MATCH (t:River) RETURN t } "
        "WITH DISTINCT t RETURN count(t)",
        "MATCH (t:River) RETURN t.name",
        2 / 3,
    ),
    # an OPTIONAL MATCH adds what it finds
    (
        "MATCH (t:Town) OPTIONAL MATCH (t)-[:ON]->(r:River) WITH t, count(r) AS n RETURN n",
        "MATCH (t:Town) RETURN t.name",
        3 / 4,
    ),
    # both find nothing: 0, as published, even if it is right
    ("MATCH (t:Town {size: 0}) RETURN t.name", "MATCH (t:Town {size: -1}) RETURN t.name", 0),
    # nothing leads: no node
    ("MATCH (t:Town) RETURN t.name", "UNWIND [1] AS x MATCH (t:Town) RETURN t.size", 0),
    # the same text is 1, even where nothing is found
    (NOTHING, NOTHING, 1),
    # a query that fails is 0, whatever its patterns are
    (ROUTE, "MATCH (a:Town {name: 'UNION'})-[:ROAD]->(b:Town) RETURN c.name", 0),
]


def test_the_share_of_common_nodes(new_graph: NewGraph) -> None:
    """All at once: it takes long to fill a server."""
    new_graph.load(NODES, EDGES)
    found: list[tuple[str, str, float | None]] = []
    with Databases() as databases:
        scorer = Scorer(databases, choose("psjs"))
        for gold, prediction, _ in SHARES:
            scored = scorer.score(Case("1", new_graph.url, "cypher", "?", (gold,)), prediction)
            assert not scored.mark, scored.why
            found.append((gold, prediction, scored.values["psjs"]))
    assert found == SHARES


@pytest.mark.parametrize(
    "text",
    [
        "",
        "RETURN 1 AS x",
        "OPTIONAL MATCH (n) RETURN n",
        "MATCH (n RETURN n",
        "MATCH (n) RETURN n; MATCH (m) RETURN m",
        "CALL db.labels() YIELD label RETURN label",
    ],
)
def test_what_does_not_begin_with_match_has_no_provenance(text: str) -> None:
    assert provenance(text) == []


def test_the_derived_query_only_reads_the_leading_patterns() -> None:
    [derived] = provenance("MATCH (n:A)-->(:B) WITH DISTINCT n WHERE n.x > 1 RETURN count(*)")
    assert derived == (
        "MATCH (n:A)-->(`node 1`:B) WITH * WHERE n.x > 1 RETURN "
        "collect(DISTINCT elementId(`n`)) + collect(DISTINCT elementId(`node 1`)) AS ids"
    )
