"""Where the graph goes behind each node."""

from __future__ import annotations

from langgraph.runtime import Runtime

from groundwire.errors import ModelError, QueryTimeout, ReadOnlyError
from groundwire.pipeline.state import State, Work

__all__ = [
    "after_catalog",
    "after_draft",
    "after_relevance",
    "after_rewrite",
    "after_run",
    "after_validate",
    "repairs_left",
]


def repairs_left(state: State, work: Work) -> bool:
    """A model wrote the draft, no stopping rule applied, and the budget has a repair left."""
    settings = work.database.settings
    left = state.get("retry_count", 0) < settings.max_repairs and "loop" not in settings.without
    return work.drafting.can_repair and left and not state.get("is_exhausted", False)


def _may_repair(state: State, runtime: Runtime[Work]) -> bool:
    """A model wrote it, a rewrite may help, and the budget has one left."""
    failure = state.get("failure")
    lost = isinstance(failure, ReadOnlyError | QueryTimeout)
    return repairs_left(state, runtime.context) and isinstance(failure, ModelError) and not lost


def after_rewrite(state: State) -> str:
    """A failed rewrite is told."""
    return "answer" if state.get("failure") else "check_relevance"


def after_relevance(state: State) -> str:
    """Only a clear miss ends here."""
    return "fetch_catalog" if state["is_relevant"] else "answer"


def after_catalog(state: State) -> str:
    """Without a catalog there is nothing to draft from."""
    return "answer" if state.get("failure") else "draft"


def after_draft(state: State, runtime: Runtime[Work]) -> str:
    """Also behind `repair`: a usable draft is validated, a failed one goes back or ends."""
    if state.get("failure") is None and state.get("draft") is not None:
        return "validate"
    return "repair" if _may_repair(state, runtime) else "answer"


def after_validate(state: State, runtime: Runtime[Work]) -> str:
    """Run what is admitted; ask the person; send a refused draft back while that may help."""
    verdict = state.get("verdict")
    if verdict is not None and verdict.ok:
        return "run"
    if verdict is not None and verdict.outcome == "asked":
        return "answer"
    return "repair" if _may_repair(state, runtime) else "answer"


def after_run(state: State, runtime: Runtime[Work]) -> str:
    """An error goes back, and a result that a signal says is wrong."""
    if state.get("failure") is None:
        return "repair" if state.get("is_sent_back") else "answer"
    return "repair" if _may_repair(state, runtime) else "answer"
