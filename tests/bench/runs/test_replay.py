"""Recorded drafts through the guard; two runs compared; one component off at a time."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

import pytest

from groundwire.bench.runs.ablation import GUARD_COMPONENTS
from groundwire.bench.runs.compare import compare
from groundwire.bench.runs.folder import RunFolder
from groundwire.bench.runs.record import Record
from groundwire.errors import UsageError
from tests.bench.conftest import Ran
from tests.bench.runs.conftest import Shop

Bench = Callable[..., Ran]
DRAFTS = {
    "cheap": "SELECT count(*) FROM products WHERE price < 2",
    "names": "SELECT name FROM products WHERE kind = 'Toy'",
    "kinds": "SELECT name FROM nowhere",
}


def drafts(shop: Shop, texts: Mapping[str, str] = DRAFTS) -> Path:
    return shop.write("drafts.jsonl", [{"id": id, "query": text} for id, text in texts.items()])


def test_every_draft_is_judged_before_and_after(shop: Shop, bench: Bench) -> None:
    to = shop.folder / "replay"
    ran = bench("replay", drafts(shop), "--cases", shop.file, "--to", to, "--json")
    assert ran.code == 0, ran.err
    records = {record.id: record for record in RunFolder.open(to).records}
    assert [records[id].outcome for id in DRAFTS] == ["admitted", "repaired", "refused"]
    assert (records["names"].draft_right, records["names"].right) == (False, True)
    assert records["names"].query.endswith("kind = 'toy'")
    matrix = ran.json["admission"]
    assert (matrix["helped"], matrix["harmed"], matrix["wrong_shown"]) == (["names"], [], [])


def test_a_run_can_be_replayed(shop: Shop, bench: Bench) -> None:
    first, second = shop.folder / "first", shop.folder / "second"
    bench("run", shop.file, "--to", first)
    ran = bench("replay", first, "--to", second, "--databases", shop.folder, "--json")
    assert ran.code == 0, ran.err
    before, after = (RunFolder.open(path).records for path in (first, second))
    assert [record.draft for record in before] == [record.draft for record in after]


def test_a_case_without_a_draft_is_no_draft_at_all(shop: Shop, bench: Bench) -> None:
    to = shop.folder / "replay"
    bench("replay", drafts(shop, {"cheap": "SELECT 1"}), "--cases", shop.file, "--to", to)
    outcomes = {record.id: record.outcome for record in RunFolder.open(to).records}
    assert outcomes == {"cheap": "admitted", "names": "failed", "kinds": "failed"}


def test_a_file_of_drafts_needs_its_cases(shop: Shop, bench: Bench) -> None:
    ran = bench("replay", drafts(shop), "--to", shop.folder / "replay")
    assert ran.code == 2
    assert "--cases" in ran.err


def test_the_drop_one_table_says_what_a_component_brings(shop: Shop, bench: Bench) -> None:
    ran = bench("ablate", drafts(shop), "--cases", shop.file, "--to", shop.folder / "a", "--json")
    assert ran.code == 0, ran.err
    rows = {row["component"]: row for row in ran.json}
    assert tuple(rows) == GUARD_COMPONENTS
    for component in GUARD_COMPONENTS:
        assert rows[component]["gained"] == ["names"]
        assert rows[component]["lost"] == []
    shown = bench("ablate", drafts(shop), "--cases", shop.file, "--to", shop.folder / "a")
    assert "statistics" in shown.out


def test_two_runs_are_compared_case_by_case(shop: Shop, bench: Bench) -> None:
    plain, whole = shop.folder / "plain", shop.folder / "whole"
    words = ("replay", drafts(shop), "--cases", shop.file, "--to")
    bench(*words, whole)
    bench(*words, plain, "--without", "fixes")
    found = bench("compare", plain, whole, "--json").json
    assert (found["cases"], found["gained"], found["lost"], found["p"]) == (3, ["names"], [], 1.0)
    assert "Right in B only: 1  names" in bench("compare", plain, whole).out


def record(id: str, right: float | None, outcome: str = "admitted", **changes: Any) -> Record:
    values = {"ex": right}
    shown = values if outcome in ("admitted", "repaired") else {}
    query = "SELECT 1" if shown else ""
    return Record(id, outcome, "x", "SELECT 1", query, values, shown, "", **changes)  # type: ignore[arg-type]


def test_what_was_refused_counts_as_no_answer() -> None:
    found = compare([record("a", 1.0)], [record("a", 1.0, "refused")])
    assert found.lost == ("a",)
    assert found.metrics["ex"].gain.mean == -1.0


def test_what_cannot_be_decided_is_in_no_mean() -> None:
    first = [record("a", None), record("b", 1.0), record("only here", 0.0)]
    found = compare(first, [record("b", 1.0), record("a", None)])
    assert (found.cases, found.metrics["ex"].first.count) == (2, 1)


def test_runs_without_a_common_case_cannot_be_compared() -> None:
    with pytest.raises(UsageError, match="no case in common"):
        compare([record("a", 1.0)], [record("b", 1.0)])


def test_a_question_that_cannot_be_answered_is_rightly_declined_and_withheld_from_nobody() -> None:
    declined = record("a", 1.0, "refused", answerable=False)
    assert (declined.judged().draft_right, declined.value("ex")) == (False, 1.0)
    answered = record("a", 0.0, answerable=False)
    assert (answered.right, answered.value("ex")) == (False, 0.0)
