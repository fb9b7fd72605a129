"""Answers in words: held against the rows without a model, and BERTScore as an option."""

from __future__ import annotations

import sys
from types import ModuleType
from typing import Any

import pytest

from groundwire.bench.metrics import choose
from groundwire.bench.metrics.faithfulness import faithfulness
from groundwire.bench.running import Outcome
from groundwire.errors import DriverMissing, QueryError, StorageError
from tests.bench.rows import outcome, pair

THEFTS = outcome([("THEFT", 120), ("BATTERY", 80)], ["crime_type", "count"], "SELECT prediction")


@pytest.mark.parametrize(
    ("answer", "value"),
    [
        ("THEFT has a count of 120 and BATTERY 80.", 1.0),
        ("THEFT leads with 120.", 1.0),
        ("THEFT has a count of 121 and BATTERY 80.", 0.0),
        ("BATTERY leads with 120.", 0.0),
        ("ARSON has a count of 120.", 0.0),
    ],
)
def test_an_answer_is_held_against_the_predictions_rows(answer: str, value: float) -> None:
    assert faithfulness(pair([("other", 1)], THEFTS, answer=answer)) == value


def test_without_an_answer_or_a_result_there_is_nothing_to_hold() -> None:
    failed = Outcome("SELECT x", error=QueryError("no such column"))
    assert faithfulness(pair([(1,)], THEFTS)) is None
    assert faithfulness(pair([(1,)], failed, answer="120.")) is None


class Scored:
    """Stands for the class of torchmetrics, which needs 1.4 GB of weights."""

    asked: list[tuple[list[str], list[str]]] = []  # noqa: RUF012

    def __init__(self, model_name_or_path: str, num_layers: int) -> None:
        assert (model_name_or_path, num_layers) == ("roberta-large", 17)

    def __call__(self, answers: list[str], references: list[str]) -> dict[str, list[float]]:
        self.asked.append((answers, references))
        return {"precision": [0.8], "recall": [1.0], "f1": [0.9]}


@pytest.fixture
def bertscore(monkeypatch: pytest.MonkeyPatch) -> Any:
    from groundwire.bench.metrics.bertscore import _scorer

    _scorer.cache_clear()
    yield choose("bertscore")["bertscore"]
    _scorer.cache_clear()


def installed(monkeypatch: pytest.MonkeyPatch, scorer: Any) -> None:
    module = ModuleType("torchmetrics.text.bert")
    module.BERTScore = scorer  # type: ignore[attr-defined]
    for name in ("torchmetrics", "torchmetrics.text", "transformers"):
        monkeypatch.setitem(sys.modules, name, ModuleType(name))
    monkeypatch.setitem(sys.modules, "torchmetrics.text.bert", module)


def test_bertscore_compares_with_the_true_sentence_about_the_gold(
    bertscore: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    installed(monkeypatch, Scored)
    assert bertscore(pair([(7,)], THEFTS, answer="It is 7.")) == 0.9
    ((answers, references),) = Scored.asked
    assert answers == ["It is 7."]
    assert "7" in references[0]
    assert bertscore(pair([(7,)], THEFTS)) is None


def test_bertscore_says_what_to_install(bertscore: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("torchmetrics", "transformers"):
        monkeypatch.setitem(sys.modules, name, None)
    with pytest.raises(DriverMissing, match="bertscore"):
        bertscore(pair([(7,)], THEFTS, answer="It is 7."))


def test_bertscore_says_that_its_weights_are_missing(
    bertscore: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    def offline(**_: Any) -> None:
        raise OSError("cannot connect")

    installed(monkeypatch, offline)
    with pytest.raises(StorageError, match="weights of roberta-large are not there"):
        bertscore(pair([(7,)], THEFTS, answer="It is 7."))
