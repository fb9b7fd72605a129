"""The pipeline of one question: a LangGraph graph.

    rewrite → check_relevance → fetch_catalog → draft → validate → run → answer
                     ↓ a clear miss               ↓        ↓ invalid   ↓ error
                     └──────────────→ answer      └────→ repair ←──────┘  at most three times

The state and the nodes follow the SQL-agent paper (table 2). What can be measured again
(catalog, verdict, results) is never written into a checkpoint: a process that was killed
measures it anew. This module imports LangGraph, so it is imported when a question comes.
"""

from __future__ import annotations

import asyncio
import time
from collections.abc import AsyncGenerator, Callable, Iterator
from contextlib import aclosing, nullcontext
from dataclasses import dataclass, field, replace
from datetime import datetime
from functools import cache
from typing import TYPE_CHECKING, Annotated, Any, TypedDict, TypeVar, cast

from langgraph.channels import UntrackedValue
from langgraph.graph import END, START, StateGraph
from langgraph.runtime import Runtime

from groundwire.answer.answer import Answer, Cost
from groundwire.answer.compose import Found, compose
from groundwire.ask import Event, Options
from groundwire.database import Database, Result, SqlDatabase
from groundwire.draft.base import Draft
from groundwire.draft.drafting import Drafting, OfflineDrafting, Turn
from groundwire.errors import (
    DraftError,
    GroundwireError,
    ModelError,
    QueryTimeout,
    ReadOnlyError,
    restore,
)
from groundwire.guard import Guard, Verdict
from groundwire.guard.grounding import ground
from groundwire.guard.probes import Probes
from groundwire.packs.pack import pack_for
from groundwire.trace import Trace

if TYPE_CHECKING:
    from langgraph.graph.state import CompiledStateGraph

    from groundwire.draft.model import Model
    from groundwire.session import Session

__all__ = ["State", "Work", "answer_question", "begin_work", "build_graph", "unanswered"]

T = TypeVar("T")


class State(TypedDict, total=False):
    """What the nodes share. The annotated values are never checkpointed."""

    question: str
    history: list[Turn]
    standalone_question: str
    is_relevant: bool
    draft: Draft | None
    error_log: list[dict[str, str]]
    retry_count: int
    tried: list[str]
    codes: list[str]
    notes: list[str]
    held: Draft | None
    failure: Annotated[GroundwireError | None, UntrackedValue]
    verdict: Annotated[Verdict | None, UntrackedValue]
    results: Annotated[Result | None, UntrackedValue]
    answer: Annotated[Answer | None, UntrackedValue]


@dataclass(slots=True)
class Work:
    """The live things of one question; LangGraph's runtime context."""

    database: Database
    drafting: Drafting
    options: Options
    now: datetime
    trace: Trace = field(default_factory=Trace)
    probes: int = 0
    executions: int = 0
    began: float = field(default_factory=time.perf_counter)

    def cost(self) -> Cost:
        """What the question has used up so far."""
        calls, prompt_tokens, completion_tokens, embeddings = self.drafting.cost()
        return Cost(
            model_calls=calls,
            prompt_tokens=prompt_tokens,
            completion_tokens=completion_tokens,
            embeddings=embeddings,
            probes=self.probes,
            executions=self.executions,
            seconds=time.perf_counter() - self.began,
        )

    async def on_database(self, function: Callable[..., T], *arguments: Any, **named: Any) -> T:
        """Run a blocking call of the database in a thread; cancelling stops it on the server."""
        call = asyncio.ensure_future(asyncio.to_thread(function, *arguments, **named))
        try:
            return await asyncio.shield(call)
        except asyncio.CancelledError:
            self.database.cancel()
            await asyncio.wait([call])
            raise


Update = dict[str, Any]


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
    if not results.rows and _repairs_left(state, work):
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


def _repairs_left(state: State, work: Work) -> bool:
    left = state.get("retry_count", 0) < work.database.settings.max_repairs
    return work.drafting.can_repair and left


def _may_repair(state: State, runtime: Runtime[Work]) -> bool:
    """A model wrote it, a rewrite may help, and the budget has one left."""
    failure = state.get("failure")
    lost = isinstance(failure, ReadOnlyError | QueryTimeout)
    return _repairs_left(state, runtime.context) and isinstance(failure, ModelError) and not lost


def _after_rewrite(state: State) -> str:
    return "answer" if state.get("failure") else "check_relevance"


def _after_relevance(state: State) -> str:
    return "fetch_catalog" if state["is_relevant"] else "answer"


def _after_catalog(state: State) -> str:
    return "answer" if state.get("failure") else "draft"


def _after_draft(state: State, runtime: Runtime[Work]) -> str:
    """Also behind `repair`: a usable draft is validated, a failed one goes back or ends."""
    if state.get("failure") is None and state.get("draft") is not None:
        return "validate"
    return "repair" if _may_repair(state, runtime) else "answer"


