"""What the execution loop spends on drafts that fail, with models that help and that never do.

Failed queries of mind_the_query on star_wars and wwc2019 (kglite), both policies. `hopeless`
answers each repair with another failing draft and a new code, so that no stopping rule ends the
loop early; `echo` gives the same draft back. The budget of one question: one draft call, at most
three repair calls, two executions in each of the four rounds, six probes a repair besides the
guard's own (`max_probes` a draft).
"""

from __future__ import annotations

import statistics
import tempfile
from collections import Counter
from collections.abc import Callable, Sequence
from typing import Any

import groundwire
from benchmarks.before_after import DATA, drafts, graph
from groundwire import Database, Options, Settings
from groundwire.draft.model import ScriptedModel
from groundwire.guard.taxonomy import TAXONOMY

SAMPLE = 30
CODES = sorted(TAXONOMY)


def main() -> None:
    """Print the calls, executions and probes of a question."""
    if not DATA.is_dir():
        print(f"The data sets are not at {DATA}.")
        return
    with tempfile.TemporaryDirectory() as folder:
        for name in ("star_wars", "wwc2019"):
            url = f"kglite:///{folder}/{name}.kgl"
            with graph(url, name):
                sample = drafts(name)
            for policy in ("truthful", "paper"):
                with groundwire.connect(url, Settings(policy=policy)) as database:
                    for model in (echo, hopeless):
                        print(f"  {policy}, {model.__name__}: {measure(database, sample, model)}")


def measure(
    database: Database,
    sample: list[tuple[str, str]],
    model: Callable[[Sequence[tuple[str, str]], int], ScriptedModel],
) -> str:
    """Ask with each draft of the sample; mean (most) of what a question spent."""
    outcomes: Counter[str] = Counter()
    costs = []
    for number, (question, _) in enumerate(sample[:SAMPLE]):
        asked = model(sample, number)
        answer = groundwire.ask(database, question, asked, options=Options(narrate=False))
        outcomes[answer.outcome] += 1
        costs.append((len(asked.prompts), answer.cost.executions, answer.cost.probes))
    spent = [
        f"{what} {statistics.mean(column):.1f} ({max(column)})"
        for what, column in zip(
            ("model calls", "executions", "probes"), zip(*costs, strict=True), strict=True
        )
    ]
    return f"{', '.join(spent)}; {dict(outcomes)}"


def echo(sample: Sequence[tuple[str, str]], number: int) -> ScriptedModel:
    """The same draft for ever."""
    draft = sample[number][1]
    return scripted([draft] * 6)


def hopeless(sample: Sequence[tuple[str, str]], number: int) -> ScriptedModel:
    """Other drafts that fail."""
    return scripted([sample[(number + step) % len(sample)][1] for step in range(6)])


def scripted(texts: list[str]) -> ScriptedModel:
    """A draft, then repairs, each with another code."""
    repairs: list[Any] = [
        {"code": CODES[step], "cause": "It was wrong.", "query": text}
        for step, text in enumerate(texts[1:])
    ]
    return ScriptedModel([texts[0], *repairs])
