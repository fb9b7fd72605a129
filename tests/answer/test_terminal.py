"""Tables, bars and traces in a terminal."""

from __future__ import annotations

import io
from datetime import datetime
from decimal import Decimal
from typing import Any

from hypothesis import given, settings
from hypothesis import strategies as st
from rich.cells import cell_len
from rich.console import Console

from groundwire.answer.charts import terminal_bars
from groundwire.answer.table import result_table
from groundwire.answer.trace_tree import trace_tree
from groundwire.errors import QueryTimeout
from groundwire.trace import Trace
from tests.answer.judged import table
from tests.answer.strategies import results


def printed(renderable: Any, width: int = 60) -> list[str]:
    file = io.StringIO()
    console = Console(file=file, width=width, force_terminal=False)
    console.print(renderable)
    return file.getvalue().splitlines()


def test_figures_stand_to_the_right_and_names_to_the_left() -> None:
    lines = printed(result_table(table(["type", "n"], [["THEFT", 41313], ["ARSON", 7]])))
    assert lines[3:] == [" THEFT   41,313 ", " ARSON        7 ", "                "]


def test_null_is_seen_and_differs_from_a_text() -> None:
    lines = printed(result_table(table(["a", "b"], [[None, ""], ["None", None]])))
    assert "NULL" in lines[3]
    assert "None" in lines[4]
    assert "NULL" in lines[4]


def test_what_is_shown_is_said_with_what_there_is() -> None:
    result = table(["n"], [[number] for number in range(30)])
    assert printed(result_table(result))[-1].strip() == "20 of 30 rows"
    assert printed(result_table(result, total=8123))[-1].strip() == "20 of 8,123 rows"
    cut = table(["n"], [[1], [2]], cut=True)
    assert printed(result_table(cut))[-1].strip() == "2 of more than 2 rows"
    assert printed(result_table(cut, total=9))[-1].strip() == "2 of 9 rows"
    whole = printed(result_table(table(["n"], [[1], [2]])))
    assert not any("rows" in line for line in whole)


def test_stored_markup_and_escapes_are_shown_not_obeyed() -> None:
    lines = printed(result_table(table(["[b]c[/b]"], [["[red]x[/red]"], ["\x1b[31mred\x07"]])))
    text = "\n".join(lines)
    assert "[b]c[/b]" in text
    assert "[red]x[/red]" in text
    assert "␛[31mred␇" in text
    assert "\x1b" not in text


def test_long_texts_are_cut() -> None:
    text = "\n".join(printed(result_table(table(["a"], [["x" * 500]])), width=200))
    assert text.count("x") == 79
    assert "…" in text


def test_a_result_wider_than_the_terminal_is_told_row_by_row() -> None:
    names = [f"column_{number}" for number in range(20)]
    lines = printed(result_table(table(names, [list(range(20)), [None] * 20])))
    assert any(line.startswith("row 2 ") for line in lines)
    assert any(line.split() == ["column_19", "19"] for line in lines)
    assert max(map(len, lines)) <= 60


def test_times_and_decimals_are_shown_as_stored() -> None:
    result = table(["at", "x"], [[datetime(2024, 7, 1, 9, 5), Decimal("1.50")]])
    text = "\n".join(printed(result_table(result)))
    assert "2024-07-01 09:05:00" in text
    assert "1.50" in text


@settings(max_examples=60, deadline=None)
@given(results, st.integers(20, 200))
def test_no_result_breaks_the_table_or_runs_over_the_edge(result: Any, width: int) -> None:
    for line in printed(result_table(result), width):
        assert cell_len(line) <= width


@settings(max_examples=60, deadline=None)
@given(results, st.integers(40, 200))
def test_no_result_breaks_the_bars_or_runs_over_the_edge(result: Any, width: int) -> None:
    bars = terminal_bars(result, width)
    if bars is not None:
        for line in printed(bars, width):
            assert cell_len(line) <= width


def bars(result: Any, width: int = 60) -> list[str]:
    renderable = terminal_bars(result, width)
    assert renderable is not None
    return printed(renderable, width)


def test_the_longest_bar_is_the_highest_figure() -> None:
    lines = bars(table(["type", "n"], [["THEFT", 100], ["ARSON", 50], ["OTHER", 0]]))
    lengths = [line.count("█") for line in lines]
    assert lengths[0] == 2 * lengths[1] > 0
    assert lengths[2] == 0
    assert lines[0].rstrip().endswith("100")


def test_bars_line_up_in_every_script() -> None:
    lines = bars(table(["type", "n"], [["盗难", 100], ["Überfall", 90], ["قتل", 80]]))
    assert len({cell_len(line[: line.index("█")]) for line in lines}) == 1


def test_negative_figures_grow_the_other_way_from_a_common_zero() -> None:
    lines = bars(table(["type", "n"], [["up", 50], ["down", -50]]))
    up, down = (line.replace("up", "").replace("down", "").rsplit(" ", 1)[0] for line in lines)
    assert up.index("█") > down.rindex("█")


def test_a_group_without_a_name_and_one_without_a_figure_are_shown() -> None:
    text = "\n".join(bars(table(["type", "n"], [[None, 5], ["ARSON", None], ["X", 1]])))
    assert text.count("(no value)") == 2


def test_at_most_twenty_bars_and_how_many_more() -> None:
    lines = bars(table(["type", "n"], [[f"type {number}", number] for number in range(40)]))
    assert len(lines) == 21
    assert lines[-1].strip() == "… and 20 more"


def test_long_labels_are_cut() -> None:
    lines = bars(table(["type", "n"], [["x" * 90, 5], ["y", 2]]))
    assert "…" in lines[0]
    assert max(map(cell_len, lines)) <= 60


def test_results_that_suit_no_chart_get_none() -> None:
    for result in (
        table(["n"], [[1]]),
        table(["n"], []),
        table(["a", "b"], [["x", "y"], ["z", "w"]]),
        table(["type", "n"], [["same", 1], ["same", 2]]),
        table(["type", "n"], [[f"t{number}", number] for number in range(51)]),
        table(["type", "n"], [["a", None], ["b", None]]),
    ):
        assert terminal_bars(result) is None


def test_a_trace_is_told_as_a_tree_with_times_and_errors() -> None:
    trace = Trace()
    try:
        with trace.step("run", "ran [it]", query="SELECT 1\nFROM t") as step:
            trace.note("probe", "is it stored?", seconds=0.002)
            step.add(prompt="p" * 1000, rows=[1, 2])
            raise QueryTimeout("too slow")
    except QueryTimeout:
        pass
    text = "\n".join(printed(trace_tree(trace), 500))
    assert "ran [it]" in text
    assert "TIMEOUT: too slow" in text
    assert "probe  2.0 ms  is it stored?" in text
    assert "… (1,000 characters)" in text
    assert "rows: [1, 2]" in text
