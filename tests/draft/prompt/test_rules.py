"""The rule library: what applies when, and that it names nothing of any database."""

from __future__ import annotations

import gzip
import json
import re
from collections.abc import Iterator
from pathlib import Path

import pytest

from groundwire.database.catalog import Catalog, Column, ForeignKey, Table
from groundwire.database.graph_catalog import (
    Endpoint,
    GraphCatalog,
    Label,
    Property,
    Reciprocity,
    RelationshipType,
)
from groundwire.draft.rules import FEATURES, features_of, load_library, problems_of, read_library
from groundwire.errors import UsageError
from tests.draft.prompt.catalogs import catalog_of

DATA = Path(__file__).parents[4] / "shared" / "data"


def test_the_seeds_are_those_of_the_design_in_both_languages() -> None:
    library = load_library()
    by_tier = {tier: [r.id for r in library.rules if r.tier == tier] for tier in TIERS}
    assert by_tier == {
        "universal": ["A1", "A2", "A3", "A4"],
        "schema": ["B1", "B2", "B3", "B4"],
        "question": ["C1", "C2", "C3", "C4", "C5", "C6"],
    }
    assert len(library.shapes) == 12
    for entry in (*library.rules, *library.shapes):
        assert set(entry.text) == {"sql", "cypher"}


TIERS = ("universal", "schema", "question")


@pytest.mark.parametrize(
    ("question", "rules"),
    [
        ("List the cities", ""),
        ("How many crimes were there in each district?", "C1"),
        ("How many wards are there?", ""),
        ("Who is the oldest player?", "C2"),
        ("Which team has the most wins?", "C2"),
        ("How many arrests were there last year?", ""),
        ("What is her last name?", ""),
        ("Show the number of different countries", "C3"),
        ("Which films star both of them?", "C4"),
        ("Which customers have never ordered?", "C5"),
        ("Products that weren't sold", "C5"),
        ("Which other players play for the same team?", "C6"),
        ("Which district has the fewest crimes without an arrest?", "C2 C5"),
    ],
)
def test_wording_calls_for_rules(question: str, rules: str) -> None:
    applied = load_library().applying(question, ())
    assert [r.id for r in applied if r.tier == "question"] == rules.split()
    assert [r.id for r in applied if r.tier == "universal"] == ["A1", "A2", "A3", "A4"]


@pytest.mark.parametrize(
    ("question", "shape"),
    [
        ("What is the email of Ann?", "one-hop"),
        ("Show everything", "lookup"),
        ("The pets that are owned by students older than 20", "two-hops"),
        ("Which actors play in the same films as Ann?", "shared-neighbour"),
        ("Who speaks both French and English?", "intersection"),
        ("Crimes per district", "group-count"),
        ("Number of crimes for each district, for all districts", "group-count-zeros"),
        ("Top 5 customers", "top-k"),
        ("The three largest lakes", "top-k"),
        ("Which lake is the largest?", "argmax"),
        ("Who has no pets?", "negated-existence"),
        ("Names of either lakes or rivers", "union"),
        ("What share of crimes led to an arrest in 2020?", "window-share"),
    ],
)
def test_wording_suggests_a_shape(question: str, shape: str) -> None:
    assert load_library().fitting(question)[0].id == shape


def test_at_most_two_shapes_are_suggested() -> None:
    question = "Top 5 and both, per ward, never the same share of 2020, either or in all"
    assert len(load_library().fitting(question)) == 2


# --- features --------------------------------------------------------------------------------


def table(name: str, columns: str, key: str, *references: tuple[str, str]) -> Table:
    return Table(
        "s",
        name,
        "table",
        tuple(Column(column, "integer") for column in columns.split()),
        tuple(key.split()),
        (),
        tuple(ForeignKey((column,), "s", target, ("id",)) for column, target in references),
    )


@pytest.mark.parametrize(
    ("tables", "features"),
    [
        ([table("a", "id name", "id")], ""),
        ([table("f", "x y", "x y", ("x", "a"), ("y", "a"))], "both_ways"),
        ([table("g", "id home away", "id", ("home", "a"), ("away", "a"))], "parallel"),
        ([table("l", "a b", "a b", ("a", "t"), ("b", "u"))], ""),
        ([table("l", "a b since", "a b", ("a", "t"), ("b", "u"))], "link_properties"),
        ([table("o", "id a b", "id", ("a", "t"), ("b", "u"))], ""),
        (
            [Table("s", "t", "table", (Column("at", "timestamp with time zone"),))],
            TIMED := "temporal_or_list",
        ),
        ([Table("s", "t", "table", (Column("tags", "text[]"),))], TIMED),
    ],
)
def test_features_of_tables(tables: list[Table], features: str) -> None:
    assert features_of(catalog_of(tables)) == frozenset(features.split())


def graph(
    *types: RelationshipType, labels: tuple[Label, ...] = (), both_ways: float = 0.0
) -> GraphCatalog:
    measured = Reciprocity(
        "A", "T", 100, 100, int(100 * both_ways), both_ways, both_ways, True, "", 0
    )
    return GraphCatalog("neo4j", labels, types, reciprocity=(measured,))


