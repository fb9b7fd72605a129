"""The answer of one question, put together from what the pipeline found."""

from __future__ import annotations

from dataclasses import dataclass

from groundwire.answer.answer import Answer
from groundwire.answer.charts import chart_spec
from groundwire.answer.failure import failure_sentence
from groundwire.answer.narrate import narrate
from groundwire.counted import counted
from groundwire.database.base import Database, SqlDatabase
from groundwire.database.result import Result
from groundwire.draft.base import Draft
from groundwire.draft.drafting import Drafting, OnDatabase
from groundwire.errors import AskerError, GroundwireError, QueryError, ReadOnlyError
from groundwire.guard.findings import Choice, Outcome, Verdict
from groundwire.trace import note

__all__ = ["Found", "compose"]


@dataclass(frozen=True, slots=True)
class Found:
    """What is known at the end of a question.

    `first_draft` is the text that the drafter wrote first; `draft` the last one, if it is usable.
    """

    question: str
    standalone_question: str
    first_draft: str = ""
    draft: Draft | None = None
    verdict: Verdict | None = None
    result: Result | None = None
    error: GroundwireError | None = None


async def compose(
    found: Found, database: Database, drafting: Drafting, on_database: OnDatabase, *, worded: bool
) -> Answer:
    """An Answer without its cost and trace.

    Args:
        worded: a model may word the sentence, if the drafter is one.
    """
    understood = found.draft.understood if found.draft else ()
    sentence, total, outcome = "", None, _outcome(found)
    if found.result is not None and found.verdict is not None:
        total = await _total(found.result, found.verdict.query, database, on_database)
        wording = drafting.narrate if worded and drafting.words_answers else None
        narration = await narrate(
            found.standalone_question,
            found.result,
            wording,
            total=total,
            understood=understood,
            context=found.draft.assumptions if found.draft else (),
        )
        note("narrate", f"worded by the {narration.by}", why=narration.why, said=narration.offered)
        sentence = narration.sentence
    else:
        sentence = failure_sentence(outcome, found.error, _choices(found))
    query = found.verdict.query if found.verdict is not None and found.verdict.ok else ""
    return Answer(
        question=found.question,
        standalone_question=found.standalone_question,
        outcome=outcome,
        sentence=sentence,
        language=database.language,
        dialect=database.dialect,
        drafter=found.draft.drafter if found.draft else drafting.name,
        draft=found.first_draft,
        query=query,
        result=found.result,
        total=total,
        findings=found.verdict.findings if found.verdict is not None else (),
        choices=_choices(found),
        unchecked=found.verdict.unchecked if found.verdict is not None else (),
        error=found.error if found.result is None else None,
        understood=understood,
        assumptions=found.draft.assumptions if found.draft else (),
        chart=chart_spec(found.result, found.standalone_question) if found.result else None,
    )


def _outcome(found: Found) -> Outcome:
    if found.result is not None and found.verdict is not None:
        # A query that is not the first draft was repaired, by the guard or by a second thought.
        return "admitted" if found.verdict.query == found.first_draft else "repaired"
    if found.verdict is not None and found.verdict.outcome == "asked":
        return "asked"
    turned_away = isinstance(found.error, AskerError | ReadOnlyError)
    return "refused" if turned_away else "failed"


def _choices(found: Found) -> tuple[Choice, ...]:
    return found.verdict.choices if found.verdict is not None else ()


async def _total(
    result: Result, query: str, database: Database, on_database: OnDatabase
) -> int | None:
    """How many rows a cut result has in all; None where counting takes too long."""
    if not result.truncated or not isinstance(database, SqlDatabase):
        return None
    from groundwire.query.sql import parse
    from groundwire.query.sql.count import count_text

    statement = count_text(parse(query, database.dialect))
    try:
        answer = await on_database(
            database.execute, statement, timeout=database.settings.probe_timeout
        )
    except QueryError as error:
        note("count", "the rows could not be counted", error=error.message)
        return None
    total = int(answer.rows[0][0])
    note("count", f"counted {counted(total, 'row')}", seconds=answer.elapsed, statement=statement)
    return total
