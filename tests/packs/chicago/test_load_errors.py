"""What bad files and bad targets get: a clear error, and nothing is written."""

from __future__ import annotations

import gzip
import os
import subprocess
import sys
import tempfile
from datetime import date
from pathlib import Path

import pytest

from groundwire.errors import AccessDenied, GroundwireError, StorageError, UsageError
from groundwire.packs.chicago import generate, load
from tests.packs.chicago.conftest import HEADER, query, row, write_export


@pytest.fixture
def export(tmp_path: Path) -> Path:
    """A good file of two rows."""
    return write_export(tmp_path / "crimes.csv", [row(id="1"), row(id="2")])


def refusal(file: Path, url: str) -> GroundwireError:
    with pytest.raises(GroundwireError) as caught:
        load(file, url)
    assert caught.value.hint
    return caught.value


def test_a_missing_file_and_a_folder(tmp_path: Path, duckdb_url: str) -> None:
    missing = refusal(tmp_path / "none.csv", duckdb_url)
    assert isinstance(missing, UsageError)
    assert "There is no file" in missing.message
    assert "is a folder" in refusal(tmp_path, duckdb_url).message
    assert list(tmp_path.iterdir()) == []


def test_something_that_is_no_ordinary_file(tmp_path: Path, duckdb_url: str) -> None:
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    assert "no ordinary file" in refusal(pipe, duckdb_url).message


@pytest.mark.parametrize(
    ("content", "words"),
    [
        (b"", "is empty"),
        (b"\n\n", "is empty"),
        (b"\x7fELF\x02\x01\x01\x00\x00\x00", "is not a text file"),
        (b"\xff\xd8\xff\xe0\x00\x10JFIF", "is not a text file"),
        (b"PK\x03\x04\x14\x00\x00\x00", "is not a text file"),
        (b"id,name\n1,x\n", "has not the portal's header: case number, date, block"),
        (",".join(HEADER[:-1]).encode() + b"\n", "location is missing"),
        (",".join((*HEADER, "ID")).encode() + b"\n", "has the column id twice"),
        (b'"ID,Case Number\n', "has not the portal's header"),
    ],
)
def test_a_file_that_is_no_export(
    tmp_path: Path, duckdb_url: str, content: bytes, words: str
) -> None:
    path = tmp_path / "crimes.csv"
    path.write_bytes(content)
    error = refusal(path, duckdb_url)
    assert isinstance(error, UsageError)
    assert words in error.message
    assert [file.name for file in tmp_path.iterdir()] == ["crimes.csv"]


def test_a_header_alone_is_a_file_of_no_rows(tmp_path: Path, any_url: str) -> None:
    report = load(write_export(tmp_path / "crimes.csv", []), any_url)
    assert (report.lines, report.inserted) == (0, 0)
    assert query(any_url, "SELECT count(*) FROM CRIMES") == [(0,)]


