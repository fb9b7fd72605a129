"""What a drafting prompt holds, and what it leaves out for its budget."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, replace
from datetime import datetime
from typing import Any
from zoneinfo import ZoneInfo

import pytest

from groundwire.database.catalog import Catalog, Column, ForeignKey, Table
from groundwire.database.graph_catalog import (
    Constraint,
    Endpoint,
    GraphCatalog,
    Label,
    Property,
    Reciprocity,
    RelationshipType,
)
from groundwire.draft.prompt import DraftRequest, Exemplar, Prompt, draft_prompt
from groundwire.draft.rules import Shape, load_library
from groundwire.errors import UsageError
from tests.draft.prompt.catalogs import catalog_of, other_tables

NOW = datetime(2026, 11, 30, 14, 5, tzinfo=ZoneInfo("Europe/Berlin"))

SHOP = Catalog(
    "postgres",
    (
        Table(
            "public",
            "customers",
            "table",
            (
                Column("id", "bigint", nullable=False),
                Column("createdAt", "timestamp with time zone", comment="when it was opened"),
                Column("order", "integer"),
                Column("tier", "tier", values=("gold", "silver")),
                Column("city", "text"),
            ),
            primary_key=("id",),
            row_estimate=12_345,
            comment="people who buy",
        ),
        Table(
            "sales",
            "Orders",
            "table",
            (Column("nr", "integer"), Column("year", "integer"), Column("customer_id", "bigint")),
            primary_key=("nr", "year"),
            unique_keys=(("customer_id", "year"),),
            foreign_keys=(ForeignKey(("customer_id",), "public", "customers", ("id",)),),
        ),
        Table("sales", "recent", "view", (Column("nr", "integer"),)),
    ),
    ("public",),
    "lower",
)


@dataclass(frozen=True)
class Match:
    table: Table
    column: Column
    value: str


class CityValues:
    """A value index over the cities alone."""

    CITIES = ("Springfield", "Shelbyville", "Ogdenville")

    def frequent(self, table: Table, column: Column, n: int) -> tuple[str, ...]:
        return self.CITIES[:n] if column.name == "city" else ()

    def lookup(self, phrase: str) -> tuple[Match, ...]:
        found = [city for city in self.CITIES if city.lower() == phrase.lower()]
        table = SHOP.tables[0]
        return tuple(Match(table, table.columns[-1], city) for city in found)


@dataclass(frozen=True)
class Meaning:
    phrases: tuple[str, ...]
    meaning: str
    sql: str = ""


@dataclass(frozen=True)
class ShopKnowledge:
    name: str = "shop"
    description: str = "A shop."
    recognised_by: tuple[str, ...] = ()
    tables: Mapping[str, str] = None  # type: ignore[assignment]
    columns: Mapping[str, str] = None  # type: ignore[assignment]
    column_synonyms: Mapping[str, str] = None  # type: ignore[assignment]
    value_synonyms: Mapping[str, tuple[tuple[str, str], ...]] = None  # type: ignore[assignment]
    conventions: tuple[Meaning, ...] = ()
    questions: tuple[str, ...] = ()
    off_topic: tuple[str, ...] = ()


KNOWLEDGE = ShopKnowledge(
    tables={"recent": "The newest orders."},
    columns={"customers.city": "Where the customer lives."},
    column_synonyms={"home town": "customers.city", "rank": "customers.order"},
    value_synonyms={"premium": (("customers.tier", "gold"),)},
    conventions=(Meaning(("new customers",), "New is younger than a year.", "age < 1"),),
)


def request(question: str = "How many customers are there?", **changes: Any) -> DraftRequest:
    whole = DraftRequest(question, SHOP, NOW, "PostgreSQL 18.4", values=CityValues())
    return replace(whole, **changes)


def text(prompt: Prompt) -> str:
    return "\n".join(message.content for message in prompt.messages)


def ask(question: str = "How many customers are there?", **changes: Any) -> str:
    return text(draft_prompt(request(question, **changes)))


# --- content ---------------------------------------------------------------------------------


def test_the_contract_comes_first_and_the_question_last() -> None:
    system, user = draft_prompt(request("Who?")).messages
    assert (system.role, user.role) == ("system", "user")
    assert "exactly one statement" in system.content.lower()
    assert "INVALID_REQUEST" in system.content
    assert user.content.endswith('The question, as a JSON string: "Who?"')


def test_the_dialect_and_the_server_are_named() -> None:
    assert "one PostgreSQL query" in ask()
    assert "PostgreSQL 18.4" in ask()


def test_todays_date_and_time_zone_are_said() -> None:
    assert "Monday, 2026-11-30 14:05 (CET, UTC+01:00)" in ask()


@pytest.mark.parametrize(
    "line",
    [
        'TABLE customers -- about 12,345 rows; "people who buy"',
        "  id bigint PRIMARY KEY",
        '  "createdAt" timestamp with time zone -- "when it was opened"',
        '  "order" integer',
        '  tier tier -- one of: "gold", "silver"',
        '  city text -- values: "Springfield", "Shelbyville", "Ogdenville"',
        'TABLE sales."Orders"',
        "  customer_id bigint REFERENCES customers(id)",
        "  PRIMARY KEY (nr, year)",
        "  UNIQUE (customer_id, year)",
        "VIEW sales.recent",
    ],
)
def test_the_catalog_is_written_with_exact_names_types_and_keys(line: str) -> None:
    assert line in ask().splitlines()


def test_where_case_is_ignored_mixed_case_needs_no_quotes() -> None:
    catalog = replace(SHOP, dialect="duckdb", folds="ignore", search_path=("public", "sales"))
    written = ask(catalog=catalog, values=None).splitlines()
    assert "TABLE Orders" in written
    assert '  createdAt timestamp with time zone -- "when it was opened"' in written
    assert '  "order" integer' in written


def test_the_labels_of_an_enum_stand_as_quoted_texts_only() -> None:
    column = Column("kind", "ENUM('a ) b', 'it''s')[]", values=("a ) b", "it's"))
    catalog = catalog_of([Table("s", "t", "table", (column, Column("x", "STRUCT(a 'b')")))])
    written = ask(catalog=catalog, values=None).splitlines()
    assert """  kind ENUM[] -- one of: "a ) b", "it's\"""" in written
    assert "  x (type not shown)" in written


