"""How near an answer in words comes to the true sentence about the gold's rows, by embeddings."""

from __future__ import annotations

from functools import cache
from importlib import import_module
from typing import Any

from groundwire.bench.metrics.pair import Pair
from groundwire.errors import DriverMissing, StorageError

__all__ = ["bertscore"]

MODEL, LAYER = "roberta-large", 17
"""The published default for English, and the layer whose embeddings it takes."""


def bertscore(pair: Pair) -> float | None:
    """The F1 of BERTScore, between the answer and the template's sentence about the gold's rows.

    None where the prediction has no answer in words.

    Source: Zhang et al., "BERTScore: Evaluating Text Generation with BERT", ICLR 2020
    (arXiv 1904.09675), which the SQL paper names as future work. The package `bert-score` has had
    no release since February 2023; this is the implementation of `torchmetrics`, without rescaling
    against a baseline. It needs `pip install 'groundwire[bertscore]'` and the weights of
    roberta-large, which are fetched once.

    Blind spots: a wrong figure in a right sentence costs next to nothing, so that it says nothing
    of faithfulness; another style than the template's lowers it; another version of `transformers`
    gives another figure.

    Raises:
        DriverMissing: a package is not installed.
        StorageError: the weights are neither there nor to be had.
    """
    if not pair.answer or pair.gold.result is None:
        return None
    from groundwire.answer.template import template_sentence

    score = _scorer()
    reference = template_sentence(pair.case.question, pair.gold.result)
    values = score([pair.answer], [reference])["f1"]
    number = values.tolist() if hasattr(values, "tolist") else values
    return float(number[0] if isinstance(number, list) else number)


@cache
def _scorer() -> Any:
    try:
        import_module("transformers")  # torchmetrics itself would only warn
        scorer = import_module("torchmetrics.text.bert").BERTScore
    except ImportError as error:
        raise DriverMissing(
            f"BERTScore is not installed ({error}).",
            hint="Install it: pip install 'groundwire[bertscore]'",
        ) from error
    try:
        return scorer(model_name_or_path=MODEL, num_layers=LAYER)
    except OSError as error:
        raise StorageError(
            f"The weights of {MODEL} are not there: {error}",
            hint="Let it fetch them once, or put them into the cache of transformers.",
        ) from error
