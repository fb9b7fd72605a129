"""What is particular to kglite files: their process, their replacement, files that are none."""

from __future__ import annotations

import os
import signal
import threading
import time
from pathlib import Path

import pytest

from groundwire.database import connect
from groundwire.database.graph_load import load_graph
from groundwire.database.kglite import KGLite
from groundwire.errors import ConnectionLost, StorageError, UsageError
from groundwire.settings import Settings
from tests.graph_fixtures import node

COUNT = "MATCH (n) RETURN count(n)"
LONG = """
UNWIND range(1, 9000) AS x UNWIND range(1, 9000) AS y UNWIND range(1, 9000) AS z
WITH x, y, z WHERE x * y * z % 7 = 3 RETURN count(*)
"""


@pytest.fixture
def url(tmp_path: Path) -> str:
    url = f"kglite:///{tmp_path / 'graph.kgl'}"
    load_graph([node(1, "A", x=1), node(2, "A", x=2)], [], url)
    return url


def opened(url: str) -> KGLite:
    return KGLite(url, Settings())


def test_a_replaced_file_is_read_anew(url: str):
    with opened(url) as database:
        assert database.execute(COUNT).rows == ((2,),)
        first = database.catalog()
        time.sleep(0.01)
        load_graph([node(3, "B")], [], url)
        assert database.execute(COUNT).rows == ((3,),)
        assert database.catalog() is not first


def test_a_removed_file_stays_readable(url: str):
    with opened(url) as database:
        Path(url.removeprefix("kglite:///")).unlink()
        assert database.execute(COUNT).rows == ((2,),)


def test_reading_leaves_no_file_behind(url: str, tmp_path: Path):
    before = {path.name: path.read_bytes() for path in tmp_path.iterdir()}
    with opened(url) as database:
        database.execute(COUNT)
        database.catalog()
    assert {path.name: path.read_bytes() for path in tmp_path.iterdir()} == before


def test_a_process_that_died_before_a_query_is_started_again(url: str):
    with opened(url) as database:
        assert database._process is not None
        os.kill(database._process._process.pid, signal.SIGKILL)
        database._process._process.wait()
        assert database.execute(COUNT).rows == ((2,),)


def test_a_process_that_dies_under_a_query_is_said_and_started_again(url: str):
    with opened(url) as database:
        assert database._process is not None
        pid = database._process._process.pid
        threading.Timer(0.3, os.kill, (pid, signal.SIGKILL)).start()
        with pytest.raises(ConnectionLost, match="ended"):
            database.execute(LONG)
        assert database.execute(COUNT).rows == ((2,),)


def test_closing_ends_the_process(url: str):
    database = opened(url)
    assert database._process is not None
    process = database._process._process
    assert process.poll() is None
    database.close()
    assert process.poll() is not None


@pytest.mark.parametrize(
    ("name", "content", "error", "words"),
    [
        ("none.kgl", None, StorageError, "does not exist"),
        ("text.kgl", b"hello", StorageError, "not a kglite graph"),
        ("empty.kgl", b"", StorageError, "not a kglite graph"),
    ],
)
def test_what_is_no_graph_is_refused(tmp_path: Path, name, content, error, words):
    path = tmp_path / name
    if content is not None:
        path.write_bytes(content)
    with pytest.raises(error, match=words) as caught:
        connect(f"kglite:///{path}")
    assert caught.value.hint


def test_a_url_without_a_file_is_refused():
    with pytest.raises(UsageError, match="names no file"):
        connect("kglite://")


def test_nothing_is_loaded_into_a_file_of_somebody_else(tmp_path: Path):
    import kglite

    path = tmp_path / "other.kgl"
    kglite.KnowledgeGraph().save(str(path))
    before = path.read_bytes()
    with pytest.raises(UsageError, match="not made by Groundwire"):
        load_graph([node(1, "A")], [], f"kglite:///{path}")
    assert path.read_bytes() == before


def test_remarks_name_properties_as_people_do(tmp_path: Path):
    url = f"kglite:///{tmp_path / 'graph.kgl'}"
    load_graph([node(1, "A", name="x")], [], url)
    with opened(url) as database:
        (remark,) = database.notifications("MATCH (a:A) RETURN a.title")
    assert "'title'" in remark.message
    assert remark.code == "01N52"
