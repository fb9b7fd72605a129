"""The report: what kind of fault a draft has, the figures, and a page that needs nothing else."""

from __future__ import annotations

import re
from collections.abc import Callable
from html.parser import HTMLParser
from pathlib import Path
from typing import Any

import pytest

from groundwire.bench import Case
from groundwire.bench.admission import Point
from groundwire.bench.report import categories, figures, markdown, page
from groundwire.bench.report.curve import curve_svg
from groundwire.bench.runs.configuration import Configuration
from groundwire.bench.runs.folder import RunFolder
from groundwire.bench.runs.record import Record, Rows
from groundwire.guard.taxonomy import TAXONOMY

INJECTION = "<script>alert(1)</script>"


def pairs() -> list[dict[str, str]]:
    text = (Path(__file__).parent / "differences.txt").read_text("utf-8")
    paragraphs = [
        [line for line in part.splitlines() if not line.startswith("#")]
        for part in text.split("\n\n")
    ]
    return [dict(line.split(": ", 1) for line in lines) for lines in paragraphs if lines]


def record(id: str, draft: str = "SELECT 1", **changes: Any) -> Record:
    given = {
        "id": id,
        "outcome": "admitted",
        "drafter": "x",
        "draft": draft,
        "query": draft,
        "draft_scores": {"executable": 1.0, "ex": 0.0},
        "scores": {"executable": 1.0, "ex": 0.0},
        "why": "The rows differ.",
        "dialect": "sqlite",
        "cost": {"probes": 1, "usd": 0.0},
    }
    return Record(**{**given, **changes})


@pytest.mark.parametrize("pair", pairs(), ids=lambda pair: pair["draft"])
def test_a_difference_has_the_codes_that_its_paragraph_says(pair: dict[str, str]) -> None:
    case = Case("a", "shop", pair["language"], "?", (pair["gold"],))  # type: ignore[arg-type]
    found = categories(record("a", pair["draft"]), case)
    assert found == tuple(pair["codes"].split())
    assert set(found) <= {*TAXONOMY, "other"}


def test_a_draft_that_does_not_run_has_the_code_of_the_guard() -> None:
    case = Case("a", "shop", "sql", "?", ("SELECT 1",))
    finding = {"code": "SCH3", "severity": "fault"}
    failed = record("a", draft_scores={"executable": 0.0, "ex": 0.0}, findings=[finding])
    assert categories(failed, case) == ("SCH3",)
    unread = record("a", draft_scores={"executable": 0.0}, error={"code": "SYN1"})
    assert categories(unread, case) == ("SYN1",)


def test_the_nearest_of_several_golds_decides() -> None:
    case = Case("a", "shop", "sql", "?", ("SELECT a, b, c FROM d", "SELECT a FROM t WHERE x = 1"))
    assert categories(record("a", "SELECT a FROM t WHERE x = 2"), case) == ("ENT1",)


@pytest.fixture
def folder(tmp_path: Path) -> RunFolder:
    cases = [
        Case(
            str(n),
            f"db{n % 2}",
            "sql",
            f"Question {n} {INJECTION} | ?",
            ("SELECT x FROM t",),
            tier="hard",
        )
        for n in range(6)
    ]
    made = RunFolder.begin(tmp_path / "run", Configuration("shop", "openai:test"), cases)
    rows = Rows(1, ("<b>",), "0", False, ((INJECTION,),))
    right = {"executable": 1.0, "ex": 1.0}
    doubt = {
        "code": "AGG1",
        "severity": "doubt",
        "message": INJECTION,
        "evidence": [{"statement": "SELECT 2"}],
    }
    made.add(record("0", draft_scores=right, scores=right, cost={"probes": 2, "usd": None}))
    made.add(record("1", rows=rows, gold_rows=rows, cost={"probes": 3, "usd": 0.5}))
    made.add(record("2", outcome="repaired", query=INJECTION, draft_scores=right))
    made.add(record("3", outcome="refused", query="", scores={}, draft_scores=right))
    made.add(record("4", findings=[doubt]))
    made.add(record("5", draft_scores={"ex": None}, scores={"ex": None}, mark="gold"))
    return made


