"""What a database URL says, and that its password is never shown."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from groundwire.database.url import mask, parse
from groundwire.errors import StorageError, UsageError


@pytest.mark.parametrize(
    ("url", "path"),
    [
        ("duckdb:///crimes.duckdb", Path("crimes.duckdb")),
        ("duckdb:///data/crimes.duckdb", Path("data/crimes.duckdb")),
        ("DuckDB:////srv/crimes.duckdb", Path("/srv/crimes.duckdb")),
        ("sqlite:///a%20b.db", Path("a b.db")),
        ("sqlite:///~/a.db", Path.home() / "a.db"),
        ("duckdb://", None),
        ("duckdb:///", None),
        ("sqlite:///:memory:", None),
    ],
)
def test_the_path_stands_behind_the_third_slash(url, path):
    assert parse(url).path() == path


def test_two_slashes_and_a_name_are_a_usage_error_that_shows_the_third():
    with pytest.raises(UsageError, match=r"duckdb:///crimes\.duckdb"):
        parse("duckdb://crimes.duckdb").path()


@pytest.mark.parametrize("text", ["", "crimes.duckdb", "://x", "postgresql:/x"])
def test_a_text_without_a_scheme_is_no_url(text):
    with pytest.raises(UsageError):
        parse(text)


def test_a_missing_file_is_not_made(tmp_path):
    url = parse(f"duckdb:///{tmp_path}/missing.duckdb")
    with pytest.raises(StorageError, match="does not exist"):
        url.existing_file()
    assert list(tmp_path.iterdir()) == []


def test_a_folder_is_no_file(tmp_path):
    with pytest.raises(StorageError, match="is a folder"):
        parse(f"sqlite:///{tmp_path}").existing_file()


@pytest.mark.parametrize(
    ("url", "masked"),
    [
        ("postgresql://u:secret@h:5432/d", "postgresql://u:***@h:5432/d"),
        ("postgresql://u@h/d?password=secret&a=b", "postgresql://u@h/d?password=***&a=b"),
        ("postgresql://u:se/cret@h/d", "postgresql://u:***@h/d"),
        ("postgresql://u:se@cret@h/d", "postgresql://u:***@h/d"),
        ("postgresql://u:se?cret@h/d", "postgresql://u:***@h/d"),
        ("postgresql://u@h/d", "postgresql://u@h/d"),
        ("postgresql://h:5432/d?user=a@b", "postgresql://h:5432/d?user=a@b"),
        ("duckdb:////srv/a:b@c.duckdb", "duckdb:////srv/a:b@c.duckdb"),
        ("neo4j+s://neo4j:secret@host", "neo4j+s://neo4j:***@host"),
        ("no url", "no url"),
    ],
)
def test_a_password_is_masked(url, masked):
    assert mask(url) == masked


@given(st.text(st.characters(codec="utf-8", exclude_characters="*?"), min_size=8))
def test_no_password_gets_through_a_mask(password):
    secret = f"Xy{password}yX"
    masked = mask(f"postgresql://user:{secret}@host/database")
    assert masked == "postgresql://user:***@host/database"


@pytest.mark.parametrize("password", ["p@ss", "p/ss", "p?ss"])
def test_a_password_that_is_not_escaped_is_a_usage_error_without_the_password(password):
    with pytest.raises(UsageError) as caught:
        parse(f"postgresql://u:{password}@host/d").check_password()
    assert "%40" in caught.value.hint
    assert password not in str(caught.value)


@pytest.mark.parametrize("password", ["p%40ss", "p:ss", "p#ss", ""])
def test_a_password_that_is_escaped_is_fine(password):
    parse(f"postgresql://u:{password}@host/d").check_password()
