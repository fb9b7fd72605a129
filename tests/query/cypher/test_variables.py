"""What each variable may be: labels, aliases, scopes."""

from __future__ import annotations

import pytest

from groundwire.query.cypher import ast, parse


def labels_of(text: str, variable: str) -> list[list[str]]:
    """For each node pattern with this variable, the labels that must hold for it."""
    query = parse(text)
    assert query.ok, query.errors
    return [
        sorted({name.name for labels in query.labels_of(node) for name in ast.label_names(labels)})
        for node in query.find(ast.NodePattern)
        if node.variable is not None and node.variable.name == variable
    ]


@pytest.mark.parametrize(
    "text",
    [
        "MATCH (n:Person) RETURN n",
        "MATCH (n) WHERE n:Person RETURN n",
        "MATCH (n) WHERE n.x = 1 AND (n:Person AND n.y = 2) RETURN n",
        "MATCH (n) WHERE 'Person' IN labels(n) RETURN n",
        "MATCH (n) WHERE EXISTS { (n:Person) } RETURN n",
        "MATCH (n) WHERE EXISTS { MATCH (n)-->() WHERE n:Person } RETURN n",
        "MATCH (n) WHERE (n:Person)-->() RETURN n",
        "MATCH (n) WITH n AS m WHERE m:Person RETURN m",
        "MATCH (n WHERE n:Person) RETURN n",
        "MATCH (n) MATCH (m)-->(k) WHERE n:Person RETURN n",
        "MATCH (n) CALL (n) { MATCH (o) WHERE n:Person RETURN o } RETURN o",
    ],
)
def test_a_label_holds_for_a_node_wherever_it_is_asked_for(text: str) -> None:
    assert labels_of(text, "n")[0] == ["Person"]


@pytest.mark.parametrize(
    "text",
    [
        "MATCH (n) WHERE NOT n:Person RETURN n",
        "MATCH (n) WHERE n:Person OR n.x = 1 RETURN n",
        "MATCH (n) RETURN n:Person",
        "MATCH (n) WHERE NOT EXISTS { (n:Person) } RETURN n",
        "MATCH (n) OPTIONAL MATCH (n:Person)-->(m) RETURN n",
        "MATCH (n) WITH n AS m MATCH (n:Person) RETURN m, n",
        "MATCH (n) WITH collect(n) AS l UNWIND l AS m WITH m WHERE m:Person RETURN m",
        "MATCH (n) RETURN COUNT { (n:Person) }",
        "MATCH (n) RETURN 1 AS x UNION MATCH (n:Person) RETURN 1 AS x",
    ],
)
def test_a_label_that_need_not_hold_is_not_taken_for_granted(text: str) -> None:
    assert labels_of(text, "n")[0] == []


def test_alternatives_stay_alternatives() -> None:
    query = parse("MATCH (n) WHERE n:A OR n:B RETURN n")
    (node,) = query.find(ast.NodePattern)
    (labels,) = query.labels_of(node)
    assert isinstance(labels, ast.LabelOr)


def test_labels_go_through_lists() -> None:
    text = "MATCH (n:Person) WITH collect(n) AS l UNWIND l AS m MATCH (m)-->(k) RETURN k"
    assert labels_of(text, "m") == [["Person"]]


def test_the_same_name_behind_a_with_can_be_another_node() -> None:
    text = "MATCH (n:A) WITH n.x AS x MATCH (n:B {x: x}) RETURN n"
    assert labels_of(text, "n") == [["A"], ["B"]]


def test_the_types_of_a_relationship_hold_for_its_variable() -> None:
    query = parse("MATCH ()-[r:X]->() MATCH (a)-[r]->(b) RETURN r")
    patterns = query.find(ast.RelationshipPattern)
    found = [[n.name for e in query.labels_of(p) for n in ast.label_names(e)] for p in patterns]
    assert found == [["X"], ["X"]]


def test_the_scope_at_a_place_has_what_can_be_used_there() -> None:
    text = "MATCH (a)-->(b) WITH a, count(b) AS c WHERE c > 1 RETURN [x IN a.l | x] AS l"
    query = parse(text)
    assert set(query.scope_at(text.index("c > 1"))) == {"a", "c"}
    assert set(query.scope_at(text.index("| x"))) == {"a", "c", "x"}
    assert set(query.scope_at(2)) == {"a", "b"}


def test_a_variable_says_what_it_is() -> None:
    query = parse("MATCH p = (a)-[r]->(b) WITH p, a, r, b.x AS v RETURN p, a, r, v")
    *_, final = query.find(ast.Return)
    kinds = []
    for item in final.items:
        assert isinstance(item.expression, ast.Variable)
        symbol = query.symbol(item.expression)
        assert symbol is not None
        kinds.append(symbol.kind)
    assert kinds == ["path", "node", "relationship", "value"]
