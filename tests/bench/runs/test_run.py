"""A run: every case asked, everything kept, nothing paid twice."""

from __future__ import annotations

import asyncio
import json
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from threading import Event

import pytest

from groundwire.bench import Databases, Scorer
from groundwire.bench.runs.asking import Asked, Asker
from groundwire.bench.runs.configuration import Configuration
from groundwire.bench.runs.folder import RunFolder
from groundwire.bench.runs.grading import RUN_METRICS
from groundwire.bench.runs.recording import Pace, RecordedModel
from groundwire.draft.model import Message, ScriptedModel
from groundwire.errors import ModelUnavailable, QuotaExhausted, UsageError
from groundwire.settings import Settings
from tests.bench.conftest import Ran
from tests.bench.runs.conftest import CASES, Shop
from tests.model_server import ModelServer, fails, says

GOLDS = {question: gold for _, question, gold in CASES}
NOW = "2026-03-01T12:00:00+00:00"


def knows_the_golds(messages: Sequence[Message]) -> str:
    """A model that finds the question in its prompt and replies with the gold."""
    prompt = "\n".join(message.content for message in messages)
    return next(gold for question, gold in GOLDS.items() if question in prompt)


def begin(shop: Shop, name: str = "run", **changes: object) -> RunFolder:
    configuration = Configuration(
        **{"set": "shop", "drafter": "scripted:model", "now": NOW, **changes}
    )  # type: ignore[arg-type]
    return RunFolder.begin(shop.folder / name, configuration, shop.cases)


@contextmanager
def scorer(shop: Shop, settings: Settings | None = None) -> Iterator[Scorer]:
    with Databases(str(shop.folder), settings) as databases:
        yield Scorer(databases, RUN_METRICS)


def ask(shop: Shop, folder: RunFolder, model: ScriptedModel | None, **options: int) -> Asked:
    recorded = RecordedModel(folder.configuration.drafter, model, folder.journal)
    with scorer(shop) as scoring:
        return asyncio.run(Asker(folder, scoring, recorded, **options).run())  # type: ignore[arg-type]


def test_every_case_is_asked_scored_and_kept(shop: Shop) -> None:
    folder = begin(shop)
    asked = ask(shop, folder, ScriptedModel(knows_the_golds))
    assert (asked.done, asked.stopped, folder.todo) == (3, None, ())
    again = RunFolder.open(folder.path)
    assert [record.id for record in again.records] == ["cheap", "names", "kinds"]
    for record in again.records:
        assert (record.outcome, record.right, record.draft_right) == ("admitted", True, True)
        assert record.rows == record.gold_rows is not None
        assert record.cost["model_calls"] == 1
        reply = again.journal.find(record.exchanges[0])
        assert reply is not None
        assert reply["text"] == record.draft


def test_a_run_that_is_begun_again_asks_only_what_is_left(shop: Shop) -> None:
    folder = begin(shop)
    folder.add(_some_record(shop, folder))
    model = ScriptedModel(knows_the_golds)
    assert ask(shop, begin(shop), model).done == 2
    assert len(model.prompts) == 2


def _some_record(shop: Shop, folder: RunFolder):  # type: ignore[no-untyped-def]
    from groundwire.bench.runs.grading import Given, grade

    with scorer(shop) as scoring:
        return grade(scoring, folder.cases[1], Given("refused", "x", "SELECT 1", ""))


def test_a_reply_that_was_paid_for_is_not_paid_again_after_a_kill(shop: Shop) -> None:
    folder = begin(shop)
    ask(shop, folder, ScriptedModel(knows_the_golds))
    # As a kill between the reply and the record leaves it, in the middle of a line.
    records = folder.path / "records.jsonl"
    records.write_bytes(records.read_bytes()[:-40])
    silent = ScriptedModel([])
    again = begin(shop)
    assert len(again.todo) == 1
    assert ask(shop, again, silent).done == 1
    assert silent.prompts == []
    assert len(RunFolder.open(folder.path).records) == 3


def test_a_repair_is_kept_with_both_of_its_calls(shop: Shop) -> None:
    def wrong_first(messages: Sequence[Message]) -> object:
        prompt = "\n".join(message.content for message in messages)
        if "nowhere" in prompt:
            return {"code": "SCH1", "cause": "no such table", "query": knows_the_golds(messages)}
        return "SELECT x FROM nowhere"

    folder = begin(shop)
    ask(shop, folder, ScriptedModel(wrong_first))
    record = folder.records[0]
    assert (record.outcome, record.draft_right, record.right) == ("repaired", False, True)
    assert (record.cost["model_calls"], len(record.exchanges)) == (2, 2)


