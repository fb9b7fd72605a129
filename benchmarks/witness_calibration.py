"""Do small graphs decide as CypherBench's own? Our verdicts beside 19,703 recorded ones.

`scored.jsonl.gz` of the data sets has, for queries that models wrote on movie, nba and geography,
the recorded executable, execution accuracy and PSJS on the real graphs. Each prediction is scored
here on three witnesses made for the golds of its graph (`groundwire.bench.witness`); a verdict is
the worst of the three. Printed: the agreement, what differs between gold and prediction where the
verdicts do not agree, and what kglite cannot run although Neo4j can.

`python -m benchmarks.witness_calibration [STRIDE]`: every STRIDE-th different pair, 10 at first.

The recorded scores were made on graphs and by a program with three peculiarities, which the scores
themselves show (the golds that nonsense predictions are "right" for), and which are put in here:

* Of a type of relationships between several pairs of labels only the last pair was stored: of
  `locatedIn` the countries in continents, but no lake, mountain or basin in a country.
* Dates were stored as text: compared with `date(…)` nothing is found, `.year` is an error.
* A query that fails counted as one without rows, and as executable (in most runs).

What then remains are, as far as they were read, predictions that do not say what the gold says and
that found the same rows on the recorded graph by luck, where a witness tells them apart.
"""

from __future__ import annotations

import gzip
import json
import re
import sys
import tempfile
import time
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from groundwire.bench.case import Case
from groundwire.bench.metrics import choose
from groundwire.bench.running import Databases, Outcome
from groundwire.bench.scoring import Scored, Scorer
from groundwire.bench.witness import Rows, store_witnesses, witnesses
from groundwire.query.cypher import ast, parse

DATA = Path(__file__).resolve().parents[2] / "shared" / "data"
FOLDER = DATA / "cypherbench"
GRAPHS = 3
METRICS = choose("executable,ex,cypherbench_ex,psjs")


@dataclass
class Pair:
    """A gold and a prediction, with every recorded row of theirs."""

    graph: str
    gold: str
    prediction: str
    recorded: list[dict[str, Any]] = field(default_factory=list)
    scored: list[Scored] = field(default_factory=list)
    gold_is_empty: bool = False

    @property
    def same(self) -> bool:
        """The texts are equal, so that no graph is needed."""
        return self.gold.strip() == self.prediction.strip()

    def verdict(self, metric: str) -> float | None:
        """The worst value on any witness; None = undecided on all."""
        if self.same:
            return 1.0
        known = [value for each in self.scored if (value := each.values[metric]) is not None]
        return min(known, default=None)

    def as_recorded(self, row: Mapping[str, Any]) -> float:
        """The published metric, by a program that took a failing query for an empty one."""
        failed = not self.same and not self.scored[0].values["executable"]
        if failed and row["executable"]:
            return float(self.gold_is_empty)
        return self.verdict("cypherbench_ex") or 0.0


class Remembering(Databases):
    """Runs each query once."""

    def __init__(self, where: str) -> None:
        super().__init__(where)
        self.outcomes: dict[tuple[str, str], Outcome] = {}

    def run(self, name: str, query: str) -> Outcome:
        if (name, query) not in self.outcomes:
            self.outcomes[name, query] = super().run(name, query)
        return self.outcomes[name, query]


def main(stride: int = 10) -> None:
    """Print the agreement."""
    if not FOLDER.is_dir():
        print(f"The data sets are not at {FOLDER}.")
        return
    pairs = read_pairs()
    sample = pairs[::stride]
    with tempfile.TemporaryDirectory() as folder:
        for graph in dict.fromkeys(pair.graph for pair in pairs):
            make(graph, dict.fromkeys(p.gold for p in pairs if p.graph == graph), Path(folder))
            decide([p for p in sample if p.graph == graph and not p.same], Path(folder))
    report(sample)
    report_gaps(sample)


def read_pairs() -> list[Pair]:
    """The different pairs of gold and prediction of each graph."""
    found: dict[tuple[str, str, str], Pair] = {}
    for row in read_lines(FOLDER / "scored.jsonl.gz"):
        key = (row["graph"], row["gold_cypher"], row["pred_cypher"] or "")
        found.setdefault(key, Pair(*key)).recorded.append(row["metrics"])
    return list(found.values())


def read_lines(path: Path) -> Iterator[dict[str, Any]]:
    """The objects of a file."""
    with gzip.open(path, "rt", encoding="utf-8") as lines:
        for line in lines:
            yield json.loads(line)


def make(graph: str, golds: Iterable[str], folder: Path) -> None:
    """Store the witnesses of a graph, with the peculiarities of the recorded one."""
    schema = json.loads((FOLDER / "schemas" / f"{graph}_schema.json").read_text())
    info = json.loads((FOLDER / "graph_info.json").read_text())[graph]
    last = {relation["label"]: relation for relation in schema["relations"]}
    cases = [Case(str(n), graph, "cypher", "?", (gold,)) for n, gold in enumerate(golds)]
    started = time.perf_counter()
    made = witnesses(cases, {**schema, "relations": list(last.values())}, info, GRAPHS)
    store_witnesses([with_dates_as_text(rows) for rows in made], graph, folder)
    sizes = ", ".join(f"{len(r.nodes):,} / {len(r.relationships):,}" for r in made)
    seconds = time.perf_counter() - started
    print(
        f"{graph}: {len(cases)} golds; nodes / relationships {sizes}; {seconds:.0f} s", flush=True
    )