def test_many_values_are_sampled_few_are_listed() -> None:
    class Many(CityValues):
        CITIES = tuple(f"Town {number}" for number in range(50))  # type: ignore[assignment]

    assert 'for example: "Town 0", "Town 1", "Town 2"' in ask(values=Many())


def test_a_value_that_the_question_names_is_hinted() -> None:
    assert '- "shelbyville" may be customers.city = "Shelbyville"' in ask(
        "who lives in shelbyville?"
    )
    assert "may mean" not in ask("who lives here?")


def test_rules_of_the_three_tiers_stand_where_they_apply() -> None:
    plain, superlative = ask("List the cities"), ask("Which city has the most customers?")
    assert "[A1]" in plain
    assert "[B4]" in plain, "there is a timestamp in the schema"
    assert "[C2]" not in plain
    assert "[C2]" in superlative


def test_shapes_that_fit_are_shown() -> None:
    assert "NOT EXISTS" in ask("Which customers have never ordered?")


def test_three_exemplars_at_most_nearest_first() -> None:
    solved = tuple(Exemplar(f"Question {n}?", f"SELECT {n}") for n in range(5))
    written = ask(exemplars=solved)
    assert re.findall(r"Question \d", written) == ["Question 0", "Question 1", "Question 2"]
    assert 'query: "SELECT 0"' in written


def test_of_a_pack_only_what_the_question_touches_is_said() -> None:
    written = ask("How many premium people by home town?", knowledge=KNOWLEDGE)
    assert '- "premium" means customers.tier = "gold"' in written
    assert '- "home town" means the column customers.city' in written
    assert "rank" not in written.partition("What words mean here:")[2].partition("</data>")[0]
    assert "younger" not in written


def test_conventions_carry_their_condition() -> None:
    written = ask("How many new customers?", knowledge=KNOWLEDGE)
    assert '- "new customers": New is younger than a year. As a condition: age < 1' in written


def test_the_packs_meanings_stand_where_the_database_has_no_comment() -> None:
    catalog = replace(SHOP, search_path=("public", "sales"))
    written = ask(knowledge=KNOWLEDGE, catalog=catalog)
    assert '  city text -- "Where the customer lives."; values' in written
    assert 'VIEW recent -- "The newest orders."' in written


def test_a_phrase_inside_a_longer_one_is_not_touched() -> None:
    synonyms = {"gold": (("customers.tier", "gold"),), "gold coast": (("customers.city", "GC"),)}
    knowledge = replace(KNOWLEDGE, value_synonyms=synonyms)
    written = ask("Who lives at the Gold Coast?", knowledge=knowledge)
    assert '"gold coast" means' in written
    assert '"gold" means' not in written


# --- no row limit of our own -----------------------------------------------------------------

LIMIT = re.compile(r"LIMIT\s+\d|\b(at most|up to|first|maximum of) \d+ rows|\btop \d+ rows", re.I)


@pytest.mark.parametrize("question", ["List the cities", "Top 5 cities", "Who has no orders?"])
def test_the_default_prompt_never_suggests_a_row_limit(question: str) -> None:
    assert not LIMIT.search(ask(question))


