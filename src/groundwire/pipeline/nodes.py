"""The nodes: each is a step of one question and a function of that name."""

from __future__ import annotations

from dataclasses import replace

from langgraph.runtime import Runtime

from groundwire.answer.compose import Found, compose
from groundwire.draft.drafting import Turn
from groundwire.errors import DraftError, GroundwireError, restore
from groundwire.guard import Guard, Verdict
from groundwire.guard.grounding import ground
from groundwire.guard.probes import Probes
from groundwire.pipeline.edges import repairs_left
from groundwire.pipeline.state import State, Update, Work

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
    """Run the admitted query, read-only, timed and capped."""
    work = runtime.context
    verdict = await _verdict(state, runtime)
    if not verdict.ok:
        return {"verdict": verdict, "failure": verdict.error}
    with work.trace.step("run", "ran the query", query=verdict.query) as step:
        work.executions += 1
        try:
            results = await work.on_database(work.database.execute, verdict.query)
        except GroundwireError as error:
            return _failed("run", state, error) | {"verdict": verdict}
        step.add(rows=len(results.rows), truncated=results.truncated)
    update: Update = {"results": results, "verdict": verdict, "failure": None, "notes": []}
    if not results.rows and repairs_left(state, work):
        update["notes"] = await _why_empty(verdict.query, work)
    return update


async def repair(state: State, runtime: Runtime[Work]) -> Update:
    """Send the failed draft back with its error, and take the rewrite if it is a new one."""
    work, failed = runtime.context, state.get("draft")
    count = state.get("retry_count", 0) + 1
    failure, verdict = state.get("failure"), state.get("verdict")
    with work.trace.step("repair", f"sent the draft back ({count})") as step:
        try:
            repaired = await work.drafting.repair(
                state["standalone_question"],
                failed,
                failure or _last_error(state),
                verdict.findings if verdict else (),
                work.on_database,
                state.get("notes", []),
            )
        except DraftError as error:
            # No rewrite: like an unchanged one it ends the loop, with the failure in hand.
            step.add(reply=error.message)
            return _stopped(work, state)
        except GroundwireError as error:
            return _failed("repair", state, error) | {"retry_count": count}
        step.add(code=repaired.code, cause=repaired.cause, query=repaired.draft.text)
    tried, codes = state.get("tried", []), state.get("codes", [])
    update: Update = {"retry_count": count, "codes": [*codes, repaired.code]}
    if state.get("notes"):
        # It ran, and found nothing: the query in hand, unless a rewrite finds something.
        update |= {"held": state.get("held") or failed, "notes": [], "results": None}
    if repaired.draft.text in tried:
        return update | _stopped(work, state)
    if repaired.code and repaired.code in codes:
        # The same cause twice: the newest rewrite is the last one (design, section 5).
        update["retry_count"] = work.database.settings.max_repairs
    return update | {
        "draft": repaired.draft,
        "tried": [*tried, repaired.draft.text],
        "failure": None,
    }


async def answer(state: State, runtime: Runtime[Work]) -> Update:
    """Say the result in a true sentence, or truthfully why there is none."""
    work = runtime.context
    if state.get("results") is None and state.get("held") is not None:
        # No rewrite of a query that found nothing holds: that nothing is the answer.
        state = {**state, "draft": state["held"], "verdict": None, "retry_count": 99}
        state = {**state, **await run(state, runtime)}  # type: ignore[typeddict-item]
    elif state.get("results") is None and state.get("failure") is None and state.get("draft"):
        # The process was resumed behind `run`: reading again is cheap and changes nothing.
        state = {**state, **await run(state, runtime)}  # type: ignore[typeddict-item]
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


def _stopped(work: Work, state: State) -> Update:
    """No further repair; what failed last is what the answer tells."""
    failure = state.get("failure") or _last_error(state)
    return {"retry_count": work.database.settings.max_repairs, "draft": None, "failure": failure}


def _last_error(state: State) -> GroundwireError | None:
    log = state.get("error_log")
    return restore(log[-1]) if log else None


async def _verdict(state: State, runtime: Runtime[Work]) -> Verdict:
    verdict = state.get("verdict")
    if verdict is None:
        verdict = (await validate(state, runtime))["verdict"]
    return verdict


async def _why_empty(query: str, work: Work) -> list[str]:
    """Notes on literals that are not stored. Without any, an empty result may well be true."""
    probes = Probes(work.database)
    notes = await work.on_database(ground, query, work.database, probes)
    work.probes += probes.count
    work.trace.note("ground", f"looked for {len(notes)} missing values", notes=notes)
    return [note.sentence for note in notes]