def with_dates_as_text(rows: Rows) -> Rows:
    """The graph with each date as its text."""

    def changed(items: Iterable[dict[str, Any]]) -> tuple[dict[str, Any], ...]:
        return tuple(
            {
                **item,
                "properties": {
                    key: value["$date"] if isinstance(value, dict) else value
                    for key, value in item["properties"].items()
                },
            }
            for item in items
        )

    return Rows(changed(rows.nodes), changed(rows.relationships))


def decide(pairs: list[Pair], folder: Path) -> None:
    """Score on one witness after the other, as long as it is not wrong yet."""
    started = time.perf_counter()
    runs = 0
    for number in range(1, GRAPHS + 1):
        databases = Remembering(str(folder / str(number)))
        with databases:
            scorer = Scorer(databases, METRICS)
            for pair in pairs:
                if pair.scored and not pair.verdict("cypherbench_ex") and not pair.verdict("ex"):
                    continue
                case = Case("", pair.graph, "cypher", "?", (pair.gold,))
                pair.scored.append(scorer.score(case, pair.prediction))
                pair.gold_is_empty = databases.run(pair.graph, pair.gold).empty
            runs += len(databases.outcomes)
    seconds = time.perf_counter() - started
    print(f"  {len(pairs):,} pairs, {runs:,} queries in {seconds:.0f} s", flush=True)


def report(pairs: list[Pair]) -> None:
    """Agreement with the recorded execution accuracy, and what differs where there is none."""
    tally: dict[str, Counter[bool]] = defaultdict(Counter)
    kinds: Counter[str] = Counter()
    undefined = 0
    for pair in pairs:
        for row in pair.recorded:
            official = row["execution_accuracy"]
            if not isinstance(official, float):
                undefined += 1
                continue
            ours = pair.as_recorded(row)
            which = "equal texts" if pair.same else "different texts"
            for group in ("all", which, f"{pair.graph}, {which}"):
                tally[group][ours == official] += 1
            if ours != official:
                where = "gold without rows, " if pair.gold_is_empty else ""
                kinds[f"ours {ours:g}, recorded {official:g}: {where}{difference(pair)}"] += 1
            if not pair.same:
                count_others(pair, row, tally)
    print(f"recorded as an error, left out: {undefined}")
    for group, counts in tally.items():
        total = counts[True] + counts[False]
        print(f"{group:52} {counts[True]:6,} of {total:6,} = {counts[True] / total:.2%}")
    for kind, number in kinds.most_common():
        print(f"  {number:4} {kind}")


def count_others(pair: Pair, row: Mapping[str, Any], tally: dict[str, Counter[bool]]) -> None:
    """Agreement of `ex`, of "runs at all" and of PSJS where it is 0 or 1."""
    official = row["execution_accuracy"]
    executable = pair.scored[0].values["executable"]
    corrected = pair.verdict("ex")
    if executable and corrected is not None:
        tally["ex (corrected), where both run and one has rows"][corrected == official] += 1
    tally["executable (recorded: failing ones mostly count)"][executable == row["executable"]] += 1
    psjs, theirs = pair.scored[0].values["psjs"], row["psjs"]
    if isinstance(theirs, float) and psjs is not None:
        if theirs in (0.0, 1.0):
            tally[f"psjs, recorded as {theirs:g}"][psjs == theirs] += 1
        else:
            tally["psjs, recorded between 0 and 1"][0 < psjs < 1] += 1


def difference(pair: Pair) -> str:
    """In which respects a prediction differs from the gold, by parse."""
    gold, found = features(pair.gold), features(pair.prediction)
    return ", ".join(name for name in gold if gold[name] != found.get(name)) or "form only"


def features(text: str) -> dict[str, Any]:
    """What a query is made of."""
    query = parse(text)
    if not query.ok:
        return {}
    projections = query.find(ast.Projection)
    return {
        "constants": Counter(str(node.value) for node in query.find(ast.Literal)),
        "labels and types": Counter(node.name for node in query.find(ast.LabelName)),
        "directions": Counter(node.direction for node in query.find(ast.RelationshipPattern)),
        "properties": Counter(node.key.value for node in query.find(ast.Property)),
        "functions": Counter(
            (node.name.lower(), node.distinct) for node in query.find(ast.FunctionCall)
        ),
        "clauses": [type(clause).__name__ for clause in query.find(ast.Clause)],
        "DISTINCT": [projection.distinct for projection in projections],
    }


def report_gaps(pairs: list[Pair]) -> None:
    """What kglite (with our parser before it) refuses although Neo4j plans it, and the reverse."""
    verdicts = {
        row["query"]: bool(row["ok"]) for row in read_lines(DATA / "neo4j_verdicts.jsonl.gz")
    }
    gaps: Counter[str] = Counter()
    examples: dict[str, str] = {}
    judged = 0
    for query, scored in {p.prediction: p.scored[0] for p in pairs if p.scored}.items():
        if query not in verdicts:
            continue
        judged += 1
        runs = bool(scored.values["executable"])
        if runs != verdicts[query]:
            why = re.sub(r"\d+", "#", scored.why.removeprefix("The prediction fails: "))[:120]
            what = "only kglite runs it" if runs else f"only Neo4j plans it: {why}"
            gaps[what] += 1
            examples.setdefault(what, query)
    print(f"Neo4j's own verdict: {judged - gaps.total():,} of {judged:,} queries agree")
    for what, number in gaps.most_common():
        print(f"  {number:4} {what}\n       {examples[what]}")


if __name__ == "__main__":
    main(*(int(argument) for argument in sys.argv[1:2]))