def test_no_rule_and_no_shape_of_ours_holds_a_row_limit() -> None:
    library = load_library()
    texts = [text for entry in (*library.rules, *library.shapes) for text in entry.text.values()]
    assert not any(LIMIT.search(text) for text in texts)


def test_the_papers_first_revision_asks_for_ten_rows_and_the_second_does_not() -> None:
    first, second = ask(configuration="paper-v1"), ask(configuration="paper-v2")
    assert "LIMIT 10" in first
    assert not LIMIT.search(second)
    for written in (first, second):
        assert "double quotes" in written
        assert "INSERT, UPDATE, DELETE, DROP and ALTER are forbidden" in written
        assert "exactly INVALID_REQUEST" in written
        assert "Examples" in written
        assert "TABLE customers" in written


def test_the_papers_revisions_differ_in_the_limit_alone() -> None:
    def numbered(line: str) -> str:
        return re.sub(r"^\d+\. ", "", line).replace(" LIMIT 10;", ";")

    first, second = ask(configuration="paper-v1"), ask(configuration="paper-v2")
    extra = [numbered(x) for x in first.splitlines() if numbered(x) not in second]
    assert extra == ["Limit every result to at most 10 rows with LIMIT 10."]


def test_an_unknown_prompt_is_a_usage_error() -> None:
    with pytest.raises(UsageError, match="paper-v3"):
        request(configuration="paper-v3")
    with pytest.raises(UsageError, match="cypher"):
        request(configuration="paper-v1", catalog=MOVIES)


@pytest.mark.parametrize("part", ["rules", "shapes", "exemplars", "knowledge", "hints"])
def test_a_part_can_be_left_out_for_an_ablation(part: str) -> None:
    question = "Which premium customers in Springfield have never ordered?"
    solved = (Exemplar("A?", "SELECT 1"),)
    changes: dict[str, Any] = {"knowledge": KNOWLEDGE, "exemplars": solved}
    whole = draft_prompt(request(question, **changes))
    less = draft_prompt(request(question, **changes, without=frozenset({part})))
    assert part in whole.sizes
    assert part not in less.sizes
    assert whole.sizes.keys() - less.sizes.keys() == {part}


# --- the budget ------------------------------------------------------------------------------

CROWD = catalog_of([*other_tables(498), *SHOP.tables[:2]])


@pytest.mark.parametrize("budget", [1500, 3000, 8000])
def test_500_tables_stay_under_the_budget_with_the_right_one(budget: int) -> None:
    prompt = draft_prompt(request("In which city do most customers live?", catalog=CROWD), budget)
    assert prompt.tokens <= budget
    assert "public.customers" in prompt.offered


def test_what_was_cut_is_reported_and_told_to_the_model() -> None:
    prompt = draft_prompt(request(catalog=CROWD), 2000)
    shown = len(prompt.offered)
    assert f"{shown} of 500 tables were offered to the model." in prompt.notes
    assert f"-- {500 - shown} more tables are not shown" in text(prompt)


def test_a_small_budget_gives_up_other_parts_before_the_catalog() -> None:
    solved = (Exemplar("A?", "SELECT 1"),)
    prompt = draft_prompt(request("Who has never ordered?", exemplars=solved), 1000)
    assert prompt.tokens <= 1000
    assert "public.customers" in prompt.offered
    assert "The shapes were left out to fit into 1000 tokens." in prompt.notes


def test_a_catalog_that_fits_is_the_same_for_every_question() -> None:
    catalogs = {text(draft_prompt(request(q))).partition("TABLE")[2][:300] for q in ("A?", "B?")}
    assert len(catalogs) == 1, "providers cache equal beginnings"


def test_the_sizes_add_up_to_the_whole() -> None:
    prompt = draft_prompt(request())
    assert sum(prompt.sizes.values()) < prompt.tokens
    assert prompt.to_json()["tokens"] == prompt.tokens


# --- graphs ----------------------------------------------------------------------------------

MOVIES = GraphCatalog(
    "neo4j",
    (
        Label(
            "Person",
            133,
            (
                Property("name", ("STRING",), values=(("Tom Hanks", 1), ("Meg Ryan", 1))),
                Property("born", ("INTEGER",), present=0.9, values=((1956, 2),)),
                Property("embedding", ("LIST<FLOAT>",), vector=1536, values=((0.25, 1),)),
            ),
        ),
        Label("Sci Fi Movie", 38, (Property("title", ("STRING",)),)),
    ),
    (
        RelationshipType(
            "ACTED_IN",
            172,
            (Property("roles", ("LIST<STRING>",)),),
            (Endpoint("Person", "ACTED_IN", "Sci Fi Movie", 172),),
        ),
        RelationshipType(
            "KNOWS", 20, (), (Endpoint("Person", "KNOWS", "Person", 20, exact=False),)
        ),
    ),
    constraints=(Constraint("unique", "node", "Person", ("name",)),),
    reciprocity=(Reciprocity("Person", "KNOWS", 20, 20, 20, 1.0, 1.0, True, "", 0.0),),
)


