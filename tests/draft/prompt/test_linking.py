"""Big schemas: the right parts are offered, within the budget."""

from __future__ import annotations

import gzip
import json
from collections.abc import Iterator
from pathlib import Path

import pytest
import sqlglot
from hypothesis import given, settings
from hypothesis import strategies as st
from sqlglot import exp

from groundwire.database.catalog import Column, ForeignKey, Table
from groundwire.draft.linking import (
    Choice,
    Hit,
    Part,
    choose,
    parts_of,
    question_words,
    rank,
    table_key,
)
from groundwire.draft.model import estimate_tokens
from groundwire.draft.prompts.tables import TableText
from tests.draft.prompt.catalogs import catalog_of, other_tables, tables_of

DATA = Path(__file__).parents[4] / "shared" / "data"

CLINIC = """
CREATE TABLE patients (patient_id INTEGER PRIMARY KEY, full_name TEXT, dateOfBirth DATE,
    insurer_code TEXT);
CREATE TABLE physicians (id INTEGER PRIMARY KEY, surname TEXT, speciality TEXT);
CREATE TABLE appointments (id INTEGER PRIMARY KEY, physician_id INTEGER REFERENCES physicians (id),
    patient_id INTEGER REFERENCES patients (patient_id), starts_at TIMESTAMP, no_show BOOLEAN);
CREATE TABLE prescriptions (id INTEGER PRIMARY KEY,
    appointment_id INTEGER REFERENCES appointments (id), drug_id INTEGER REFERENCES drugs (id),
    dosage_mg NUMERIC);
CREATE TABLE drugs (id INTEGER PRIMARY KEY, brandname TEXT, is_opioid BOOLEAN);
CREATE TABLE drug_side_effect (drug_id INTEGER REFERENCES drugs (id), side_effect_id INTEGER
    REFERENCES side_effects (id), PRIMARY KEY (drug_id, side_effect_id));
CREATE TABLE side_effects (id INTEGER PRIMARY KEY, label TEXT);
"""
CROWD = catalog_of([*tables_of(CLINIC, "clinic"), *other_tables(493)])
PARTS = parts_of(CROWD, {})
TABLES = {table_key(table): table for table in CROWD.tables}
TEXT = TableText(CROWD)


def cost(part: Part, columns: frozenset[str] | None) -> int:
    return estimate_tokens(TEXT.write(TABLES[part.name], columns))


def offered(question: str, budget: int = 2000, hits: list[Hit] | None = None) -> set[str]:
    choice = choose(PARTS, lambda: rank(PARTS, question, hits or []), cost, budget)
    return {part.name for part, _ in choice.parts}


def test_the_crowd_does_not_fit() -> None:
    assert len(CROWD.tables) == 500
    assert sum(cost(part, None) for part in PARTS) > 10 * 2000


@pytest.mark.parametrize(
    ("question", "tables"),
    [
        ("How many patients are there?", "patients"),
        ("When was each patient born?", "patients"),
        ("Which physician has the most no-shows?", "physicians appointments"),
        ("List the side effects of opioids", "side_effects drug_side_effect drugs"),
        ("What is the average dosage for each brand name?", "prescriptions drugs"),
        ("Which patients were prescribed an opioid?", "patients prescriptions drugs appointments"),
        ("Doctors by speciality", "physicians"),
        ("Which patient saw which physician?", "patients physicians appointments"),
    ],
)
def test_the_right_tables_are_among_those_offered(question: str, tables: str) -> None:
    assert {f"clinic.{name}" for name in tables.split()} <= offered(question)


def test_what_joins_two_tables_is_kept_with_them() -> None:
    names = offered("patients and drugs", budget=250)
    assert {"clinic.patients", "clinic.drugs"} <= names
    assert "clinic.appointments" in names, "the path goes over it"


def test_a_stored_value_leads_to_its_table() -> None:
    question = "How many times was Zyxoril given?"
    hit = Hit("clinic.drugs", "brandname")
    assert "clinic.drugs" in offered(question, budget=600, hits=[hit])


def test_a_catalog_that_fits_is_offered_whole_and_in_its_order() -> None:
    catalog = catalog_of(tables_of(CLINIC, "clinic"))
    parts = parts_of(catalog, {})
    choice = choose(parts, lambda: pytest.fail("not needed"), lambda part, columns: 1, 100)
    assert choice == Choice(tuple((part, None) for part in parts))