@pytest.mark.parametrize("damage", ["cut", "flipped"])
def test_a_damaged_compressed_file_is_found_before_anything_is_written(
    tmp_path: Path, duckdb_url: str, damage: str
) -> None:
    whole = tmp_path / "whole.csv"
    generate(2_000, 1, whole, today=date(2026, 11, 30))
    packed = bytearray(gzip.compress(whole.read_bytes()))
    whole.unlink()
    if damage == "cut":
        del packed[len(packed) // 2 :]
    else:
        packed[len(packed) // 2] ^= 0xFF
    path = tmp_path / "crimes.csv.gz"
    path.write_bytes(packed)
    error = refusal(path, duckdb_url)
    assert isinstance(error, UsageError)
    assert "damaged or ends too early" in error.message
    assert [file.name for file in tmp_path.iterdir()] == ["crimes.csv.gz"]


@pytest.mark.parametrize(
    ("url", "words"),
    [
        ("duckdb://", "in memory"),
        ("sqlite://", "in memory"),
        ("neo4j://localhost", "neo4j"),
        ("crimes.duckdb", "not a database URL"),
        ("postgresql://localhost:1/none", "No database answers"),
    ],
)
def test_a_url_that_nothing_is_loaded_into(export: Path, url: str, words: str) -> None:
    assert words in refusal(export, url).message


def test_a_target_that_is_no_database(tmp_path: Path, export: Path) -> None:
    other = tmp_path / "notes.duckdb"
    other.write_text("These are notes, long enough to be no database file of any kind. " * 100)
    assert isinstance(refusal(export, f"duckdb:///{other}"), StorageError)
    assert isinstance(refusal(export, f"sqlite:///{other}"), StorageError)
    assert other.read_text().startswith("These are notes")


def test_a_target_in_a_folder_that_does_not_exist(tmp_path: Path, export: Path) -> None:
    error = refusal(export, f"duckdb:///{tmp_path}/nowhere/crimes.duckdb")
    assert isinstance(error, StorageError)


def test_a_table_crimes_of_another_shape_is_left_alone(any_url: str, export: Path) -> None:
    create_other_table(any_url)
    error = refusal(export, any_url)
    assert isinstance(error, UsageError)
    assert "CRIMES with other columns" in error.message


def create_other_table(url: str) -> None:
    from groundwire.database.writing import open_for_writing

    with open_for_writing(url) as connection:
        connection.execute("CREATE TABLE CRIMES (ID INTEGER, NAME TEXT)")


def test_a_role_that_may_not_write(postgres_url: str, export: Path) -> None:
    import psycopg

    with psycopg.connect(postgres_url, autocommit=True) as server:
        server.execute("DROP ROLE IF EXISTS looker")
        server.execute("CREATE ROLE looker LOGIN PASSWORD 'secret'")
    looker = postgres_url.replace("postgres@", "looker:secret@", 1)
    error = refusal(export, looker)
    assert isinstance(error, AccessDenied)
    assert "secret" not in str(error)


def test_two_loads_at_once_into_one_database_are_refused(postgres_url: str, export: Path) -> None:
    import psycopg

    with psycopg.connect(postgres_url) as server:
        server.execute("SELECT pg_advisory_lock(hashtext('chicago_load'))")
        error = refusal(export, postgres_url)
    assert "Another load" in error.message
    assert load(export, postgres_url).inserted == 2


FULL_DISK = """
import resource, signal, sys
from pathlib import Path
from groundwire.errors import StorageError
from groundwire.packs.chicago import generate, load
resource.setrlimit(resource.RLIMIT_FSIZE, (int(sys.argv[3]), resource.RLIM_INFINITY))
signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
try:
    if sys.argv[1] == "generate":
        generate(30_000, 1, Path(sys.argv[2]))
    else:
        load(Path(sys.argv[1]), sys.argv[2])
except StorageError as error:
    print("StorageError", error)
"""


@pytest.mark.parametrize("kind", ["duckdb", "sqlite"])
def test_a_disk_that_is_full_during_the_load(tmp_path: Path, kind: str) -> None:
    """The limit of a process on the size of its files stands for the end of the disk."""
    file = tmp_path / "crimes.csv"
    generate(20_000, 1, file, today=date(2026, 11, 30))
    target = f"{kind}:///{tmp_path}/crimes.{kind}"
    found = run(FULL_DISK, str(file), target, "1500000", tmp_path)
    assert "StorageError" in found
    assert leftovers(tmp_path) == []
    assert load(file, target).lines == 20_000
    assert query(target, "SELECT count(*) FROM CRIMES") == [(20_000,)]


def test_a_disk_that_is_full_while_generating(tmp_path: Path) -> None:
    folder = tmp_path / "out"
    folder.mkdir()
    found = run(FULL_DISK, "generate", str(folder / "crimes.csv"), "1000000", tmp_path)
    assert "StorageError Cannot write" in found
    assert list(folder.iterdir()) == []


def run(script: str, first: str, second: str, third: str, folder: Path) -> str:
    temporary = folder / "tmp"
    temporary.mkdir()
    done = subprocess.run(
        [sys.executable, "-c", script, first, second, third],
        capture_output=True,
        text=True,
        timeout=120,
        env={**os.environ, "TMPDIR": str(temporary)},
        check=False,
    )
    return done.stdout + done.stderr


def leftovers(folder: Path) -> list[str]:
    return [path.name for path in (folder / "tmp").iterdir()]


def test_a_temporary_folder_that_is_gone(
    tmp_path: Path, duckdb_url: str, export: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path / "nowhere"))
    error = refusal(export, duckdb_url)
    assert isinstance(error, StorageError)
