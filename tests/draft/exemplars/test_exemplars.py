"""The nearest solved questions, and those that never are."""

from __future__ import annotations

import asyncio
import subprocess
import sys
from collections.abc import Sequence
from typing import Any

import numpy as np
import pytest

from groundwire.draft import exemplars
from groundwire.draft.embedding import Lookups, default_embedder
from groundwire.draft.exemplars import Exemplars, Hiding, open_embeddings
from groundwire.draft.solved import Exemplar
from groundwire.errors import DriverMissing
from groundwire.settings import Settings

PAIRS = (
    Exemplar("How many customers live in Oslo?", "SELECT 1"),
    Exemplar("Which customer spent most?", "SELECT 2"),
    Exemplar("List the shops that never sold a book.", "SELECT 3"),
    Exemplar("How many clients are from Bergen?", "SELECT 4"),
    Exemplar("Who acted in a film?", "MATCH (p:Person) RETURN p.name", language="cypher"),
)


class Shop:
    """What retrieval looks at of a database."""

    def __init__(
        self, url: str = "duckdb:///data/shop.duckdb", language: str = "sql", *exclude: str
    ) -> None:
        self.url, self.language, self.settings = url, language, Settings(exclude=exclude)


def nearest(
    question: str,
    pairs: Sequence[Exemplar] = PAIRS,
    shop: Any = None,
    names: Sequence[str] = (),
    lookups: Lookups | None = None,
    **options: Any,
) -> list[str]:
    """The queries of the nearest pairs."""
    corpus = Exemplars(tuple(pairs), **options)
    near = corpus.nearest(question, shop or Shop(), names, lookups or Lookups())
    return [one.exemplar.query for one in asyncio.run(near)]


def test_three_at_most_by_meaning() -> None:
    found = nearest("What is the number of customers living in Bergen?")
    assert found[0] == "SELECT 4"
    assert len(found) == 3


def test_the_similarities_fall_and_are_cosines() -> None:
    near = asyncio.run(Exemplars(PAIRS).nearest("How many customers?", Shop(), (), Lookups()))  # type: ignore[arg-type]
    values = [one.similarity for one in near]
    assert values == sorted(values, reverse=True)
    assert all(0 < value <= 1 for value in values)


def test_the_same_words_come_first_whatever_their_case() -> None:
    assert nearest("  which CUSTOMER spent most ")[0] == "SELECT 2"


def test_a_question_is_shown_once() -> None:
    pairs = [*PAIRS, Exemplar("how many clients are from bergen", "SELECT 5")]
    found = nearest("How many clients of ours are from Bergen?", pairs)
    assert len({"SELECT 4", "SELECT 5"} & set(found)) == 1


def test_pairs_of_the_other_language_are_left_out() -> None:
    graph = Shop("kglite:///films.kgl", "cypher")
    assert nearest("Who acted in a film?", shop=graph) == ["MATCH (p:Person) RETURN p.name"]
    assert "MATCH (p:Person) RETURN p.name" not in nearest("Who acted in a film?")


@pytest.mark.parametrize(
    "url",
    [
        "duckdb:///shop.duckdb",
        "duckdb:////srv/data/Shop.duckdb",
        "kglite:///x/shop.kgl",
        "postgresql://ann:***@host:5432/shop?sslmode=require",
        "neo4j://host/shop",
    ],
)
def test_pairs_of_the_database_itself_are_left_out_unless_asked_for(url: str) -> None:
    pairs = [Exemplar("How many orders?", "SELECT 1", database="shop")]
    assert nearest("How many orders?", pairs, Shop(url)) == []
    assert nearest("How many orders?", pairs, Shop(url), own=True) == ["SELECT 1"]
    assert nearest("How many orders?", pairs, Shop("duckdb:///other.duckdb")) == ["SELECT 1"]


def test_a_database_may_be_named_with_its_ending() -> None:
    assert nearest("How many?", [Exemplar("How many?", "SELECT 1", database="shop.duckdb")]) == []


def test_a_query_too_long_for_a_prompt_is_left_out() -> None:
    assert nearest("How many?", [Exemplar("How many?", f"SELECT '{'x' * 5000}'")]) == []


def test_a_question_is_looked_up_once_and_without_pairs_never() -> None:
    lookups = Lookups()
    nearest("How many?", lookups=lookups)
    nearest("How many?", lookups=lookups)
    assert lookups.count == 1
    lookups = Lookups()
    assert nearest("How many?", (), lookups=lookups) == []
    assert nearest("Who?", [Exemplar("Who?", "SELECT 1")], lookups=lookups) == ["SELECT 1"]
    assert lookups.count == 0


