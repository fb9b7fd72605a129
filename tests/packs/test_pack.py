"""Reading a pack: what it gives, and how a mistake in its file is reported."""

from __future__ import annotations

from dataclasses import replace

import pytest

from groundwire.database.catalog import Catalog, Column, Table
from groundwire.errors import UsageError
from groundwire.packs.pack import load_pack, pack_for, pack_names, read_pack

SMALL = """\
description: Books and their authors.
recognised_by: [BOOKS.TITLE]
tables: {BOOKS: One row a book.}
columns:
  BOOKS.TITLE: The title.
  BOOKS.YEAR: The year of print.
column_synonyms: {Name: BOOKS.TITLE}
value_synonyms: {first: [[BOOKS.YEAR, 0001]]}
conventions:
  - phrases: [Old, very old]
    meaning: Old is before 1900.
    sql: YEAR < 1900
questions: [How many books are there?]
"""


def catalog(*tables: tuple[str, str]) -> Catalog:
    return Catalog(
        dialect="duckdb",
        tables=tuple(
            Table("main", name, "table", tuple(Column(c, "text") for c in columns.split()))
            for name, columns in tables
        ),
        search_path=("main",),
        folds="ignore",
    )


def test_a_pack_is_read() -> None:
    pack = read_pack(SMALL, "books")
    assert pack.name == "books"
    assert pack.columns["BOOKS.YEAR"] == "The year of print."
    assert pack.conventions[0].phrases == ("old", "very old")
    assert pack.off_topic == ()


def test_phrases_are_lower_case_and_values_stay_text() -> None:
    pack = read_pack(SMALL, "books")
    assert pack.column_synonyms == {"name": "BOOKS.TITLE"}
    assert pack.value_synonyms == {"first": (("BOOKS.YEAR", "0001"),)}


@pytest.mark.parametrize(
    ("old", "new", "complaint"),
    [
        ("description:", "descripton:", "line 1: the file has an unknown key 'descripton'"),
        ("questions: [How many books are there?]\n", "", "line 1: the file lacks 'questions'"),
        ("tables: {BOOKS: One row a book.}", "tables: []", "line 3: tables must be a mapping"),
        (
            "  BOOKS.YEAR: The year of print.",
            "  BOOKS.TITLE: Again.",
            "line 6: columns has 'BOOKS.TITLE' twice",
        ),
        ("BOOKS.TITLE: The title.", "BOOKS.TITLE: ''", "line 5: BOOKS.TITLE must be a text"),
        (
            "{Name: BOOKS.TITLE}",
            "{Name: BOOKS.NAME}",
            "line 7: column_synonyms names BOOKS.NAME, which is not described",
        ),
        (
            "[[BOOKS.YEAR, 0001]]",
            "[BOOKS.YEAR, 0001]",
            "line 8: first must be a list",
        ),
        (
            "[[BOOKS.YEAR, 0001]]",
            "[[BOOKS.YEAR]]",
            "line 8: 'first' must list pairs [TABLE.COLUMN, value]",
        ),
        (
            "[[BOOKS.YEAR, 0001]]",
            "[[BOOKS.PRICE, 0001]]",
            "line 8: value_synonyms names BOOKS.PRICE, which is not described",
        ),
        ("meaning: Old", "meening: Old", "line 11: a convention has an unknown key 'meening'"),
        (
            "  BOOKS.TITLE: The title.",
            "  SHOPS.TITLE: The title.",
            "line 5: columns names SHOPS, which is not described",
        ),
        (
            "recognised_by: [BOOKS.TITLE]",
            "recognised_by: [BOOKS.ISBN]",
            "line 2: recognised_by names BOOKS.ISBN, which is not described",
        ),
        ("description: Books", "description: [Books", "is not readable YAML"),
    ],
)
def test_a_mistake_is_named_with_its_line(old: str, new: str, complaint: str) -> None:
    assert old in SMALL
    with pytest.raises(UsageError) as caught:
        read_pack(SMALL.replace(old, new, 1), "books", source="books.yaml")
    assert caught.value.message.startswith("books.yaml")
    assert complaint in caught.value.message


def test_an_empty_file_is_no_pack() -> None:
    with pytest.raises(UsageError, match="empty"):
        read_pack("# nothing\n", "books")


def test_an_unknown_pack_is_refused_with_the_names_of_those_there_are() -> None:
    with pytest.raises(UsageError) as caught:
        load_pack("atlantis")
    assert "chicago" in caught.value.hint


def test_all_installed_packs_can_be_read() -> None:
    assert "chicago" in pack_names()
    for name in pack_names():
        assert load_pack(name).questions


def test_a_database_is_recognised_by_its_columns() -> None:
    columns = " ".join(
        name.partition(".")[2]
        for name in load_pack("chicago").columns
        if name.startswith("CRIMES.")
    )
    found = pack_for(catalog(("crimes", columns.lower())))
    assert found is not None
    assert found.name == "chicago"
    assert pack_for(catalog(("CRIMES", "ID DATE TITLE"))) is None
    assert pack_for(catalog(("BOOKS", columns))) is None


def test_a_pack_is_cut_to_what_the_database_has() -> None:
    pack = read_pack(SMALL, "books")
    cut = pack.within(catalog(("BOOKS", "TITLE PRICE")))
    assert cut == replace(pack, columns={"BOOKS.TITLE": "The title."}, value_synonyms={})
    assert pack.within(catalog(("SHOPS", "TITLE"))).tables == {}
