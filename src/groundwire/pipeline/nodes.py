"""The nodes: each is a step of one question and a function of that name."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, cast

from langgraph.runtime import Runtime

from groundwire.answer.compose import Found, compose
from groundwire.database.graph import GraphDatabase
from groundwire.draft.drafting import Turn
from groundwire.errors import DraftError, GroundwireError, restore
from groundwire.guard import Guard, Verdict
from groundwire.guard.turned_arrows import CHECK as TURNED
from groundwire.guard.turned_arrows import is_only_turned
from groundwire.pipeline.edges import repairs_left
from groundwire.pipeline.running import grounding_notes, is_sent_back, run_checked, was_turned
from groundwire.pipeline.state import State, Update, Work

if TYPE_CHECKING:
    from groundwire.draft.prompts.request import Failure

__all__ = [
    "answer",
    "check_relevance",
    "draft",
    "fetch_catalog",
    "repair",
    "rewrite",
    "run",
    "validate",
]


async def rewrite(state: State, runtime: Runtime[Work]) -> Update:
    """Make a follow-up a question that stands alone."""
    work, question = runtime.context, state["question"]
    if not state.get("history"):
        return {"standalone_question": question}
    with work.trace.step("rewrite", "read the question after the ones before it") as step:
        try:
            standalone = await work.drafting.standalone(question, state["history"])
        except GroundwireError as error:
            return _failed("rewrite", state, error) | {"standalone_question": question}
        step.add(standalone_question=standalone)
    return {"standalone_question": standalone}


async def check_relevance(state: State, runtime: Runtime[Work]) -> Update:
    """Let go on what may be about this database; doubt means yes."""
    work = runtime.context
    with work.trace.step("check_relevance", "is it about this database?") as step:
        judged = await work.on_database(work.drafting.relevance, state["standalone_question"])
        step.add(**judged.to_json())
    if judged.is_relevant:
        return {"is_relevant": True}
    return {"is_relevant": False} | _failed("check_relevance", state, judged.error())


async def fetch_catalog(state: State, runtime: Runtime[Work]) -> Update:
    """Read what the database declares, from the cache while its schema stands."""
    work = runtime.context
    with work.trace.step("fetch_catalog", "read what the database declares") as step:
        try:
            described = await work.on_database(work.drafting.read_catalog)
        except GroundwireError as error:
            return _failed("fetch_catalog", state, error)
        step.add(**described)
    return {}


async def draft(state: State, runtime: Runtime[Work]) -> Update:
    """Write a query."""
    work = runtime.context
    with work.trace.step("draft", f"asked the drafter {work.drafting.name}") as step:
        try:
            drafted = await work.drafting.draft(state["standalone_question"], work.on_database)
        except GroundwireError as error:
            return _failed("draft", state, error) | {"draft": None}
        step.add(query=drafted.text, understood=drafted.understood)
    return {"draft": drafted, "tried": [drafted.text]}


async def validate(state: State, runtime: Runtime[Work]) -> Update:
    """The guard: one read-only statement, names that exist, the planner's word."""
    work, drafted = runtime.context, state["draft"]
    assert drafted is not None
    with work.trace.step("validate", "checked the draft against the database") as step:
        guard = Guard(work.database)
        verdict = await work.on_database(guard.check, drafted.text, state["standalone_question"])
        work.probes += verdict.probes
        step.add(verdict=verdict.outcome, query=verdict.query, findings=verdict.findings)
    update: Update = {"verdict": verdict, "failure": None}
    return update if verdict.error is None else update | _failed("validate", state, verdict.error)


async def run(state: State, runtime: Runtime[Work]) -> Update:
    """Run the admitted query, read-only, timed and capped; the first that runs is held."""
    work = runtime.context
    verdict = await _verdict(state, runtime)
    if not verdict.ok:
        return {"verdict": verdict, "failure": verdict.error}
    try:
        verdict, results = await run_checked(verdict, state["standalone_question"], work)
        notes: list[str] = []
        if not results.rows and not was_turned(verdict) and repairs_left(state, work):
            notes = await grounding_notes(verdict, work)
    except GroundwireError as error:
        return _failed("run", state, error) | {"verdict": verdict}
    update: Update = {"results": results, "verdict": verdict, "failure": None, "notes": notes}
    update["is_sent_back"] = repairs_left(state, work) and is_sent_back(
        verdict, results, notes, work
    )
    if work.to_the_letter or state.get("held") in (None, state.get("draft")):
        update |= {"held": state.get("draft"), "held_run": (verdict, results)}
    return update