def test_the_figures_say_what_was_shown_and_withheld(folder: RunFolder) -> None:
    found = figures(folder)
    assert (found.cases, found.done, dict(found.marked)) == (6, 6, {"gold": 1})
    assert found.admission.harmed == ("2",)
    assert found.admission.wrong_shown == ("1", "2", "4")
    assert found.admission.right_withheld == ("3",)
    assert [group.name for group in found.by_database] == ["db0", "db1"]
    assert found.by_tier == (), "one tier alone is no comparison"
    assert found.cost == {"probes": 9, "usd": None}


def test_the_worst_come_first_the_surest_before_the_doubted(folder: RunFolder) -> None:
    worst = figures(folder).worst
    assert [one.record.id for one in worst] == ["2", "1", "4", "3"]
    assert worst[0].what == "a right draft was made wrong"


class Page(HTMLParser):
    """Collects tags, and whether they are closed."""

    def __init__(self) -> None:
        super().__init__()
        self.tags: list[str] = []
        self.open: list[str] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append(tag)
        if tag not in ("meta", "br", "line", "rect", "circle", "polyline"):
            self.open.append(tag)

    def handle_endtag(self, tag: str) -> None:
        if tag not in ("line", "rect", "circle", "polyline"):
            assert self.open.pop() == tag


def test_the_page_needs_nothing_else_and_runs_nothing(folder: RunFolder) -> None:
    text = page([figures(folder)])
    parser = Page()
    parser.feed(text)
    assert parser.open == []
    assert {"table", "svg", "details", "style"} <= set(parser.tags)
    assert not {"script", "link", "img", "iframe", "b1"} & set(parser.tags)
    assert INJECTION not in text
    assert not re.search(r"(?:src|href)=|url\(|@import|https?://", text)


def test_two_runs_of_one_name_are_told_apart(folder: RunFolder) -> None:
    text = page([figures(folder), figures(folder)])
    assert f"{folder.path.name}: openai:test on shop (1)" in text
    assert f"{folder.path.name}: openai:test on shop (2)" in text


def test_every_run_has_a_line_of_its_own_over_round_percentages() -> None:
    point = Point(coverage=0.5, risk=0.67, trust=(0, 0, 0))
    drawn = curve_svg({f"run {number}": [point] for number in range(20)})
    looks = re.findall(r'<polyline [^>]*(stroke="[^"]*")[^>]*(stroke-dasharray="[^"]*")', drawn)
    assert len(set(looks)) == 20
    assert re.findall(r'text-anchor="end">(\d+)%', drawn) == ["0", "20", "40", "60", "80", "100"]


def test_a_markdown_table_has_a_row_a_run(folder: RunFolder) -> None:
    text = markdown([figures(folder)])
    row = next(
        line for line in text.splitlines() if line.startswith(f"| {folder.path.name}: openai:test")
    )
    assert row.count("|") == 13
    assert "60.0% (23.1% to 88.2%)" in row
    assert "| db0 | 3 |" in text


def test_a_run_that_has_not_begun_has_a_report(tmp_path: Path) -> None:
    cases = [Case("a", "shop", "sql", "?", ("SELECT 1",))]
    empty = RunFolder.begin(tmp_path / "run", Configuration("shop", "offline"), cases)
    assert "0 of 1" in page([figures(empty)])
    assert "0 of 1" in markdown([figures(empty)])


def test_the_command_writes_both_files(
    folder: RunFolder, bench: Callable[..., Any], tmp_path: Path
) -> None:
    ran = bench("report", folder.path, "--to", tmp_path / "out.html")
    assert ran.code == 0
    assert (tmp_path / "out.html").read_text("utf-8").startswith("<!doctype html>")
    assert (tmp_path / "out.md").read_text("utf-8").startswith("# Benchmark report")
