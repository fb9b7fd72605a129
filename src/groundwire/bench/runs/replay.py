"""Recorded drafts of any model through today's guard: no model, every verdict graded."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace

from groundwire.answer.answer import Cost
from groundwire.bench.case import Case
from groundwire.bench.runs.folder import RunFolder
from groundwire.bench.runs.grading import Given, grade
from groundwire.bench.runs.record import Record
from groundwire.bench.scoring import Scorer
from groundwire.database import Database
from groundwire.errors import GroundwireError, ModelError, NotUnderstood
from groundwire.guard import Guard, Verdict

__all__ = ["replay"]


def replay(
    folder: RunFolder,
    drafts: Mapping[str, str],
    scorer: Scorer,
    *,
    on_record: Callable[[Record], None] = lambda record: None,
) -> None:
    """Judge the draft of every case that is not done, run what is admitted, and keep the grade.

    Args:
        folder: of the replay.
        drafts: by the ids of the cases; a case without one is kept as `failed`.

    Raises:
        StorageError: a record cannot be written.
    """
    for case in sorted(folder.todo, key=lambda case: case.database):
        record = grade(scorer, case, _judge(case, drafts.get(case.id, ""), scorer))
        folder.add(record)
        on_record(record)


def _judge(case: Case, draft: str, scorer: Scorer) -> Given:
    if not draft.strip():
        error = NotUnderstood("There is no draft.", hint="A draft was not recorded for this case.")
        return Given("failed", "recorded", "", "", error=error)
    try:
        database = scorer.databases.database(case.database)
        verdict, executions = _run(database, Guard(database).check(draft, case.question), case)
    except GroundwireError as error:
        return Given("failed", "recorded", draft, "", error=error)
    seconds = verdict.seconds + (verdict.result.elapsed if verdict.result else 0.0)
    return Given(
        outcome=verdict.outcome,
        drafter="recorded",
        draft=draft,
        query=verdict.query if verdict.ok else "",
        findings=verdict.findings,
        choices=verdict.choices,
        unchecked=verdict.unchecked,
        error=verdict.error,
        usd=0.0,
        cost=Cost(probes=verdict.probes, executions=executions, seconds=seconds),
    )


def _run(database: Database, verdict: Verdict, case: Case) -> tuple[Verdict, int]:
    """The verdict with what the result gave away, and how often the query was run."""
    if not verdict.ok:
        return verdict, 0
    try:
        result = database.execute(verdict.query)
    except ModelError as error:
        return replace(verdict, outcome="failed", error=error), 1
    examined = Guard(database).examine(verdict, result, case.question)
    return replace(examined, result=result), 1