def test_a_wide_table_keeps_its_keys_and_what_the_question_names() -> None:
    columns = [Column(f"field_{number}", "text") for number in range(300)]
    wide = Table(
        "s",
        "wide",
        "table",
        (
            *columns,
            Column("humidity", "numeric"),
            Column("id", "bigint"),
            Column("site_id", "bigint"),
        ),
        ("id",),
        (),
        (ForeignKey(("site_id",), "s", "site", ("id",)),),
    )
    catalog = catalog_of([wide, Table("s", "site", "table", (Column("id", "bigint"),), ("id",))])
    text, parts = TableText(catalog), parts_of(catalog, {})
    tables = {table_key(table): table for table in catalog.tables}

    def price(part: Part, columns: frozenset[str] | None) -> int:
        return estimate_tokens(text.write(tables[part.name], columns))

    choice = choose(parts, lambda: rank(parts, "average humidity"), price, 300)
    shown = {part.name: columns for part, columns in choice.parts}["s.wide"]
    assert shown is not None
    assert {"id", "site_id", "humidity"} <= shown
    assert choice.cut_columns == 303 - len(shown)


def test_ties_and_repetitions_are_stable() -> None:
    assert offered("alerts of batches") == offered("alerts of batches")


def test_words_without_meaning_are_left_out() -> None:
    assert question_words("How many of the patients are there?") == ["patient"]


@settings(max_examples=15, deadline=None)
@given(st.text(max_size=80), st.integers(0, 600))
def test_the_budget_is_never_exceeded(question: str, budget: int) -> None:
    some = PARTS[:60]
    choice = choose(some, lambda: rank(some, question), cost, budget)
    assert sum(cost(part, columns) for part, columns in choice.parts) <= budget
    assert len(choice.parts) + choice.left_out == len(some)


# --- real schemas ----------------------------------------------------------------------------


def real_tables() -> Iterator[Table]:
    for folder in ("spider/pg", "bird_mini_dev/pg_ddl", "defog_pg/sql"):
        for path in sorted((DATA / folder).glob("*.sql")):
            statements = path.read_text("utf-8").split(";\n")
            ddl = [s for s in statements if s.lstrip().upper().startswith("CREATE TABLE")]
            yield from tables_of(";\n".join(ddl), path.stem)


def gold_tables(query: str, schema: str, known: dict[str, str]) -> set[str]:
    tree = sqlglot.parse_one(query, dialect="postgres")
    named = {f"{schema}.{table.name}".lower() for table in tree.find_all(exp.Table)}
    return {known[name] for name in named if name in known}


@pytest.mark.parametrize(
    ("name", "schema", "gold", "extra", "every", "bar"),
    [
        ("spider/dev_questions.jsonl.gz", "db_id", "gold_pg", "", 14, 0.93),
        ("bird_mini_dev/questions.jsonl.gz", "db_id", "gold_pg", "evidence", 9, 0.93),
    ],
)
def test_among_500_tables_the_gold_ones_are_offered(
    name: str, schema: str, gold: str, extra: str, every: int, bar: float
) -> None:
    if not (DATA / name).exists():
        pytest.skip(f"{DATA / name} is not there: the data is not part of the repository")
    tables = list(real_tables())
    catalog = catalog_of([*tables, *other_tables(500 - len(tables))])
    parts, text = parts_of(catalog, {}), TableText(catalog)
    by_key = {table_key(table): table for table in catalog.tables}
    known = {key.lower(): key for key in by_key}
    with gzip.open(DATA / name, "rt", encoding="utf-8") as lines:
        cases = [case for case in map(json.loads, lines) if case[gold]][::every]

    def price(part: Part, columns: frozenset[str] | None) -> int:
        return estimate_tokens(text.write(by_key[part.name], columns))

    found = judged = 0
    for case in cases:
        needed = gold_tables(case[gold], case[schema], known)
        question = f"{case['question']} {case[extra] if extra else ''}"
        ranked = rank(parts, question)
        choice = choose(parts, lambda ranked=ranked: ranked, price, 2000)  # type: ignore[misc]
        judged += bool(needed)
        found += bool(needed) and needed <= {part.name for part, _ in choice.parts}
    assert judged > 20
    assert found >= bar * judged
