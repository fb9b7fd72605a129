"""The trace: order, nesting, one question at a time, nothing secret, spans where wanted."""

from __future__ import annotations

import asyncio
import json
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from decimal import Decimal

import pytest

from groundwire import trace as tracing
from groundwire.errors import QueryTimeout
from groundwire.trace import Trace, mask


def test_steps_are_kept_in_order_with_their_children() -> None:
    trace = Trace()
    with trace.step("draft", "first draft", question="how many?") as step:
        tracing.note("probe", "is THEFT stored?", seconds=0.0)
        with tracing.step("model"):
            pass
        step.add(query="SELECT 1")
    with trace.step("run"):
        pass
    steps = trace.to_json()
    assert [step["node"] for step in steps] == ["draft", "run"]
    assert [step["node"] for step in steps[0]["children"]] == ["probe", "model"]
    assert steps[0]["detail"] == {"question": "how many?", "query": "SELECT 1"}
    assert [step.node for step in trace.walk()] == ["draft", "probe", "model", "run"]


def test_a_step_is_timed_and_the_trace_lasts_until_its_end() -> None:
    trace = Trace()
    with trace.step("outer"), trace.step("inner"):
        pass
    outer = trace.steps[0]
    assert outer.seconds >= outer.children[0].seconds > 0
    assert trace.seconds == outer.started + outer.seconds


def test_a_step_that_fails_keeps_the_reason_and_lets_the_error_through() -> None:
    trace = Trace()
    with pytest.raises(QueryTimeout), trace.step("run"):
        raise QueryTimeout("It took over 30 s.", hint="Ask for less.")
    assert trace.to_json()[0]["error"] == {
        "code": "TIMEOUT",
        "message": "It took over 30 s.",
        "hint": "Ask for less.",
        "who": "model",
    }
    assert tracing.current() is None


def test_without_a_trace_the_module_functions_do_nothing() -> None:
    with tracing.step("draft") as step:
        step.add(query="SELECT 1")
        tracing.note("probe")
    assert tracing.current() is None


def test_an_active_trace_is_the_current_one() -> None:
    with Trace().active() as trace:
        tracing.note("relevance", "the words are known")
        assert tracing.current() is trace
    assert [step.node for step in trace.steps] == ["relevance"]


def test_questions_asked_at_once_in_tasks_never_mix() -> None:
    async def ask(name: str) -> Trace:
        trace = Trace()
        with trace.step(name):
            for index in range(5):
                await asyncio.sleep(0)
                with tracing.step(f"{name}{index}"):
                    await asyncio.to_thread(tracing.note, f"{name}-thread")
        return trace

    async def both() -> list[Trace]:
        return await asyncio.gather(ask("a"), ask("b"))

    for name, trace in zip("ab", asyncio.run(both()), strict=True):
        assert len(list(trace.walk())) == 11
        assert {step.node[0] for step in trace.walk()} == {name}


def test_questions_asked_at_once_on_threads_never_mix() -> None:
    def ask(name: int) -> Trace:
        trace = Trace()
        with trace.step(str(name)):
            for _ in range(20):
                with tracing.step(str(name)):
                    tracing.note(str(name))
        return trace

    with ThreadPoolExecutor(8) as pool:
        for name, trace in enumerate(pool.map(ask, range(50))):
            assert [step.node for step in trace.walk()] == [str(name)] * 41


def test_a_generator_closed_elsewhere_leaves_no_error() -> None:
    trace = Trace()

    async def steps():  # type: ignore[no-untyped-def]
        with trace.step("stream"):
            yield 1
            yield 2

    async def main() -> None:
        stream = steps()
        await asyncio.create_task(anext(stream))
        await stream.aclose()

    asyncio.run(main())
    assert trace.steps[0].seconds > 0