def _after_validate(state: State, runtime: Runtime[Work]) -> str:
    verdict = state.get("verdict")
    if verdict is not None and verdict.ok:
        return "run"
    return "repair" if _may_repair(state, runtime) else "answer"


def _after_run(state: State, runtime: Runtime[Work]) -> str:
    if state.get("failure") is None:
        return "repair" if state.get("notes") else "answer"
    return "repair" if _may_repair(state, runtime) else "answer"


@cache
def _plan() -> StateGraph[State, Work, State, State]:
    plan = StateGraph(State, context_schema=Work)
    for node in (rewrite, check_relevance, fetch_catalog, draft, validate, run, repair, answer):
        plan.add_node(node.__name__, node)
    plan.add_edge(START, "rewrite")
    plan.add_conditional_edges("rewrite", _after_rewrite, ["check_relevance", "answer"])
    plan.add_conditional_edges("check_relevance", _after_relevance, ["fetch_catalog", "answer"])
    plan.add_conditional_edges("fetch_catalog", _after_catalog, ["draft", "answer"])
    plan.add_conditional_edges("draft", _after_draft, ["validate", "repair", "answer"])
    plan.add_conditional_edges("validate", _after_validate, ["run", "repair", "answer"])
    plan.add_conditional_edges("run", _after_run, ["repair", "answer"])
    plan.add_conditional_edges("repair", _after_draft, ["validate", "repair", "answer"])
    plan.add_edge("answer", END)
    return plan


def build_graph(checkpointer: Any = None) -> CompiledStateGraph[State, Work, State, State]:
    """The compiled graph; with a checkpointer it can be resumed."""
    return _plan().compile(checkpointer=checkpointer)


async def answer_question(
    work: Work, question: str | None, session: Session | None
) -> AsyncGenerator[Event, None]:
    """Run the graph for one question and tell what happens; the last event is the answer.

    Args:
        work: the live things.
        question: None resumes the question that a stopped process left in the session.
        session: the conversation, or None for a question on its own.
    """
    saver = session.saver() if session is not None else nullcontext(None)
    async with saver as checkpointer:
        graph = build_graph(checkpointer)
        config = session.config if session is not None else None
        start: State | None = None
        if question is not None:
            start = {"question": question, "draft": None, "error_log": [], "retry_count": 0}
            start |= {"tried": [], "codes": [], "notes": [], "held": None}
        steps = cast(
            "AsyncGenerator[tuple[str, dict[str, Any]], None]",
            graph.astream(
                start,
                config,
                context=work,
                stream_mode=["updates", "custom"],
                durability="sync" if session is not None else None,
            ),
        )
        last: Event | None = None
        with work.trace.active():
            async with aclosing(steps):
                async for mode, chunk in steps:
                    for event in _events(mode, chunk):
                        if event.kind == "answer":
                            # Told when the graph has ended, and with it the last checkpoint.
                            last = event
                        else:
                            yield event
        if last is not None:
            yield last


def _events(mode: str, chunk: dict[str, Any]) -> Iterator[Event]:
    if mode == "custom":
        yield Event("text", chunk)
        return
    for node, update in chunk.items():
        yield Event("step", {"node": node, **_summary(update)})
        if update and update.get("answer") is not None:
            yield Event("answer", answer=update["answer"])


async def begin_work(database: Database, model: Model | None, options: Options) -> Work:
    """The live things of one question: the pack that recognises the database, the drafter.

    Raises:
        OperatorError: the database cannot be asked.
    """
    now = options.now or datetime.now().astimezone()
    pack = options.pack
    if pack is None and isinstance(database, SqlDatabase):
        catalog = await asyncio.to_thread(database.catalog)
        pack = await asyncio.to_thread(pack_for, catalog)
    drafting: Drafting
    if model is None:
        drafting = OfflineDrafting(database, pack, now)
    else:
        from groundwire.draft.model_drafting import ModelDrafting

        drafting = ModelDrafting(database, pack, now, model, options.prompt, options.schema_only)
    return Work(database, drafting, options, now)


async def unanswered(session: Session) -> str | None:
    """The question of a session whose graph stopped before its end."""
    async with session.saver() as checkpointer:
        state = await build_graph(checkpointer).aget_state(session.config)
    return state.values.get("question") if state.next else None


def _summary(update: Update | None) -> dict[str, Any]:
    """What a step tells an onlooker."""
    shown: dict[str, Any] = {}
    for key in ("standalone_question", "is_relevant", "retry_count"):
        if update and key in update:
            shown[key] = update[key]
    if update and update.get("draft") is not None:
        shown["query"] = update["draft"].text
    if update and update.get("verdict") is not None:
        shown["verdict"] = update["verdict"].outcome
    if update and update.get("results") is not None:
        shown["rows"] = len(update["results"].rows)
    if update and update.get("failure") is not None:
        shown["error"] = update["failure"].to_json()
    return shown
