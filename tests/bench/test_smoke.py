"""`make bench-smoke`: every metric once, and one small run from the set to the report."""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from groundwire.bench.metrics import METRICS, OPTIONAL, applies
from groundwire.bench.scoring import Scored
from tests.bench.conftest import Ran

NEEDS_A_MODEL = {"sq"}
NEEDS_A_PACKAGE = {"bertscore"}
GOLD = "SELECT name, price FROM products WHERE kind = 'toy' ORDER BY price"


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A shop on SQLite, a graph of people, a case and predictions of each."""
    from groundwire.database.graph_demo import demo_graph
    from groundwire.database.graph_load import load_graph

    folder = tmp_path_factory.mktemp("smoke")
    connection = sqlite3.connect(folder / "shop.sqlite")
    with connection:
        connection.execute("CREATE TABLE products (name TEXT, kind TEXT, price REAL)")
        rows = [("Ball", "toy", 1.5), ("Kite", "toy", 7.0), ("Saw", "tool", 12.0)]
        connection.executemany("INSERT INTO products VALUES (?, ?, ?)", rows)
    connection.close()
    load_graph(*demo_graph(40, 7), f"kglite:///{folder / 'people.kgl'}")
    cases = [
        {
            "id": "sql",
            "database": "shop",
            "language": "sql",
            "question": "List the toys with their prices, cheapest first.",
            "queries": [GOLD],
            "order_matters": True,
        },
        {
            "id": "cypher",
            "database": "people",
            "language": "cypher",
            "question": "How many people are there?",
            "queries": ["MATCH (p:Person) RETURN count(p)"],
        },
    ]
    write(folder / "cases.jsonl", cases)
    return folder


def write(path: Path, entries: list[dict[str, Any]]) -> Path:
    path.write_text("".join(f"{json.dumps(entry)}\n" for entry in entries), encoding="utf-8")
    return path


def scored(bench: Callable[..., Ran], folder: Path, *queries: str) -> dict[str, dict[str, Any]]:
    lines = [
        {"id": id, "query": query} for id, query in zip(("sql", "cypher"), queries, strict=True)
    ]
    names = [*METRICS, *(set(OPTIONAL) - NEEDS_A_MODEL - NEEDS_A_PACKAGE)]
    ran = bench(
        "score",
        folder / "cases.jsonl",
        "--predictions",
        write(folder / "predictions.jsonl", lines),
        "--metrics",
        ",".join(names),
        "--json",
    )
    assert ran.code == 0, ran.err
    found = [json.loads(line) for line in ran.out.splitlines()]
    assert set(found[-1]) == {"summary"}
    return {line["id"]: line for line in found[:-1]}


def test_every_metric_takes_the_gold_for_right(folder: Path, bench: Callable[..., Ran]) -> None:
    found = scored(bench, folder, GOLD, "MATCH (p:Person) RETURN count(p)")
    for line in found.values():
        values = {k: v for k, v in line.items() if k not in ("id", "why", "both_empty")}
        assert values.pop("r_ves") != 0.0, "how much it is above 0 is a matter of time"
        assert set(values.values()) <= {1.0, None}, values
        assert values["ex"] == values["executable"] == 1.0


def test_every_metric_takes_nothing_for_wrong(folder: Path, bench: Callable[..., Ran]) -> None:
    for line in scored(bench, folder, "", "").values():
        values = {k: v for k, v in line.items() if k not in ("id", "why")}
        assert set(values.values()) <= {0.0, None}, values


def test_every_metric_of_a_language_has_a_value_there(
    folder: Path, bench: Callable[..., Ran]
) -> None:
    from groundwire.bench import Case

    found = scored(bench, folder, f"{GOLD} DESC", "MATCH (p:Person) RETURN count(*)")
    for id, language in (("sql", "sql"), ("cypher", "cypher")):
        case = Case(id, "", language, "", ("x",), order_matters=True)  # type: ignore[arg-type]
        silent = {name for name, value in found[id].items() if value is None and name in METRICS}
        assert not {name for name in silent if applies(name, case)} - {"ordered", "hybrid"}
    assert (found["sql"]["multiset"], found["sql"]["ordered"]) == (1.0, 0.0)


def test_one_small_run_from_the_set_to_the_report(folder: Path, bench: Callable[..., Ran]) -> None:
    run, page = folder / "run", folder / "report.html"
    ran = bench("run", folder / "cases.jsonl", "--to", run, "--json")
    assert ran.code == 0, ran.err
    assert ran.json["done"] == 2
    assert ran.json["admission"]["wrong_shown"] == []
    replayed = bench("replay", run, "--databases", folder, "--to", folder / "replay", "--json")
    assert replayed.json["drafts"]["ex"] == ran.json["drafts"]["ex"]
    assert bench("compare", run, folder / "replay").code == 0
    assert bench("report", run, folder / "replay", "--to", page).code == 0
    assert page.stat().st_size > 2_000


def test_a_file_that_cannot_be_written_is_said(folder: Path, bench: Callable[..., Ran]) -> None:
    ran = bench("audit", folder / "cases.jsonl", "--drop", folder / "nowhere" / "kept.jsonl")
    assert (ran.code, "cannot be written: No such file or directory" in ran.err) == (4, True)


def test_a_scored_line_keeps_its_keys() -> None:
    """Programs hold on to these (design, section 10)."""
    assert list(METRICS) == [
        "executable",
        "multiset",
        "ordered",
        "permuted",
        "superset",
        "both_empty",
        "hybrid",
        "partial",
        "cypherbench_ex",
        "psjs",
        "bird_ex",
        "soft_f1",
        "test_suite",
    ]
    line = Scored("a", dict.fromkeys(METRICS), "because").to_json()
    assert list(line) == ["id", *METRICS, "why"]