def test_features_of_graphs() -> None:
    plain = RelationshipType("T", 1, (), (Endpoint("A", "T", "B", 1),))
    parallel = RelationshipType("U", 1, (), (Endpoint("A", "U", "B", 1),))
    dated = Property("since", ("DATE",))
    assert features_of(graph(plain)) == frozenset()
    assert features_of(graph(plain, parallel)) == {"parallel"}
    assert features_of(graph(plain, both_ways=0.95)) == {"both_ways"}
    assert features_of(graph(RelationshipType("T", 1, (dated,)))) == {
        "link_properties",
        "temporal_or_list",
    }
    listed = Label("A", 1, (Property("tags", ("LIST<STRING>",)),))
    assert features_of(graph(labels=(listed,))) == {"temporal_or_list"}


# --- the validator ---------------------------------------------------------------------------


@pytest.mark.parametrize(
    "text",
    [
        "Count the <key> with `COUNT(DISTINCT <key>)`, unless the question asks for rows.",
        "Use `>= <start> AND < <next start>` and leave `NULL` out.",
        "Match `(<a>)-[:<type>]->(<b>)` once.",
    ],
)
def test_placeholders_keywords_and_plain_english_pass(text: str) -> None:
    assert list(problems_of(text)) == []


@pytest.mark.parametrize(
    ("text", "word"),
    [
        ("Join `crimes` on its key.", "crimes"),
        ("Filter `<a>.primary_type = 'THEFT'`.", "THEFT"),
        ("Write `n.born` for the year of birth.", "born"),
        ("Use primary_type, not the description.", "primary_type"),
        ("Use createdAt.", "createdAt"),
        ("Choose HAS_ROLE for this.", "HAS_ROLE"),
    ],
)
def test_a_name_in_a_rule_is_found_without_any_catalog(text: str, word: str) -> None:
    assert any(word in problem for problem in problems_of(text))


@pytest.mark.parametrize(
    "name", ["Singer", "singers", "concert_singer", "MotorVehicle", "motor vehicle"]
)
def test_a_name_of_a_database_is_found_in_prose(name: str) -> None:
    rule = "For singers and concert singers, or a motor vehicle, count the entity."
    assert list(problems_of(rule, [name]))


def test_names_that_are_plain_english_are_no_names() -> None:
    assert not list(problems_of("Count the entity by name and date.", ["name", "date", "count"]))


def names_of_shared_databases() -> Iterator[str]:
    for path in (DATA / "cypherbench" / "schemas").glob("*.json"):
        schema = json.loads(path.read_text("utf-8"))
        for part in (*schema["entities"], *schema["relations"]):
            yield part["label"]
            yield from part.get("properties", {})
    for path in (
        *(DATA / "spider" / "pg").glob("*.sql"),
        *(DATA / "defog_pg" / "sql").glob("*.sql"),
    ):
        for definition in re.findall(r"CREATE TABLE (.*?);\n", path.read_text("utf-8"), re.S):
            yield from re.findall(r"^\s*\"?(\w+)\"? ", definition, re.M)
    questions = DATA / "spider" / "dev_questions.jsonl.gz"
    with gzip.open(questions, "rt", encoding="utf-8") as lines:
        yield from {json.loads(line)["db_id"] for line in lines}


def test_no_seed_names_anything_of_the_shared_databases() -> None:
    if not DATA.exists():
        pytest.skip(f"{DATA} is not there: the data is not part of the repository")
    names = set(names_of_shared_databases())
    assert len(names) > 200
    library = load_library()
    entries = [(r.id, text, False) for r in library.rules for text in r.text.values()]
    entries += [(s.id, text, True) for s in library.shapes for text in s.text.values()]
    found = [
        (entry, problem)
        for entry, text, code in entries
        for problem in problems_of(text, names, code=code)
    ]
    assert found == []


SHAPES = "[{id: s, words: [x], sql: 'SELECT <column> FROM <table>'}]"


def test_a_library_of_ones_own_is_read() -> None:
    rules = "[{id: X1, tier: question, words: ['\\bfoo\\b'], sql: 'Never use `OR`.'}]"
    library = read_library(rules, SHAPES)
    assert [rule.id for rule in library.applying("Foo?", ())] == ["X1"]
    assert library.applying("Food?", ()) == ()


@pytest.mark.parametrize(
    ("rules", "words"),
    [
        ("{}", "list"),
        ("[{tier: universal, sql: x}]", "no id"),
        ("[{id: X, tier: universal, sql: x, colour: red}]", "colour"),
        ("[{id: X, tier: nowhere, sql: x}]", "X has no tier"),
        ("[{id: X, tier: schema, when: rains, sql: x}]", "X has no tier"),
        ("[{id: X, tier: question, sql: x}]", "X has no tier"),
        ("[{id: X, tier: question, words: ['('], sql: x}]", "pattern"),
        ("[{id: X, tier: universal}]", "no text"),
        ("[{id: X, tier: universal, sql: 'Use `crimes`.'}]", "crimes"),
    ],
)
def test_a_wrong_entry_is_refused_by_name(rules: str, words: str) -> None:
    with pytest.raises(UsageError, match=words):
        read_library(rules, SHAPES)


def test_every_feature_has_a_rule() -> None:
    assert {rule.when for rule in load_library().rules if rule.when} == set(FEATURES)


def test_a_catalog_without_tables_has_no_feature() -> None:
    assert features_of(Catalog("duckdb", (), ("main",), "ignore")) == frozenset()