def test_without_the_loop_nothing_goes_back(shop: Shop) -> None:
    model = ScriptedModel(lambda messages: "SELECT x FROM nowhere")
    folder = begin(shop, without=("loop",))
    recorded = RecordedModel("scripted:model", model, folder.journal)
    with scorer(shop, Settings(without=("loop",))) as scoring:
        asyncio.run(Asker(folder, scoring, recorded).run())
    assert [record.cost["model_calls"] for record in folder.records] == [1, 1, 1]
    assert all(record.outcome == "failed" for record in folder.records)


@pytest.mark.parametrize("component", ["rules", "shapes"])
def test_a_part_of_the_prompt_can_be_left_out(shop: Shop, component: str) -> None:
    whole, bare = ScriptedModel(knows_the_golds), ScriptedModel(knows_the_golds)
    ask(shop, begin(shop), whole)
    folder = begin(shop, "bare", without=(component,))
    with scorer(shop, Settings(without=(component,))) as scoring:
        recorded = RecordedModel("scripted:model", bare, folder.journal)
        asyncio.run(Asker(folder, scoring, recorded).run())
    texts = [["\n".join(m.content for m in p) for p in model.prompts] for model in (whole, bare)]
    assert sum(map(len, texts[1])) < sum(map(len, texts[0]))


def test_an_empty_account_stops_the_run_and_keeps_what_is_done(shop: Shop) -> None:
    model = ScriptedModel([GOLDS[CASES[0][1]], QuotaExhausted("The account is empty.")])
    folder = begin(shop)
    asked = ask(shop, folder, model, at_once=1)
    assert isinstance(asked.stopped, QuotaExhausted)
    assert (asked.done, len(folder.todo)) == (1, 2)


def test_a_silent_server_leaves_the_case_for_the_next_time(shop: Shop) -> None:
    model = ScriptedModel([ModelUnavailable("down"), *[GOLDS[CASES[n][1]] for n in (1, 2)]])
    folder = begin(shop)
    asked = ask(shop, folder, model, at_once=1)
    assert asked.stopped is None
    assert [case.id for case in folder.todo] == ["cheap"]


def test_two_cases_that_ask_the_same_pay_once(shop: Shop) -> None:
    cases = [shop.cases[0], replace(shop.cases[0], id="twin")]
    configuration = Configuration(set="shop", drafter="scripted:model", now=NOW)
    folder = RunFolder.begin(shop.folder / "twins", configuration, cases)
    model = ScriptedModel(knows_the_golds)
    assert ask(shop, folder, model, at_once=2).done == 2
    assert len(model.prompts) == 1


def test_a_missing_database_marks_its_cases_and_the_run_goes_on(shop: Shop) -> None:
    cases = [replace(shop.cases[0], id="lost", database="nowhere"), *shop.cases]
    configuration = Configuration(set="shop", drafter="scripted:model", now=NOW)
    folder = RunFolder.begin(shop.folder / "lost", configuration, cases)
    ask(shop, folder, ScriptedModel(knows_the_golds))
    lost, *others = folder.records
    assert (lost.outcome, lost.mark) == ("failed", "database")
    assert "nowhere" in lost.why
    assert all(record.right for record in others)


def test_another_run_in_the_folder_is_not_touched(shop: Shop) -> None:
    begin(shop)
    with pytest.raises(UsageError, match="prompt was 'default' and is 'paper-v2'"):
        begin(shop, prompt="paper-v2")


def test_a_second_process_on_the_run_is_turned_away(shop: Shop) -> None:
    folder = begin(shop)
    with folder.held(), pytest.raises(UsageError, match="Another process"), begin(shop).held():
        pass


def test_calls_keep_their_pace() -> None:
    async def three() -> float:
        pace, started = Pace(per_minute=1200), time.monotonic()
        await asyncio.gather(*(pace.wait() for _ in range(3)))
        return time.monotonic() - started

    assert asyncio.run(three()) >= 0.1


