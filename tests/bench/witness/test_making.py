"""How a witness is made: repeatable, bounded, with the cardinalities of its schema."""

from __future__ import annotations

import random
from collections import Counter
from typing import Any

import pytest

from groundwire.bench.case import Case
from groundwire.bench.witness import Rows, Schema, read_schema, witnesses
from groundwire.bench.witness.graph import Graph
from groundwire.bench.witness.planting import Planter
from groundwire.bench.witness.population import populate
from groundwire.bench.witness.values import Values
from groundwire.errors import UsageError
from tests.bench.witness.conftest import CASES, INFO, SCHEMA, relation


def edges(rows: Rows, kind: str) -> list[tuple[str, str]]:
    return [(r["start"], r["end"]) for r in rows.relationships if r["type"] == kind]


def population(schema: Schema, **limits: int) -> Graph:
    """A graph without any gold."""
    chance = random.Random(3)
    planter = Planter(Graph(), schema, Values(chance), chance)
    populate(planter, **limits)
    return planter.graph


def test_the_same_seed_makes_the_same_graphs_and_another_one_others() -> None:
    first = witnesses(CASES[:4], SCHEMA, INFO, k=2, seed=1)
    assert first == witnesses(CASES[:4], SCHEMA, INFO, k=2, seed=1)
    assert first[0] != first[1]
    assert first[0] != witnesses(CASES[:4], SCHEMA, INFO, k=1, seed=2)[0]


def test_a_witness_is_small(graphs: list[Rows]) -> None:
    for rows in graphs:
        assert 100 < len(rows.nodes) < 1_000
        assert 200 < len(rows.relationships) < 3_000


def test_no_gold_is_no_obstacle_and_neither_is_one_that_cannot_be_read() -> None:
    broken = Case("1", "library", "cypher", "?", ("MATCH (n RETURN n",))
    unknown = Case("2", "library", "cypher", "?", ("MATCH (n:Car)-[:GOES]->(m:Town) RETURN n",))
    [rows] = witnesses([broken, unknown], SCHEMA, INFO, k=1)
    assert {label for node in rows.nodes for label in node["labels"]} == {
        "Author", "Book", "Publisher", "Prize",
    }  # fmt: skip


def test_only_what_the_schema_has_is_made(graphs: list[Rows], library: Schema) -> None:
    kinds = {(r.type, r.start, r.end) for r in library.relations}
    for rows in graphs:
        labels = {node["id"]: node["labels"][0] for node in rows.nodes}
        assert len(labels) == len(rows.nodes)
        for node in rows.nodes:
            assert node["properties"].keys() <= library.labels[node["labels"][0]].keys()
        for r in rows.relationships:
            assert (r["type"], labels[r["start"]], labels[r["end"]]) in kinds


def test_a_population_keeps_the_cardinalities(library: Schema) -> None:
    rows = population(library).rows()
    books = [node["id"] for node in rows.nodes if node["labels"] == ["Book"]]
    published = Counter(start for start, _ in edges(rows, "publishedBy"))
    assert published == Counter(books)  # every book, and once
    assert {end for _, end in edges(rows, "wrote")} == set(books)  # each has an author
    for ends in zip(*edges(rows, "sequelOf"), strict=True):
        assert max(Counter(ends).values()) == 1
    assert max(Counter(start for start, _ in edges(rows, "wrote")).values()) > 1


def test_what_not_every_node_has_some_have_not(library: Schema) -> None:
    rows = population(library).rows()
    authors = {node["id"] for node in rows.nodes if node["labels"] == ["Author"]}
    prizes = {node["id"] for node in rows.nodes if node["labels"] == ["Prize"]}
    assert authors - {start for start, _ in edges(rows, "wrote")}
    assert prizes - {end for _, end in edges(rows, "wins")}


@pytest.mark.parametrize("share", [1.0, 0.5, 0.0])
def test_a_symmetric_type_is_stored_both_ways_for_the_measured_share(share: float) -> None:
    info = {"relations": [relation("friendOf", is_symmetric=True, reciprocal_share=share)]}
    found = edges(population(read_schema(SCHEMA, info)).rows(), "friendOf")
    back = sum((end, start) in found for start, end in found) / len(found)
    expected = 2 * share / (1 + share)  # of all that are stored, counting the way back
    assert back == pytest.approx(expected, abs=0.2)


def test_there_are_missing_values_equal_names_and_values_near_a_constant(
    graphs: list[Rows],
) -> None:
    books = [n["properties"] for n in graphs[0].nodes if n["labels"] == ["Book"]]
    pages = [book["pages"] for book in books if "pages" in book]
    assert 0 < len(books) - len(pages) < len(books) / 2
    assert any(320 < value < 400 for value in pages)
    assert any(400 < value < 480 for value in pages)
    assert max(Counter(book["name"] for book in books).values()) > 1
    assert Counter(book["name"] for book in books)["The Tide"] == 1  # what a gold names is one


def test_a_limit_on_relationships_is_kept(library: Schema) -> None:
    assert len(population(library).edges) > 150
    assert len(population(library, most=100).edges) < 150
    assert len(population(library, most=0).edges) == 0


@pytest.mark.parametrize(
    "schema",
    [
        {},
        {"entities": [], "relations": [{"label": "R"}]},
        {"entities": ["A"], "relations": []},
        {
            "entities": [{"label": "A", "properties": {}}],
            "relations": [{"label": "R", "subj_label": "A", "obj_label": "B"}],
        },
    ],
)
def test_what_is_no_schema_is_refused(schema: dict[str, Any]) -> None:
    with pytest.raises(UsageError):
        read_schema(schema)