@pytest.mark.parametrize(
    "line",
    [
        "(:Person) -- 133 nodes",
        '  name STRING -- unique; for example: "Tom Hanks", "Meg Ryan"',
        "  born INTEGER -- on 90%; for example: 1956",
        "  embedding vector[1536]",
        "(:`Sci Fi Movie`) -- 38 nodes",
        "(:Person)-[:ACTED_IN]->(:`Sci Fi Movie`) -- 172",
        "  roles LIST<STRING>",
        "(:Person)-[:KNOWS]->(:Person) -- about 20, each stored both ways",
    ],
)
def test_a_graph_is_written_with_directions_and_back_ticks(line: str) -> None:
    written = ask("Who knows Tom Hanks?", catalog=MOVIES, values=None, server="Neo4j 5.26")
    assert line in written.splitlines()


def test_a_graph_gets_cypher_rules_shapes_and_hints() -> None:
    written = ask("Who does not know Tom Hanks?", catalog=MOVIES, values=None)
    assert "one Cypher query" in written
    assert "NOT EXISTS {" in written
    assert "[B1] A type between equal labels that is stored both ways" in written
    assert '- "Tom Hanks" may be Person.name = "Tom Hanks"' in written


def test_a_big_graph_is_cut_to_what_the_question_needs() -> None:
    crowd = tuple(
        Label(f"Thing{n}", n, tuple(Property(f"field{k}", ("STRING",)) for k in range(10)))
        for n in range(400)
    )
    prompt = draft_prompt(
        request("Who acted in a movie?", catalog=replace(MOVIES, labels=MOVIES.labels + crowd)),
        1500,
    )
    assert prompt.tokens <= 1500
    assert {":Person", "[ACTED_IN]", ":Sci Fi Movie"} <= set(prompt.offered)


FITTING = {
    "lookup": "Show everything",
    "one-hop": "What is the email of Ann?",
    "two-hops": "The pets that are owned by students older than 20",
    "shared-neighbour": "Which actors play in the same films as Ann?",
    "intersection": "Who speaks both French and English?",
    "group-count": "Crimes per district",
    "group-count-zeros": "Number of crimes for each district, for all districts",
    "top-k": "Top 5 customers",
    "argmax": "Which lake is the largest?",
    "negated-existence": "Who has no pets?",
    "union": "Names of either lakes or rivers",
    "window-share": "What share of crimes led to an arrest in 2020?",
}


@pytest.mark.parametrize("shape", load_library().shapes, ids=lambda shape: shape.id)
@pytest.mark.parametrize("language", ["sql", "cypher"])
def test_each_of_the_twelve_shapes_reaches_the_prompt_of_its_language(
    shape: Shape, language: str
) -> None:
    catalog = SHOP if language == "sql" else MOVIES
    written = ask(FITTING[shape.id], catalog=catalog, values=None).splitlines()
    other = "cypher" if language == "sql" else "sql"
    assert f"- {shape.name}: {shape.text[language]}" in written
    assert f"- {shape.name}: {shape.text[other]}" not in written


def test_rules_of_the_three_tiers_reach_the_prompt_of_a_graph() -> None:
    plain = ask("List the names", catalog=MOVIES, values=None)
    asked = ask("Who has no film, and who has most?", catalog=MOVIES, values=None)
    texts = {rule.id: rule.text["cypher"] for rule in load_library().rules}
    for rule in ("A1", "A2", "A3", "A4", "B1", "B3", "B4"):
        assert f"- [{rule}] {texts[rule]}" in plain
    for rule in ("C2", "C5"):
        assert f"[{rule}]" not in plain
        assert f"- [{rule}] {texts[rule]}" in asked
    assert "[B2]" not in plain, "no two types join the same labels"


def test_three_exemplars_stand_in_the_prompt_of_a_graph() -> None:
    solved = tuple(Exemplar(f"Question {n}?", f"RETURN {n}") for n in range(5))
    data = ask(catalog=MOVIES, values=None, exemplars=solved).rpartition("<data>\n")[2]
    inside = data.partition("</data>")[0]
    assert re.findall(r'query: "RETURN (\d)"', inside) == ["0", "1", "2"]


def test_no_number_of_a_vector_is_in_a_prompt() -> None:
    assert "0.25" not in ask("Which embedding?", catalog=MOVIES, values=None)