async def repair(state: State, runtime: Runtime[Work]) -> Update:
    """Send the failed draft back with what is known of it, and take the rewrite if it is new."""
    work, count = runtime.context, state.get("retry_count", 0) + 1
    update: Update = {}
    if state.get("verdict") is None and state.get("draft"):
        # The process was resumed here: what was wrong with the draft is measured again.
        update = await run(state, runtime)
        state = cast("State", {**state, **update})
        if state.get("failure") is None and not state.get("is_sent_back"):
            return update
    update["retry_count"] = count
    failure = _failure(state)
    with work.trace.step("repair", f"sent the draft back ({count})") as step:
        try:
            question = state["standalone_question"]
            repaired = await work.drafting.repair(question, failure, work.on_database)
        except DraftError as error:
            # No rewrite: like an unchanged one it ends the loop, with the query in hand.
            step.add(reply=error.message)
            return update | _stopped(failure)
        except GroundwireError as error:
            return update | _failed("repair", state, error)
        step.add(code=repaired.code, cause=repaired.cause, query=repaired.draft.text)
    tried, codes = state.get("tried", []), state.get("codes", [])
    if repaired.draft.text in (*tried, failure.query):
        return update | _stopped(failure)
    return update | {
        "draft": repaired.draft,
        "tried": [*tried, repaired.draft.text],
        "codes": [*codes, repaired.code],
        # The same cause twice: the newest rewrite is the last one (design, section 5).
        "is_exhausted": bool(repaired.code) and repaired.code in codes,
        "failure": None,
        "verdict": None,
        "results": None,
        "notes": [],
        "is_sent_back": False,
    }


async def answer(state: State, runtime: Runtime[Work]) -> Update:
    """Say the result in a true sentence, or truthfully why there is none."""
    work = runtime.context
    state = await _settled(state, runtime)
    with work.trace.step("answer", "worded the answer") as step:
        found = Found(
            question=state["question"],
            standalone_question=state["standalone_question"],
            first_draft=next(iter(state.get("tried", [])), ""),
            draft=state.get("draft"),
            verdict=state.get("verdict"),
            result=state.get("results"),
            error=state.get("failure") or _last_error(state),
        )
        written = await compose(
            found, work.database, work.drafting, work.on_database, worded=work.options.narrate
        )
        step.add(sentence=written.sentence)
    written = replace(written, trace=work.trace, cost=work.cost())
    runtime.stream_writer({"text": written.sentence})
    turn: Turn = {
        "question": state["question"],
        "standalone_question": state["standalone_question"],
        "query": written.query,
        "sentence": written.sentence,
    }
    return {"answer": written, "history": [*state.get("history", []), turn]}


def _failed(node: str, state: State, error: GroundwireError) -> Update:
    entry = {"node": node, **error.to_json()}
    return {"failure": error, "error_log": [*state.get("error_log", []), entry]}


def _failure(state: State) -> Failure:
    """Why the draft goes back: the text that was checked or run last, and what came of it."""
    from groundwire.draft.prompts.request import Failure

    verdict, drafted = state.get("verdict"), state.get("draft")
    results, ran = state.get("results"), state.get("is_sent_back", False)
    return Failure(
        query=verdict.query if verdict else drafted.text if drafted else "",
        error=None if ran else state.get("failure") or _last_error(state),
        empty=ran and not (results and results.rows),
        findings=verdict.findings if verdict else (),
        notes=state.get("notes", []),
    )


def _stopped(failure: Failure) -> Update:
    """No further repair; what failed last is what the answer tells, if no query is held."""
    return {"is_exhausted": True, "draft": None, "failure": failure.error}


async def _settled(state: State, runtime: Runtime[Work]) -> State:
    """The state with the query whose result is the answer.

    The commit gate: a rewrite of a query that ran and found nothing is taken only if it passed the
    guard, finds rows, and is more than the turned query that the loop itself showed: whether that
    is meant, the person chooses. What was measured is measured again where the process was resumed.
    """
    if state.get("results") is None and state.get("failure") is None and state.get("draft"):
        state = await _run_again(state, runtime)
    held, results, ran = state.get("held"), state.get("results"), state.get("held_run")
    found = results is not None and results.rows
    if held is None or (found and not _is_only_turned(state, runtime.context)):
        return _with_doubts(state)
    if ran is None:
        again: State = {**state, "draft": held, "verdict": None, "failure": None}
        return await _run_again(again, runtime)
    return {**state, "draft": held, "verdict": ran[0], "results": ran[1]}


def _is_only_turned(state: State, work: Work) -> bool:
    verdict, ran, database = state.get("verdict"), state.get("held_run"), work.database
    if verdict is None or ran is None or ran[0] is verdict or work.to_the_letter:
        return False
    return isinstance(database, GraphDatabase) and is_only_turned(verdict, ran[0], database)


async def _run_again(state: State, runtime: Runtime[Work]) -> State:
    """Reading again is cheap and changes nothing; nothing goes back from here."""
    return cast("State", {**state, **await run({**state, "is_exhausted": True}, runtime)})


def _with_doubts(state: State) -> State:
    """A rewrite that is taken does not silence what made the loop doubt an empty result."""
    verdict, ran = state.get("verdict"), state.get("held_run")
    if verdict is None or ran is None or ran[0] is verdict:
        return state
    doubts = tuple(finding for finding in ran[0].findings if finding.check == TURNED)
    return {**state, "verdict": replace(verdict, findings=(*verdict.findings, *doubts))}


def _last_error(state: State) -> GroundwireError | None:
    log = state.get("error_log")
    return restore(log[-1]) if log else None


async def _verdict(state: State, runtime: Runtime[Work]) -> Verdict:
    verdict = state.get("verdict")
    if verdict is None:
        verdict = (await validate(state, runtime))["verdict"]
    return verdict
