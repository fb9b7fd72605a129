"""The nodes and edges as a LangGraph graph, and what runs it for one question."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncGenerator, Iterator
from contextlib import aclosing, nullcontext
from datetime import datetime
from functools import cache
from typing import TYPE_CHECKING, Any, cast

from langgraph.graph import END, START, StateGraph

from groundwire.ask import Event, Options
from groundwire.database import Database, SqlDatabase
from groundwire.draft.drafting import Drafting, OfflineDrafting
from groundwire.packs.pack import pack_for
from groundwire.pipeline.edges import (
    after_catalog,
    after_draft,
    after_relevance,
    after_rewrite,
    after_run,
    after_validate,
)
from groundwire.pipeline.nodes import (
    answer,
    check_relevance,
    draft,
    fetch_catalog,
    repair,
    rewrite,
    run,
    validate,
)
from groundwire.pipeline.state import State, Update, Work

if TYPE_CHECKING:
    from langgraph.graph.state import CompiledStateGraph

    from groundwire.draft.model import Model
    from groundwire.session import Session

__all__ = ["answer_question", "begin_work", "build_graph", "unanswered"]


@cache
def _plan() -> StateGraph[State, Work, State, State]:
    plan = StateGraph(State, context_schema=Work)
    for node in (rewrite, check_relevance, fetch_catalog, draft, validate, run, repair, answer):
        plan.add_node(node.__name__, node)
    plan.add_edge(START, "rewrite")
    plan.add_conditional_edges("rewrite", after_rewrite, ["check_relevance", "answer"])
    plan.add_conditional_edges("check_relevance", after_relevance, ["fetch_catalog", "answer"])
    plan.add_conditional_edges("fetch_catalog", after_catalog, ["draft", "answer"])
    plan.add_conditional_edges("draft", after_draft, ["validate", "repair", "answer"])
    plan.add_conditional_edges("validate", after_validate, ["run", "repair", "answer"])
    plan.add_conditional_edges("run", after_run, ["repair", "answer"])
    plan.add_conditional_edges("repair", after_draft, ["validate", "repair", "answer"])
    plan.add_edge("answer", END)
    return plan


def build_graph(checkpointer: Any = None) -> CompiledStateGraph[State, Work, State, State]:
    """The compiled graph; with a checkpointer it can be resumed."""
    if checkpointer is None:
        return _unkept()
    return _plan().compile(checkpointer=checkpointer)


@cache
def _unkept() -> CompiledStateGraph[State, Work, State, State]:
    """Compiled once: that takes as long as all the nodes together."""
    return _plan().compile()


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
            start |= {"is_sent_back": False, "is_exhausted": False}
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
        drafting = OfflineDrafting(database, pack, now, options.exemplars)
    else:
        from groundwire.draft.model_drafting import ModelDrafting

        drafting = ModelDrafting(
            database,
            pack,
            now,
            model,
            options.prompt,
            options.schema_only,
            options.exemplars,
        )
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
