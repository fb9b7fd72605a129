"""A load that is killed or stopped in the middle goes on where it was and ends up the same."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time
from datetime import date
from pathlib import Path

import pytest

from groundwire.errors import Cancelled
from groundwire.packs.chicago import LoadReport, generate, load
from tests.examples import THOROUGH
from tests.packs.chicago.conftest import query, row, write_export

ROWS = 2_000

# Small pieces, and a pause after each, so that there is a middle to be killed in.
LOAD = """
import sys, time
from pathlib import Path
import groundwire.packs.chicago.loading.source as source
from groundwire.errors import Cancelled
from groundwire.packs.chicago import load
source.PIECE_LINES = 210
def slowly(stage, done):
    print(stage, done, flush=True)
    time.sleep(0.05)
try:
    load(Path(sys.argv[1]), sys.argv[2], progress=slowly)
except Cancelled as error:
    print("cancelled:", error, flush=True)
"""


@pytest.fixture(scope="module")
def export(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Two thousand rows, some of them without coordinates or flags, some lines bad."""
    path = tmp_path_factory.mktemp("interrupted") / "crimes.csv"
    generate(ROWS, 5, path, today=date(2026, 11, 30))
    lines = path.read_text().splitlines()
    for n in range(100, ROWS, 100):
        lines[n] = lines[n].replace(",false,", ",,", 1)
        lines[n + 1] = lines[n + 1][:40]
    path.write_text("\n".join(lines) + "\n")
    return path


def start(export: Path, url: str, folder: Path) -> subprocess.Popen[str]:
    temporary = folder / "tmp"
    temporary.mkdir(exist_ok=True)
    return subprocess.Popen(
        [sys.executable, "-c", LOAD, str(export), url],
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        env={**os.environ, "TMPDIR": str(temporary)},
        # A job in the background of a shell may be started with SIGINT ignored.
        preexec_fn=lambda: signal.signal(signal.SIGINT, signal.default_int_handler),
    )


def wait_for_piece(process: subprocess.Popen[str], piece: int) -> None:
    assert process.stdout is not None
    seen = 0
    for line in process.stdout:
        seen += line.startswith("loading")
        if seen == piece:
            return
    pytest.fail("the load ended too early")


@pytest.fixture(scope="module")
def uninterrupted(export: Path) -> tuple[str, LoadReport]:
    """The database that the export becomes in one go, and the report."""
    url = f"duckdb:///{export.with_name('whole.duckdb')}"
    return url, load(export, url)


@pytest.mark.parametrize("piece", [1, 4])
def test_a_killed_load_goes_on_where_it_was(
    any_url: str, tmp_path: Path, export: Path, uninterrupted: tuple[str, LoadReport], piece: int
) -> None:
    whole, expected = uninterrupted
    process = start(export, any_url, tmp_path)
    wait_for_piece(process, piece)
    process.send_signal(signal.SIGKILL)
    process.wait()
    wait_until_free(any_url)

    ((half,),) = query(any_url, "SELECT count(*) FROM CRIMES")
    ((status, tally),) = query(any_url, "SELECT STATUS, TALLY FROM CHICAGO_LOAD.LOADS")
    assert status == "loading"
    assert f'"inserted": {half}' in tally
    report = load(export, any_url)
    assert report.resumed
    assert (report.lines, report.inserted, report.rejected, report.changes) == (
        expected.lines,
        expected.inserted,
        expected.rejected,
        expected.changes,
    )
    columns = "ID, BLOCK, ARREST, WARD, X_COORDINATE"
    assert query(any_url, f"SELECT {columns} FROM CRIMES ORDER BY ID") == query(
        whole, f"SELECT {columns} FROM CRIMES ORDER BY ID"
    )
    rejected = "SELECT LINE, REASON, ORIGINAL FROM CHICAGO_LOAD.REJECTED ORDER BY LINE"
    assert query(any_url, rejected) == query(whole, rejected)
    assert query(any_url, "SELECT STATUS FROM CHICAGO_LOAD.LOADS") == [("done",)]


def wait_until_free(url: str) -> None:
    """A server notices some time after that its client is gone."""
    if not url.startswith("postgresql"):
        return
    for _ in range(100):
        held = query(url, "SELECT count(*) FROM pg_locks WHERE locktype = 'advisory'")
        if held == [(0,)]:
            return
        time.sleep(0.1)


