"""What the drafter promises whatever it is asked."""

from __future__ import annotations

from datetime import date

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from groundwire.draft.offline import OfflineDrafter
from groundwire.errors import NotUnderstood
from groundwire.packs.pack import load_pack
from tests.conftest import NewDatabase
from tests.draft.offline.conftest import TODAY, Asked, read_cases

SOUP = ["how", "many", "which", "what", "crimes", "thefts", "district", "3", "the", "most", "in",
        "2020", "per", "year", "not", "with", "arrest", "and", "or", ",", "than", "average", "top",
        "number", "of", "5", "before", "night", "share", "is", "there", "any", "by", "more",
        "Englewood", "'x'", "first", "count", "each", "community area", "without"]  # fmt: skip
ANSWERED = [case for case in read_cases() if case.expected is not None]


def drafter(asked: Asked) -> OfflineDrafter:
    return OfflineDrafter(load_pack("chicago").within(asked.databases["chicago"].catalog()), TODAY)


def test_a_draft_says_how_it_was_read_and_what_was_assumed(duckdb_asked: Asked) -> None:
    draft = drafter(duckdb_asked).draft(
        "How many thefts at night in district 3?", duckdb_asked.databases["chicago"]
    )
    assert draft.drafter == "offline"
    assert "“district” = CRIMES.DISTRICT = '003'" in draft.understood
    assert "Asked for: number of rows." in draft.understood
    assert "Night is 22:00 to 05:59." in draft.assumptions


def test_three_valued_flags_are_pointed_out(duckdb_asked: Asked) -> None:
    draft = drafter(duckdb_asked).draft(
        "How many crimes did not lead to an arrest?", duckdb_asked.databases["chicago"]
    )
    assert any("'Unknown'" in assumption for assumption in draft.assumptions)


def test_a_decline_says_what_was_understood_and_what_was_not(duckdb_asked: Asked) -> None:
    with pytest.raises(NotUnderstood) as caught:
        drafter(duckdb_asked).draft(
            "How many purple thefts were there?", duckdb_asked.databases["chicago"]
        )
    assert "“thefts” (a value of CRIMES.PRIMARY_TYPE)" in caught.value.message
    assert "Not understood: “purple”" in caught.value.message


def test_a_decline_suggests_stored_values_near_an_unknown_word(duckdb_asked: Asked) -> None:
    with pytest.raises(NotUnderstood) as caught:
        drafter(duckdb_asked).draft(
            "How many burglerys were there?", duckdb_asked.databases["chicago"]
        )
    assert "'BURGLARY'" in caught.value.hint


def test_an_average_over_groups_that_may_be_empty_is_declined(duckdb_asked: Asked) -> None:
    with pytest.raises(NotUnderstood, match="count as 0"):
        drafter(duckdb_asked).draft(
            "What is the average number of arsons per district?", duckdb_asked.databases["chicago"]
        )


@pytest.mark.parametrize(
    "question",
    [
        "",
        "?",
        "   ",
        "a" * 10_000,
        "how " * 200,
        "2020年有多少起犯罪？",
        "'",
        '"',
        "\x00",
        "how many",
    ],
)
def test_no_question_at_all_is_declined(question: str, duckdb_asked: Asked) -> None:
    with pytest.raises(NotUnderstood):
        drafter(duckdb_asked).draft(question, duckdb_asked.databases["chicago"])


@settings(
    max_examples=60, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture]
)
@given(data=st.data())
def test_a_word_that_nobody_knows_is_never_passed_over(
    data: st.DataObject, duckdb_asked: Asked
) -> None:
    case = data.draw(st.sampled_from(ANSWERED))
    words = case.question.rstrip("?").split()
    place = data.draw(st.integers(0, len(words)))
    unknown = data.draw(st.sampled_from(["purple", "roughly", "female", "worst", "median"]))
    question = " ".join([*words[:place], unknown, *words[place:]])
    with pytest.raises(NotUnderstood):
        duckdb_asked.draft(case.database, question)


@settings(
    max_examples=100, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture]
)
@given(words=st.lists(st.sampled_from(SOUP), max_size=12))
def test_whatever_is_asked_the_draft_runs_or_is_declined(
    words: list[str], duckdb_asked: Asked
) -> None:
    database = duckdb_asked.databases["chicago"]
    try:
        draft = drafter(duckdb_asked).draft(" ".join(words), database)
    except NotUnderstood:
        return
    database.execute(draft.text, max_rows=5)


def test_names_are_quoted_exactly_where_the_database_needs_it(new_database: NewDatabase) -> None:
    new_database.fill(
        'CREATE TABLE "Order" (id INTEGER PRIMARY KEY, "createdAt" DATE, "group" VARCHAR(9),'
        ' "3pointplay" INTEGER)',
        "INSERT INTO \"Order\" VALUES (1, '2020-05-01', 'a', 7), (2, '2021-05-01', 'b', 9)",
    )
    with new_database.connect() as database:
        offline = OfflineDrafter(today=date(2026, 1, 1))
        counted = offline.draft("How many orders in each group?", database)
        assert sorted(database.execute(counted.text).rows) == [("a", 1), ("b", 1)]
        most = offline.draft("What is the maximum 3pointplay?", database)
        assert database.execute(most.text).rows == ((9,),)
        dated = offline.draft("How many orders were created in 2020?", database)
        assert database.execute(dated.text).rows == ((1,),)


def test_a_table_of_another_schema_is_written_with_its_schema(postgres_url: str) -> None:
    database = NewDatabase("postgres", postgres_url)
    database.fill("CREATE SCHEMA shop", "CREATE TABLE shop.sale (id INTEGER PRIMARY KEY)")
    with database.connect() as connected:
        draft = OfflineDrafter().draft("How many sales are there?", connected)
        assert "shop.sale" in draft.text
        assert connected.execute(draft.text).rows == ((0,),)


def test_two_ways_between_tables_are_not_guessed(new_database: NewDatabase) -> None:
    new_database.fill(
        "CREATE TABLE airport (airport_id INTEGER PRIMARY KEY, name VARCHAR(20))",
        "CREATE TABLE flight (flight_id INTEGER PRIMARY KEY,"
        " source INTEGER REFERENCES airport (airport_id),"
        " destination INTEGER REFERENCES airport (airport_id))",
        "INSERT INTO airport VALUES (1, 'Leeds'), (2, 'Bristol')",
        "INSERT INTO flight VALUES (1, 1, 2)",
    )
    with new_database.connect() as database, pytest.raises(NotUnderstood):
        OfflineDrafter().draft("How many flights are there in Leeds?", database)