def test_a_corpus_is_embedded_once_in_a_process() -> None:
    class Counting:
        name = "counting"
        texts = 0

        async def aembed(self, texts: Sequence[str]) -> Any:
            self.texts += len(texts)
            return np.ones((len(texts), 2), dtype=np.float32) / np.sqrt(2)

        aembed_corpus = aembed

    counting = Counting()
    for _ in range(3):
        nearest("How many?", embedder=counting)
    assert counting.texts == 3 + 4, "three questions, and the four pairs in SQL once"


def test_without_an_embedding_only_the_same_words_are_found(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(exemplars, "default_embedder", lambda: None)
    assert nearest("Which customer spent most?") == ["SELECT 2"]
    with pytest.raises(DriverMissing, match="offline embedding"):
        open_embeddings(None)


def test_without_a_name_the_embedding_is_the_offline_one() -> None:
    assert open_embeddings(None) is default_embedder()


def test_the_offline_embedding_leaves_the_logging_of_the_process_alone() -> None:
    program = (
        "import logging; from groundwire.draft.embedding import default_embedder;"
        "default_embedder(); root = logging.getLogger(); print(root.handlers, root.level)"
    )
    ran = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True)
    assert ran.stdout == "[] 30\n", ran.stderr


# --- what is approved ------------------------------------------------------------------------


def approved(question: str, *pairs: Exemplar, own: bool = False) -> Exemplar | None:
    return Exemplars(pairs, own=own).approved(question, Shop(), ())  # type: ignore[arg-type]


def test_the_very_question_has_an_approved_query() -> None:
    assert approved("which customer spent most", *PAIRS) == PAIRS[1]
    assert approved("Which customer spent least?", *PAIRS) is None


def test_a_query_of_another_database_is_not_approved_for_this_one() -> None:
    assert approved("How many?", Exemplar("How many?", "SELECT 1", database="other")) is None
    own = Exemplar("How many?", "SELECT 1", database="shop")
    assert approved("How many?", own) is None
    assert approved("How many?", own, own=True) == own


@pytest.mark.parametrize("question", ["How many orders last month?", "Who bought most today?"])
def test_a_query_for_another_day_is_not_approved_for_this_one(question: str) -> None:
    assert approved(question, Exemplar(question, "SELECT 1")) is None


# --- what is excluded ------------------------------------------------------------------------

VISIBLE = ("people", "name", "city", "Vendor", "email")


@pytest.mark.parametrize(
    ("pattern", "text"),
    [
        ("salaries", "SELECT * FROM salaries"),
        ("salaries", 'SELECT * FROM hr."Salaries"'),
        ("people.email", "SELECT p.email FROM people p"),
        ("people.email", "SELECT EMAIL FROM People"),
        ("hr.salaries", "SELECT x FROM salaries"),
        ("hr.salaries.net", "SELECT net FROM salaries"),
        ("*.ssn", "SELECT ssn FROM people"),
        ("people.*", "SELECT count(*) FROM people"),
        ("secret_*", "SELECT * FROM secret_plans"),
        ("my table", 'SELECT * FROM "my table"'),
        ("Secret", "MATCH (s:Secret) RETURN count(s)"),
        ("Secret Plan", "MATCH (s:`Secret Plan`) RETURN count(s)"),
        ("Person.iban", "MATCH (p:Person) RETURN p.iban"),
        ("OWES", "MATCH (a)-[:OWES]->(b) RETURN count(*)"),
    ],
)
def test_what_names_something_excluded_is_found(pattern: str, text: str) -> None:
    assert Hiding((pattern,), VISIBLE)(text)


@pytest.mark.parametrize(
    ("pattern", "text"),
    [
        ("people.email", "SELECT email FROM Vendor"),
        ("people.email", "SELECT name FROM people"),
        ("salaries", "SELECT name FROM people"),
        ("hr.salaries", "SELECT city FROM people"),
        ("people.*", "SELECT email FROM Vendor"),
    ],
)
def test_what_is_visible_stays(pattern: str, text: str) -> None:
    assert not Hiding((pattern,), VISIBLE)(text)


def test_an_excluded_pair_is_neither_near_nor_approved() -> None:
    pairs = [Exemplar("What does Ann earn?", "SELECT net FROM salaries WHERE name = 'Ann'")]
    shop = Shop("duckdb:///shop.duckdb", "sql", "salaries")
    assert nearest("What does Ann earn?", pairs, shop, VISIBLE) == []
    assert Exemplars(tuple(pairs)).approved("What does Ann earn?", shop, VISIBLE) is None  # type: ignore[arg-type]
    assert nearest("What does Ann earn?", pairs) == [pairs[0].query]
