"""An answer in the terminal: the sentence first, then what it rests on."""

from __future__ import annotations

from typing import TYPE_CHECKING

from groundwire.cli.output import (
    console,
    print_choices,
    print_error,
    print_findings,
    print_query,
    print_unchecked,
)
from groundwire.counted import counted

if TYPE_CHECKING:
    from groundwire.answer.answer import Answer

__all__ = ["print_answer"]


def print_answer(answer: Answer, *, trace: bool = False) -> None:
    """Sentence, table, bars, query, findings; with `trace` every step."""
    from rich.text import Text

    out = console()
    if answer.standalone_question and answer.standalone_question != answer.question:
        out.print(Text(f"Read as: {answer.standalone_question}", "italic"), soft_wrap=True)
    if answer.error is not None and answer.outcome in ("refused", "failed"):
        print_error(answer.error)
    else:
        out.print(Text(answer.sentence, "bold"), soft_wrap=True)
    _print_rows(answer)
    for assumption in answer.assumptions:
        out.print(Text(f"Taken to mean: {assumption}", "yellow"), soft_wrap=True)
    print_findings(answer.findings)
    print_choices(answer.choices, answer.language)
    print_unchecked(answer.unchecked)
    if answer.query:
        out.print()
        print_query(answer.query, answer.language)
    _print_foot(answer)
    if trace:
        from groundwire.answer.trace_tree import trace_tree

        out.print(trace_tree(answer.trace))


def _print_rows(answer: Answer) -> None:
    from groundwire.answer.charts import terminal_bars
    from groundwire.answer.table import result_table

    if answer.result is None or not answer.result.rows:
        return
    out = console()
    if len(answer.result.rows) > 1 or len(answer.result.columns) > 1:
        out.print(result_table(answer.result, total=answer.total))
    bars = terminal_bars(answer.result, out.width)
    if bars is not None:
        out.print(bars)


def _print_foot(answer: Answer) -> None:
    from rich.text import Text

    cost = answer.cost
    parts = [answer.outcome, f"drafted by {answer.drafter}"]
    if cost.model_calls:
        tokens = cost.prompt_tokens + cost.completion_tokens
        parts.append(f"{counted(cost.model_calls, 'model call')}, {counted(tokens, 'token')}")
    parts.append(f"{cost.executions} run, {counted(cost.probes, 'probe')}, {cost.seconds:.2f} s")
    console().print(Text(" · ".join(parts), "dim"))
