"""What the `run` node does: run the query, look at what came, and say why it goes back.

One iteration of the execution loop executes at most twice: the query, and where a Cypher query
found nothing, the query with its open arrows turned round.
"""

from __future__ import annotations

from groundwire.database import Result
from groundwire.database.graph import GraphDatabase
from groundwire.errors import QueryError
from groundwire.guard import Guard, Verdict
from groundwire.guard.grounding import ground
from groundwire.guard.probes import Probes
from groundwire.guard.turned_arrows import CHECK, turn_open_arrows
from groundwire.pipeline.state import Work

__all__ = ["grounding_notes", "is_sent_back", "run_checked", "was_turned"]


async def run_checked(verdict: Verdict, question: str, work: Work) -> tuple[Verdict, Result]:
    """Run an admitted query; the verdict with what the result itself gave away, and the result.

    Raises:
        GroundwireError: it failed.
    """
    with work.trace.step("run", "ran the query", query=verdict.query) as step:
        results = await _execute(verdict.query, work)
        step.add(rows=len(results.rows), truncated=results.truncated)
    is_bare = "loop" in work.database.settings.without
    if not results.rows and not is_bare and isinstance(work.database, GraphDatabase):
        verdict, results = await _turn(verdict, results, work.database, work)
    examined = await work.on_database(Guard(work.database).examine, verdict, results, question)
    work.probes += examined.probes - verdict.probes
    seen = examined.findings[len(verdict.findings) :]
    if seen:
        work.trace.note("examine", "what came back looks odd", findings=seen)
    return examined, results


async def grounding_notes(verdict: Verdict, work: Work) -> list[str]:
    """Notes on the literals of a query without rows that are not stored."""
    if "literal" in work.database.settings.without:
        return []
    probes = Probes(work.database)
    with work.trace.step("ground", "looked for the values that the query names") as step:
        notes = await work.on_database(ground, verdict.query, work.database, probes)
        step.add(notes=notes, probes=probes.count)
    work.probes += probes.count
    return [note.sentence for note in notes]


def is_sent_back(verdict: Verdict, results: Result, notes: list[str], work: Work) -> bool:
    """An explicit signal says that a query which ran is wrong.

    An empty result is one to the letter of the paper. Truthfully it needs evidence: a value that
    is not stored, or rows behind an arrow turned round. Without any, nothing may be the answer.
    """
    if results.rows:
        return False
    if work.to_the_letter:
        return True
    return bool(notes) or was_turned(verdict)


def was_turned(verdict: Verdict) -> bool:
    """The query found nothing, and rows with its open arrows turned round."""
    return any(finding.check == CHECK for finding in verdict.findings)


async def _turn(
    verdict: Verdict, empty: Result, database: GraphDatabase, work: Work
) -> tuple[Verdict, Result]:
    """Tier 1: the open arrows turned round. Only by the paper do the rows become the answer."""
    turned = await work.on_database(turn_open_arrows, verdict, database)
    if turned is None:
        return verdict, empty
    with work.trace.step("turn", "ran it with its arrows turned round", query=turned.query) as step:
        try:
            found = await _execute(turned.query, work)
        except QueryError as error:
            step.add(error=error.message)
            return verdict, empty
        step.add(rows=len(found.rows), truncated=found.truncated)
    if not found.rows:
        return verdict, empty
    if work.to_the_letter:
        return turned.repaired(found), found
    return turned.doubted(found), empty


async def _execute(query: str, work: Work) -> Result:
    work.executions += 1
    return await work.on_database(work.database.execute, query)
