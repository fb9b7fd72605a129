"""The ordered record of what one question took: every step, its detail, its time.

    trace = Trace()
    with trace.step("draft", "asked the offline drafter", question=question) as step:
        draft = drafter.draft(question, database)
        step.add(query=draft.text)
    trace.to_json()

Code further down does not need the object: the module's own `step(…)` and `note(…)` write into
the trace of the question that is being answered (a context variable, so that two questions on
two threads or tasks never mix), and do nothing when there is none.

What is recorded becomes plain JSON at once, with secrets masked; a trace can be stored and shown.
Where the process has OpenTelemetry loaded, each step is a span too.
"""

from __future__ import annotations

import sys
import time
from collections.abc import Iterator, Mapping
from contextlib import AbstractContextManager, contextmanager, nullcontext
from contextvars import ContextVar
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from groundwire.errors import GroundwireError

if TYPE_CHECKING:
    from opentelemetry.trace import Span

__all__ = ["MASK", "Step", "Trace", "current", "mask", "note", "step"]

MASK = "***"


@dataclass(slots=True)
class Step:
    """One step: `node` is a stable word (`draft`, `model`, `probe`), `what` a sentence.

    `started` counts from the start of the trace; it and `seconds` are in seconds. `error` is
    `{code, message, hint, who}` when the step ended in an exception.
    """

    node: str
    what: str = ""
    detail: dict[str, Any] = field(default_factory=dict)
    started: float = 0.0
    seconds: float = 0.0
    children: list[Step] = field(default_factory=list)
    error: dict[str, str] | None = None

    def add(self, **detail: Any) -> None:
        """Record more about this step."""
        self.detail.update(_clean(detail))

    def to_json(self) -> dict[str, Any]:
        """`{node, what, detail, started, seconds, error, children}`."""
        return {
            "node": self.node,
            "what": self.what,
            "detail": self.detail,
            "started": round(self.started, 6),
            "seconds": round(self.seconds, 6),
            "error": self.error,
            "children": [child.to_json() for child in self.children],
        }


class Trace:
    """The steps of one question, in the order in which they began."""

    def __init__(self) -> None:
        self.steps: list[Step] = []
        self._start = time.perf_counter()

    @property
    def seconds(self) -> float:
        """Seconds from the start of the trace to the end of its last step."""
        return max((step.started + step.seconds for step in self.steps), default=0.0)

    @contextmanager
    def active(self) -> Iterator[Trace]:
        """Make this the trace that the module's `step` and `note` write into."""
        with _inside(self, None):
            yield self

    @contextmanager
    def step(self, node: str, what: str = "", **detail: Any) -> Iterator[Step]:
        """Time a block; steps that begin inside it are its children."""
        step = self._begin(node, what, detail)
        with _inside(self, step), _span(step) as span:
            try:
                yield step
            except BaseException as error:
                step.error = _error(error)
                raise
            finally:
                step.seconds = time.perf_counter() - self._start - step.started
                if span is not None:
                    _describe(span, step)

    def note(self, node: str, what: str = "", *, seconds: float = 0.0, **detail: Any) -> Step:
        """Record something that has just happened and took `seconds`."""
        step = self._begin(node, what, detail)
        step.started = max(0.0, step.started - seconds)
        step.seconds = seconds
        return step

    def walk(self) -> Iterator[Step]:
        """Every step, parents before their children."""
        waiting = list(reversed(self.steps))
        while waiting:
            step = waiting.pop()
            yield step
            waiting.extend(reversed(step.children))

    def to_json(self) -> list[dict[str, Any]]:
        """The steps as JSON values."""
        return [step.to_json() for step in self.steps]

    def _begin(self, node: str, what: str, detail: Mapping[str, Any]) -> Step:
        started = time.perf_counter() - self._start
        step = Step(node, mask(what), _clean(detail), started)
        place = _place.get()
        inside = place is not None and place[0] is self and place[1] is not None
        siblings = place[1].children if inside else self.steps  # type: ignore[index,union-attr]
        siblings.append(step)
        return step


_place: ContextVar[tuple[Trace, Step | None] | None] = ContextVar("groundwire_trace", default=None)


def current() -> Trace | None:
    """The trace of the question that is being answered here, if any."""
    place = _place.get()
    return place[0] if place else None


def step(node: str, what: str = "", **detail: Any) -> AbstractContextManager[Step]:
    """`Trace.step` on the current trace; without one, a step that nobody keeps."""
    trace = current()
    return trace.step(node, what, **detail) if trace else nullcontext(Step(node, what))


def note(node: str, what: str = "", *, seconds: float = 0.0, **detail: Any) -> None:
    """`Trace.note` on the current trace; without one, nothing."""
    trace = current()
    if trace:
        trace.note(node, what, seconds=seconds, **detail)


@contextmanager
def _inside(trace: Trace, step: Step | None) -> Iterator[None]:
    # The former value is put back by hand, not by token: a generator that holds a step open
    # may be closed from another context, where a token is refused.
    before = _place.get()
    _place.set((trace, step))
    try:
        yield
    finally:
        _place.set(before)


def mask(text: str) -> str:
    """A text without secrets: URL passwords, `password=…`, API keys, secret variables' values."""
    from groundwire.masking import masked

    return masked(text)


def _clean(value: Any) -> Any:
    """JSON values without secrets; an object with `to_json()` gives its own form."""
    if value is None or isinstance(value, bool | int):
        return value
    if isinstance(value, float):
        return value if value - value == 0 else str(value)
    if isinstance(value, str):
        return mask(value)
    if isinstance(value, Mapping):
        from groundwire.masking import names_secret

        return {
            str(key): MASK if names_secret(str(key)) and item else _clean(item)
            for key, item in value.items()
        }
    if isinstance(value, list | tuple | set | frozenset):
        return [_clean(item) for item in value]
    if hasattr(value, "to_json"):
        return _clean(value.to_json())
    return mask(str(value))


def _error(error: BaseException) -> dict[str, str]:
    if isinstance(error, GroundwireError):
        described = error.to_json()
    else:
        described = {"code": type(error).__name__, "message": str(error), "hint": "", "who": "us"}
    return {key: mask(text) for key, text in described.items()}


# --- OpenTelemetry ---------------------------------------------------------------------------


@contextmanager
def _span(step: Step) -> Iterator[Span | None]:
    # Nobody can have set up OpenTelemetry in a process that has not loaded it.
    if "opentelemetry.trace" not in sys.modules:
        yield None
        return
    from opentelemetry.trace import get_tracer

    tracer = get_tracer("groundwire")
    with tracer.start_as_current_span(
        f"groundwire.{step.node}", record_exception=False, set_status_on_exception=False
    ) as span:
        yield span


def _describe(span: Span, step: Step) -> None:
    from opentelemetry.trace import Status, StatusCode

    span.set_attribute("groundwire.what", step.what)
    for key, value in step.detail.items():
        if isinstance(value, str | bool | int | float):
            span.set_attribute(f"groundwire.{key}", value)
    if step.error:
        span.set_status(Status(StatusCode.ERROR, step.error["message"]))