def test_a_solved_question_of_the_set_is_never_shown(shop: Shop) -> None:
    from groundwire.draft.exemplars import Exemplars
    from groundwire.draft.solved import Exemplar

    solved = tuple(Exemplar(question, "SELECT 'the solution'") for question in GOLDS)
    model = ScriptedModel(knows_the_golds)
    folder = begin(shop)
    recorded = RecordedModel("scripted:model", model, folder.journal)
    with scorer(shop) as scoring:
        asker = Asker(folder, scoring, recorded, exemplars=Exemplars(solved, own=True))
        asyncio.run(asker.run())
    assert len(model.prompts) == 3
    assert not any("the solution" in m.content for prompt in model.prompts for m in prompt)


def test_a_real_server_is_survived_and_its_tokens_counted(
    shop: Shop, bench: Callable[..., Ran], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("GROUNDWIRE_MODEL_BACKOFF", "0.01")
    with ModelServer() as server:
        server.play(
            fails(500),
            *[says(json.dumps({"query": gold, "assumptions": []})) for gold in GOLDS.values()],
        )
        model, to = f"openai:test@{server.url}", shop.folder / "run"
        monkeypatch.setenv("OPENAI_API_KEY", "none")
        words = ("run", shop.file, "--model", model, "--to", to, "--at-once", 1, "--json")
        ran = bench(*words)
        assert ran.code == 0, ran.err
        assert ran.json["cost"]["model_calls"] == 3
        assert ran.json["cost"]["prompt_tokens"] == 360
        assert ran.json["shown"]["ex"]["mean"] == 1.0
        asked = len(server.requests)
        assert bench(*words).json["done"] == 3
        assert len(server.requests) == asked, "a run that is done asks nothing"


def test_a_killed_process_is_gone_on_with(
    shop: Shop, bench: Callable[..., Ran], monkeypatch: pytest.MonkeyPatch
) -> None:
    """kill -9 in the middle of the second reply, then the same command."""
    monkeypatch.setenv("OPENAI_API_KEY", "none")
    killed = Event()

    def hang(handler: object, body: object) -> None:
        killed.wait(60)

    code = "from groundwire.cli.app import app; app()"
    with ModelServer() as server:
        server.play(says(json.dumps({"query": GOLDS[CASES[0][1]], "assumptions": []})), hang)
        words = ["run", str(shop.file), "--model", f"openai:test@{server.url}"]
        words += ["--to", str(shop.folder / "run"), "--at-once", "1", "--json"]
        process = subprocess.Popen([sys.executable, "-c", code, "bench", *words])
        records = shop.folder / "run" / "records.jsonl"
        _wait_for(lambda: records.exists() and len(server.requests) == 2)
        process.send_signal(signal.SIGKILL)
        process.wait()
        killed.set()
        server.play(
            *[says(json.dumps({"query": GOLDS[CASES[n][1]], "assumptions": []})) for n in (1, 2)]
        )
        assert bench(*words).json["shown"]["ex"]["mean"] == 1.0
        assert len(server.requests) == 4, "the first reply was not paid again"


def _wait_for(condition: Callable[[], bool]) -> None:
    deadline = time.monotonic() + 240
    while not condition():
        assert time.monotonic() < deadline
        time.sleep(0.05)


def test_a_torn_line_spoils_no_other(tmp_path: Path) -> None:
    from groundwire.bench.runs.journal import append_line, whole_lines

    file = tmp_path / "lines.jsonl"
    append_line(file, {"a": 1})
    file.write_bytes(file.read_bytes() + b'{"b": ')
    append_line(file, {"c": "\ud800 ü"})
    file.write_bytes(file.read_bytes() + '{"d": "ü'.encode()[:-1])  # within a character
    append_line(file, {"e": 1})
    assert list(whole_lines(file)) == [{"a": 1}, {"c": "\ud800 ü"}, {"e": 1}]


def test_a_record_edited_by_hand_is_named(shop: Shop) -> None:
    folder = begin(shop)
    ask(shop, folder, ScriptedModel(knows_the_golds))
    file = folder.path / "records.jsonl"
    entry = {**folder.records[0].to_json(), "scores": 5}
    file.write_text(json.dumps(entry) + "\n", "utf-8")
    with pytest.raises(UsageError, match='"scores" of a record'):
        RunFolder.open(folder.path)


def test_a_set_without_a_case_is_no_run(shop: Shop, bench: Callable[..., Ran]) -> None:
    ran = bench("run", shop.write("empty.jsonl", []), "--to", shop.folder / "run")
    assert ran.code == 2
    assert "no case" in ran.err
    assert not (shop.folder / "run").exists()
