"""Copies keep the schema, the keys and the rows that golds ask for; luck shows on them."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from groundwire.bench import Case, Databases, Scorer
from groundwire.bench.copies import PerturbedCopies, making
from groundwire.bench.metrics import choose
from groundwire.bench.running import MAX_ROWS
from groundwire.database import Database, SqlDatabase, connect
from groundwire.database.writing import open_for_writing
from groundwire.settings import Settings

SETTINGS = replace(Settings(), max_rows=MAX_ROWS)

GOLDS = (
    "SELECT count(*) FROM client WHERE age >= 18",
    "SELECT name FROM city WHERE country = 'Norway'",
    "SELECT c.name FROM client AS c JOIN city AS t ON c.city_id = t.id WHERE t.name = 'Paris'",
    "SELECT item, sum(price) FROM sale GROUP BY item",
    "SELECT name FROM client WHERE name LIKE 'A%'",
    "SELECT name FROM client ORDER BY age DESC LIMIT 1",
)


def cases(url: str, *golds: str) -> list[Case]:
    return [Case(str(at), url, "sql", "?", (gold,)) for at, gold in enumerate(golds or GOLDS)]


def rows(database: Database, query: str) -> list[tuple[Any, ...]]:
    return sorted(database.execute(query).rows, key=repr)


def content(database: Database) -> dict[str, list[tuple[Any, ...]]]:
    return {name: rows(database, f"SELECT * FROM {name}") for name in ("city", "client", "sale")}


def close(databases: list[Database]) -> None:
    for database in databases:
        database.close()


def score(url: str, gold: str, prediction: str, case: Case | None = None) -> float | None:
    one = case or cases(url, gold)[0]
    with (
        PerturbedCopies([one]) as copies,
        Databases(copies=copies) as databases,
    ):
        scorer = Scorer(databases, choose("ex,test_suite"))
        return scorer.score(one, prediction).values["test_suite"]


def test_a_copy_has_the_schema_the_keys_and_the_references(shop: str) -> None:
    with connect(shop) as original, PerturbedCopies(cases(shop)) as copies:
        assert isinstance(original, SqlDatabase)
        made = copies(shop, SETTINGS)
        assert len(made) == 8
        assert not copies.notes
        for copy in made:
            assert isinstance(copy, SqlDatabase)
            theirs = {t.name: t for t in copy.catalog().tables}
            for table in original.catalog().tables:
                assert replace(theirs[table.name], row_estimate=None) == replace(
                    table, row_estimate=None
                )
            for key, table in (("id", "city"), ("id", "client"), ("name", "client")):
                doubles = f"SELECT {key} FROM {table} GROUP BY {key} HAVING count(*) > 1"
                assert rows(copy, doubles) == []
            dangling = "SELECT * FROM client WHERE city_id NOT IN (SELECT id FROM city)"
            assert rows(copy, dangling) == []
            dangling = "SELECT * FROM sale WHERE client_id NOT IN (SELECT id FROM client)"
            assert rows(copy, dangling) == []
            assert rows(copy, "SELECT * FROM client WHERE age >= 200") == []
            assert rows(copy, "SELECT count(*) FROM adult") != [(0,)]
        close(made)


def test_copies_differ_from_the_original_and_from_each_other(shop: str) -> None:
    with connect(shop) as original, PerturbedCopies(cases(shop)) as copies:
        made = copies(shop, SETTINGS)
        contents = [repr(content(database)) for database in (original, *made)]
        assert len(set(contents)) == len(contents)
        sizes = {len(content(copy)["client"]) for copy in made}
        assert min(sizes) < 5 < max(sizes)
        close(made)


def test_the_same_seed_gives_the_same_copies(sqlite_shop: str) -> None:
    found = []
    for seed in (3, 3, 4):
        with PerturbedCopies(cases(sqlite_shop), count=2, seed=seed) as copies:
            made = copies(sqlite_shop, SETTINGS)
            found.append([repr(content(copy)) for copy in made])
            close(made)
    assert found[0] == found[1] != found[2]


def test_no_gold_is_empty_on_all_copies(sqlite_shop: str) -> None:
    with PerturbedCopies(cases(sqlite_shop)) as copies:
        made = copies(sqlite_shop, SETTINGS)
        for gold in GOLDS:
            filled = [copy for copy in made if rows(copy, gold)]
            assert len(filled) >= len(made) // 2, gold
        close(made)


def test_the_rows_that_golds_ask_for_by_a_value_stay(shop: str) -> None:
    with PerturbedCopies(cases(shop)) as copies:
        made = copies(shop, SETTINGS)
        for copy in made:
            assert rows(copy, "SELECT id FROM city WHERE name = 'Paris'")
        close(made)


def test_the_original_is_not_touched(shop: str) -> None:
    with connect(shop) as original:
        before = content(original)
    with PerturbedCopies(cases(shop)) as copies:
        close(copies(shop, SETTINGS))
    with connect(shop) as original:
        assert content(original) == before


def test_the_files_are_removed(sqlite_shop: str) -> None:
    with PerturbedCopies(cases(sqlite_shop)) as copies:
        made = copies(sqlite_shop, SETTINGS)
        folder = Path(made[0].url.partition(":///")[2]).parent
        assert len(list(folder.iterdir())) == 8
        close(made)
    assert not folder.exists()


@pytest.mark.parametrize(
    ("gold", "lucky"),
    [
        # On the five clients of the shop each of these gives what its gold gives.
        (
            "SELECT count(*) FROM client WHERE age >= 18",
            "SELECT count(*) FROM client WHERE age > 17 AND age <> 19",
        ),
        ("SELECT count(*) FROM client WHERE age > 17", "SELECT 4"),
        ("SELECT max(price) FROM sale", "SELECT max(price) FROM sale WHERE item = 'ink'"),
        ("SELECT name FROM city WHERE country = 'Norway'", "SELECT name FROM city WHERE id < 3"),
        ("SELECT DISTINCT item FROM sale WHERE price > 3", "SELECT item FROM sale WHERE price > 3"),
        (
            "SELECT name FROM client ORDER BY age DESC LIMIT 1",
            "SELECT max(name) FROM client WHERE name < 'Dan'",
        ),
        ("SELECT count(DISTINCT item) FROM sale", "SELECT count(*) - 2 FROM sale"),
        (
            "SELECT count(*) FROM client AS c JOIN city AS t ON c.city_id = t.id",
            "SELECT count(*) FROM client WHERE id < 5",
        ),
    ],
)
def test_luck_shows(sqlite_shop: str, gold: str, lucky: str) -> None:
    with Databases() as databases:
        alone = Scorer(databases, choose("ex,test_suite")).score(cases(sqlite_shop, gold)[0], lucky)
    assert alone.values == {"ex": 1.0, "test_suite": None}
    assert score(sqlite_shop, gold, lucky) == 0.0


@pytest.mark.parametrize(
    ("gold", "same"),
    [
        (
            "SELECT count(*) FROM client WHERE age >= 18",
            "SELECT count(id) FROM client WHERE NOT age < 18",
        ),
        ("SELECT name, country FROM city", "SELECT country, name FROM city ORDER BY name"),
        (
            "SELECT item, count(*) FROM sale GROUP BY item",
            "SELECT count(client_id), item FROM sale GROUP BY 2",
        ),
        (
            "SELECT name FROM city WHERE id NOT IN"
            " (SELECT city_id FROM client WHERE city_id IS NOT NULL)",
            "SELECT name FROM city EXCEPT"
            " SELECT t.name FROM city AS t JOIN client AS c ON c.city_id = t.id",
        ),
        (
            "SELECT name FROM client WHERE age = (SELECT max(age) FROM client)",
            "SELECT a.name FROM client AS a WHERE a.age IS NOT NULL AND NOT EXISTS"
            " (SELECT 1 FROM client AS b WHERE b.age > a.age)",
        ),
    ],
)
def test_what_is_equivalent_stays_right(sqlite_shop: str, gold: str, same: str) -> None:
    assert score(sqlite_shop, gold, same) == 1.0


def test_gold_as_prediction_is_right(sqlite_shop: str) -> None:
    for gold in GOLDS:
        assert score(sqlite_shop, gold, gold) == 1.0


def test_ties_of_the_gold_do_not_speak_against_a_prediction(sqlite_shop: str) -> None:
    gold = "SELECT item FROM sale GROUP BY item ORDER BY count(*) DESC LIMIT 1"
    other = "SELECT item FROM sale GROUP BY item ORDER BY count(*) DESC, item DESC LIMIT 1"
    assert score(sqlite_shop, gold, other) == 1.0
    wrong = "SELECT item FROM sale GROUP BY item ORDER BY count(*) LIMIT 1"
    assert score(sqlite_shop, gold, wrong) == 0.0


def test_the_order_counts_where_the_golds_text_has_one(sqlite_shop: str) -> None:
    gold = "SELECT name FROM client ORDER BY name"
    assert score(sqlite_shop, gold, "SELECT name FROM client ORDER BY id") == 0.0
    assert (
        score(sqlite_shop, "SELECT name FROM client", "SELECT name FROM client ORDER BY id DESC")
        == 1.0
    )
    nested = "SELECT name FROM client WHERE age > (SELECT age FROM client ORDER BY age LIMIT 1)"
    assert score(sqlite_shop, nested, f"{nested} ORDER BY name DESC") == 0.0  # as published


def test_a_fraction_has_no_tolerance_as_published(sqlite_shop: str) -> None:
    assert score(sqlite_shop, "SELECT 0.3e0", "SELECT 0.1e0 + 0.2e0") == 0.0


def test_both_empty_is_right_as_published(sqlite_shop: str) -> None:
    gold = "SELECT name FROM client WHERE age > 1000"
    assert score(sqlite_shop, gold, "SELECT name FROM client WHERE age > 2000") == 1.0


def test_a_database_that_is_too_large_has_no_copies(
    shop: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(making, "MOST_ROWS", 9)
    with PerturbedCopies(cases(shop)) as copies:
        assert copies(shop, SETTINGS) == []
        assert "more than 9 rows" in copies.notes[shop]
    monkeypatch.setattr(making, "LARGEST_FILE", 100)
    with PerturbedCopies(cases(shop)) as copies:
        assert copies(shop, SETTINGS) == []
        assert "more than 100 bytes" in copies.notes[shop]


@pytest.mark.parametrize(
    ("url", "why"),
    [
        ("postgresql://user:secret@host/db", "Only SQLite and DuckDB files"),
        ("sqlite://", "in memory"),
        ("sqlite:////nowhere/x.sqlite", "does not exist"),
    ],
)
def test_why_there_are_no_copies_is_said(url: str, why: str) -> None:
    with PerturbedCopies(cases(url)) as copies:
        assert copies(url, SETTINGS) == []
        ((name, sentence),) = copies.notes.items()
        assert why in sentence
        assert "secret" not in name + sentence


def test_without_copies_there_is_no_verdict(sqlite_shop: str) -> None:
    with Databases() as databases:
        scorer = Scorer(databases, choose("test_suite"))
        assert scorer.score(cases(sqlite_shop)[0], "SELECT 4").values == {"test_suite": None}


def test_generated_columns_triggers_and_odd_names_are_copied(tmp_path: Path) -> None:
    url = f"sqlite:///{tmp_path / 'odd.sqlite'}"
    with open_for_writing(url) as connection:
        connection.executescript(
            """
            CREATE TABLE "the log" (what TEXT);
            CREATE TABLE "odd ""table" (
                "a b" INTEGER, twice INTEGER GENERATED ALWAYS AS ("a b" * 2) STORED, raw BLOB);
            CREATE TRIGGER t AFTER DELETE ON "odd ""table"
            BEGIN INSERT INTO "the log" VALUES ('deleted'); END;
            CREATE VIRTUAL TABLE words USING fts5(word);
            INSERT INTO "odd ""table" ("a b", raw) VALUES (1, x'00ff'), (2, NULL), (3, x'01');
            INSERT INTO words VALUES ('tea');
            """
        )
    gold = 'SELECT "a b", twice FROM "odd ""table" WHERE "a b" > 1'
    with PerturbedCopies(cases(url, gold)) as copies:
        made = copies(url, SETTINGS)
        assert len(made) == 8, copies.notes
        for copy in made:
            assert all(twice == 2 * once for once, twice in rows(copy, gold))
            assert rows(copy, 'SELECT * FROM "the log"') == []
            assert rows(copy, "SELECT * FROM words") == [("tea",)]
        close(made)
