"""What a wrong set-up gets: each cause is an error of its own, with what to do."""

from __future__ import annotations

import sys

import pytest

from groundwire.database import connect
from groundwire.errors import DriverMissing, StorageError
from groundwire.settings import Settings


@pytest.mark.parametrize("engine", ["duckdb", "sqlite"])
def test_a_missing_file_is_a_storage_error_and_is_not_made(engine, tmp_path):
    with pytest.raises(StorageError, match="does not exist"):
        connect(f"{engine}:///{tmp_path}/missing")
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize("engine", ["duckdb", "sqlite"])
@pytest.mark.parametrize("content", [b"ID,Case Number\n1,HX1\n" * 999, bytes(range(256)) * 99])
@pytest.mark.parametrize("name", ["file", "file.csv"])
def test_a_file_that_is_no_database_is_a_storage_error(engine, content, name, tmp_path):
    file = tmp_path / name
    file.write_bytes(content)
    with pytest.raises(StorageError, match="is not a") as caught:
        connect(f"{engine}:///{file}")
    assert caught.value.hint
    assert file.read_bytes() == content
    assert list(tmp_path.iterdir()) == [file]


def test_a_missing_driver_names_the_extra_that_brings_it(monkeypatch):
    for name in list(sys.modules):
        if name == "psycopg" or name.startswith("groundwire.database.postgres"):
            monkeypatch.delitem(sys.modules, name)
    monkeypatch.setitem(sys.modules, "psycopg", None)
    with pytest.raises(DriverMissing) as caught:
        connect("postgresql://host/database")
    assert caught.value.hint == "Install it: pip install 'groundwire[postgres]'"
    assert caught.value.who == "operator"


@pytest.mark.parametrize("engine", ["duckdb", "sqlite"])
def test_a_database_in_memory_is_empty_and_read_only(engine):
    with connect(f"{engine}://", Settings(max_rows=5)) as database:
        assert database.execute("SELECT 1 + 1").rows == ((2,),)
        assert database.catalog().tables == ()  # type: ignore[attr-defined]