def test_ctrl_c_stops_the_load_and_leaves_no_file_behind(
    any_url: str, tmp_path: Path, export: Path
) -> None:
    process = start(export, any_url, tmp_path)
    wait_for_piece(process, 2)
    process.send_signal(signal.SIGINT)
    output, _ = process.communicate(timeout=60)
    assert "cancelled: The load was stopped. " in output
    assert process.returncode == 0
    assert list((tmp_path / "tmp").iterdir()) == []
    report = load(export, any_url)
    assert report.resumed
    assert query(any_url, "SELECT count(*) FROM CRIMES") == [(report.inserted,)]


def test_an_interrupt_that_duckdb_noticed_first_is_one_too(
    duckdb_url: str, export: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def interrupted(*_: object) -> None:
        raise RuntimeError("Query interrupted")

    monkeypatch.setattr("groundwire.packs.chicago.loading.ahead.clean_piece", interrupted)
    with pytest.raises(Cancelled, match="goes on from there"):
        load(export, duckdb_url)


@pytest.mark.thorough
def test_an_interrupt_anywhere_leaves_whole_pieces(
    duckdb_url: str, export: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Statements of each piece are interrupted in turn (every one in `make test-slow`); what is
    there is always what is noted.
    """
    from groundwire.packs.chicago.loading.targets import _DuckDbTarget

    monkeypatch.setattr("groundwire.packs.chicago.loading.source.PIECE_LINES", 850)
    execute = _DuckDbTarget.execute
    left = 0

    def interrupted(target: _DuckDbTarget, sql: str, *values: object) -> list[tuple[object, ...]]:
        nonlocal left
        left -= 1
        if left == 0:
            raise KeyboardInterrupt
        return execute(target, sql, *values)

    load(write_export(export.with_name("none.csv"), []), duckdb_url)
    monkeypatch.setattr(_DuckDbTarget, "execute", interrupted)
    stopped = 0
    for statements in range(56, 200, 1 if THOROUGH else 7):
        left = statements
        try:
            load(export, duckdb_url)
            break
        except Cancelled:
            stopped += 1
        ((tally,),) = query(duckdb_url, "SELECT TALLY FROM CHICAGO_LOAD.LOADS WHERE LOAD_ID = 2")
        ((rows,),) = query(duckdb_url, "SELECT count(*) FROM CRIMES")
        assert json.loads(tally).get("inserted", 0) == rows
    assert stopped > 3
    left = 0
    assert load(export, duckdb_url).lines == ROWS


def test_a_file_that_was_changed_meanwhile_is_loaded_from_its_beginning(
    duckdb_url: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("groundwire.packs.chicago.loading.source.PIECE_LINES", 1)
    path = write_export(tmp_path / "x.csv", [row(id=str(n)) for n in range(1, 6)])
    stop_after(path, duckdb_url, 2)
    write_export(path, [row(id=str(n)) for n in range(11, 16)])
    os.utime(path, (1, 1))
    report = load(path, duckdb_url)
    assert not report.resumed
    assert report.inserted == 5
    assert query(duckdb_url, "SELECT count(*) FROM CRIMES WHERE ID > 10") == [(5,)]


def test_another_file_in_between_makes_the_first_start_over(
    duckdb_url: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("groundwire.packs.chicago.loading.source.PIECE_LINES", 1)
    first = write_export(tmp_path / "first.csv", [row(id=str(n)) for n in range(1, 6)])
    second = write_export(tmp_path / "second.csv", [row(id=str(n)) for n in range(4, 9)])
    stop_after(first, duckdb_url, 2)
    between = load(second, duckdb_url)
    assert (between.inserted, between.already_there) == (5, 0)
    report = load(first, duckdb_url)
    assert not report.resumed
    assert (report.inserted, report.already_there, report.duplicates) == (1, 4, 0)


def stop_after(path: Path, url: str, pieces: int) -> None:
    left = pieces

    def stop(stage: str, done: float) -> None:
        nonlocal left
        left -= stage == "loading"
        if left == 0:
            raise KeyboardInterrupt

    with pytest.raises(Cancelled):
        load(path, url, progress=stop)