SECRETS = [
    ("postgresql://ann:hunter2@db.example/x", "postgresql://ann:***@db.example/x"),
    ("neo4j://ann:p@ss/w:rd@host:7687", "neo4j://ann:***@host:7687"),
    ("at postgresql://:hunter2@h/x?sslmode=on.", "at postgresql://:***@h/x?sslmode=on."),
    ("host=h password=hunter2 dbname=x", "host=h password=*** dbname=x"),
    ("password='hun ter2' user=ann", "password=*** user=ann"),
    ("https://h/v1?api_key=hunter2hunter2&x=1", "https://h/v1?api_key=***&x=1"),
    ('{"api_key": "hunter2", "n": 1}', '{"api_key": ***, "n": 1}'),
    ("Authorization: Bearer hunter2hunter2", "Authorization: Bearer ***"),
    ("Incorrect API key provided: sk-proj-hunter2hunter2.", "Incorrect API key provided: ***."),
]


@pytest.mark.parametrize(("text", "masked"), SECRETS)
def test_secrets_in_text_are_masked(text: str, masked: str) -> None:
    assert mask(text) == masked


@pytest.mark.parametrize(
    "text",
    [
        "duckdb:///data/crime.duckdb",
        "http://127.0.0.1:8000/v1",
        "postgresql://ann@db/x",
        "How many tokens did 12:30@noon take?",
        "SELECT DATE, count(*) FROM crime WHERE time = '10:30' AND mail = 'a@b.c'",
        "prompt_tokens: 12, completion_tokens: 4",
    ],
)
def test_what_is_no_secret_stays(text: str) -> None:
    assert mask(text) == text


def test_a_secret_of_the_environment_is_masked_wherever_it_turns_up(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setenv("SOME_API_KEY", "a-very-private-value-1")
    trace = Trace()
    trace.note("model", "sent a-very-private-value-1", headers={"x": ["a-very-private-value-1"]})
    assert "private" not in json.dumps(trace.to_json())


def test_details_are_plain_json_and_named_secrets_are_masked() -> None:
    trace = Trace()
    trace.note(
        "model",
        password="hunter2",
        prompt_tokens=12,
        rate=float("nan"),
        seen=(1, None, True, {"api-key": "x"}),
        error=QueryTimeout("late"),
        amount=Decimal("1.50"),
    )
    detail = json.loads(json.dumps(trace.to_json(), allow_nan=False))[0]["detail"]
    assert detail["password"] == "***"
    assert detail["prompt_tokens"] == 12
    assert detail["rate"] == "nan"
    assert detail["seen"] == [1, None, True, {"api-key": "***"}]
    assert detail["error"]["code"] == "TIMEOUT"
    assert detail["amount"] == "1.50"


def test_an_error_message_is_masked_too() -> None:
    trace = Trace()
    with pytest.raises(ValueError, match="hunter2"), trace.step("run"):
        raise ValueError("no answer from postgresql://a:hunter2@h/x")
    assert trace.steps[0].error is not None
    assert trace.steps[0].error["message"] == "no answer from postgresql://a:***@h/x"


def _run(code: str) -> str:
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    return done.stdout


def test_opentelemetry_is_not_loaded_by_a_trace() -> None:
    code = (
        "import sys; from groundwire.trace import Trace\n"
        "with Trace().step('draft'): pass\n"
        "print('opentelemetry' in sys.modules, 'rich' in sys.modules)"
    )
    assert _run(code).split() == ["False", "False"]


def test_steps_are_spans_where_opentelemetry_is_set_up() -> None:
    pytest.importorskip("opentelemetry.sdk.trace")
    code = """
from opentelemetry import trace as otel
from opentelemetry.sdk.trace import TracerProvider
from opentelemetry.sdk.trace.export import SimpleSpanProcessor
from opentelemetry.sdk.trace.export.in_memory_span_exporter import InMemorySpanExporter

exporter = InMemorySpanExporter()
provider = TracerProvider()
provider.add_span_processor(SimpleSpanProcessor(exporter))
otel.set_tracer_provider(provider)
from groundwire.trace import Trace

try:
    with Trace().step("run", rows=3, url="postgresql://a:hunter2@h/x") as step:
        with Trace().step("probe"):
            pass
        raise ValueError("postgresql://a:hunter2@h/x")
except ValueError:
    pass
probe, run = exporter.get_finished_spans()
print(run.name, probe.parent.span_id == run.context.span_id, run.attributes["groundwire.rows"])
print(run.status.status_code.name, "hunter2" in run.to_json(), probe.status.status_code.name)
"""
    assert _run(code).split() == ["groundwire.run", "True", "3", "ERROR", "False", "UNSET"]
