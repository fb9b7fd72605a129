"""What the engine remarks of unknown names is evidence, where no check has spoken of them."""

from __future__ import annotations

import pytest

from groundwire.database.graph import GraphDatabase
from groundwire.guard import Guard, Verdict


def noticed(verdict: Verdict) -> list[tuple[str, str, str]]:
    return [
        (finding.code, finding.severity, verdict.draft[slice(*finding.span)])
        for finding in verdict.findings
        if finding.check == "server_notices"
    ]


def test_an_unknown_key_of_a_node_that_only_an_expression_gives(graph: GraphDatabase) -> None:
    if graph.dialect != "neo4j":
        pytest.skip("only Neo4j remarks on it")
    draft = "MATCH (p:Person) RETURN head(collect(p)).shoesize"
    verdict = Guard(graph).check(draft)
    assert verdict.outcome == "admitted"
    assert noticed(verdict) == [("SCH3", "doubt", "shoesize")]
    assert "shoesize" in verdict.findings[0].evidence[0].sentence


@pytest.mark.parametrize(
    "draft",
    [
        "MATCH (p:Person|Actor)-[:ACTED_IN]->(m:Movie) RETURN p.name",
        "MATCH (p:Person)-[:ACTED_IN|PLAYED_IN]->(m:Movie) RETURN p.name",
        "MATCH (p:Person) WHERE NOT p:Actor RETURN p.name",
        "WITH {shoesize: 42} AS m RETURN m.shoesize",
        "WITH date('2020-01-01') AS d RETURN d.year",
        "MATCH (p:Person) RETURN head(collect(p)).name",
    ],
)
def test_what_the_draft_can_do_without_is_not_spoken_of(graph: GraphDatabase, draft: str) -> None:
    assert noticed(Guard(graph).check(draft)) == []


def test_a_name_that_a_check_repaired_is_not_named_again(graph: GraphDatabase) -> None:
    verdict = Guard(graph).check("MATCH (p:Persons)-[:DIRECTED]->(m:Movie) RETURN m.titel")
    assert verdict.outcome == "repaired"
    assert noticed(verdict) == []
