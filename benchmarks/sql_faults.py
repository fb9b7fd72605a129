"""Faults planted into correct SQL: how many each check finds, repairs exactly, or misses.

The pairs of `sql_faults.txt` and the faults in names and texts of `sql_plants.py`, planted into the
correct queries of the same file and into the Chicago pack's golds; on a seeded shop
(`sql_shop.py`; PostgreSQL, DuckDB, SQLite) and synthetic Chicago data (PostgreSQL). With the
question, without a model. A fault counts as planted where it changes the rows or is an error.

`repaired`: the guard's text gives the rows of the correct query. `reported`: the check's finding
without a repair; `other`: only another check's finding, or refused by the planner; `wrong`: changed
into something else, also by another check; `missed`: nothing said. The correct queries must get no
finding. `truequery` (`sql_truequery.py`) reads the same statements: a rule counts as found where it
speaks of the planted query and not of the correct one (`spoke`: of the planted one at all).

`GROUNDWIRE_BENCH_ENGINES` names the engines; `GROUNDWIRE_BENCH_ROWS` the crimes (60,000).
"""

from __future__ import annotations

import itertools
import os
import random
import re
import sys
import tempfile
from collections import Counter, defaultdict
from collections.abc import Iterator
from contextlib import ExitStack
from dataclasses import dataclass, replace
from datetime import date
from pathlib import Path

from tests.postgres_server import PostgresServer, start_packaged

from benchmarks.sql_plants import PLANTS, planted
from benchmarks.sql_shop import shop_script
from benchmarks.sql_truequery import ask_truequery, is_there
from groundwire import connect
from groundwire.database import SqlDatabase
from groundwire.database.writing import open_for_writing
from groundwire.errors import GroundwireError
from groundwire.guard import Guard, Verdict
from groundwire.packs.chicago import generate, load
from groundwire.packs.chicago.questions import load_questions

ENGINES = os.environ.get("GROUNDWIRE_BENCH_ENGINES", "postgres duckdb sqlite").split()
CRIMES = int(os.environ.get("GROUNDWIRE_BENCH_ROWS", "60000"))
TODAY = date(2026, 11, 30)
MOST = 40
"""Faults of one plant in one database."""
SECONDS = 5.0
"""A planted query that takes longer has failed."""
COLUMNS = ("planted", "found", "repaired", "reported", "other", "wrong", "missed")
Rows = list[tuple[object, ...]] | None


@dataclass(frozen=True)
class Pair:
    """A correct query, and the same with a fault that `check` is to find."""

    check: str
    database: str
    question: str
    right: str
    wrong: str
    ordered: bool = False
    plant: str = ""


def main() -> None:
    """Print a table for each engine, false alarms, and an example of each thing gone wrong."""
    pairs = read_pairs(Path(__file__).with_suffix(".txt").read_text(encoding="utf-8"))
    with tempfile.TemporaryDirectory(prefix="groundwire-bench-") as folder, ExitStack() as stack:
        server = start_packaged() if "postgres" in ENGINES else None
        if server is not None:
            stack.callback(server.stop)
        for engine in ENGINES:
            databases = opened(engine, server, Path(folder), stack)
            here = [pair for pair in pairs if pair.database in databases]
            report(engine, [*here, *mechanical(here, databases)], databases)


def read_pairs(text: str) -> list[Pair]:
    """The pairs of a file whose head explains the form."""
    pairs = []
    for block in re.sub(r"^#.*\n", "", text, flags=re.MULTILINE).split("\n---\n"):
        fields: dict[str, str] = {"database": "shop"}
        choices: list[list[dict[str, str]]] = []
        for line in block.strip().splitlines():
            key, value = line.split(": ", 1)
            if key == "with":
                choices.append(read_choices(value))
            else:
                fields[key] = value
        fields["ordered"] = fields.get("ordered", "")
        for chosen in itertools.product(*choices):
            values = {name: text for choice in chosen for name, text in choice.items()}
            filled = {key: fill(value, values) for key, value in fields.items()}
            pairs.append(Pair(**filled))  # type: ignore[arg-type]
    return pairs


def read_choices(line: str) -> list[dict[str, str]]:
    """`a, b = 1, 2 | 3, 4` as one dictionary for each choice."""
    names, _, values = line.partition(" = ")
    keys = names.split(", ")
    return [
        dict(zip(keys, value.split(", "), strict=True))
        for value in map(str.strip, values.split("|"))
    ]


def fill(text: str, values: dict[str, str]) -> str:
    """The text with each `{name}` replaced."""
    return re.sub(r"\{(\w+)\}", lambda match: values[match[1]], text)


def opened(
    engine: str, server: PostgresServer | None, folder: Path, stack: ExitStack
) -> dict[str, SqlDatabase]:
    """The shop, and on PostgreSQL the crimes."""
    urls = {"shop": f"{engine}:///{folder}/shop.{engine}"}
    if server is not None and engine == "postgres":
        urls = {"shop": server.create_database(), "chicago": server.create_database()}
        generate(CRIMES, 7, folder / "crimes.csv", today=TODAY)
        load(folder / "crimes.csv", urls["chicago"])
    with open_for_writing(urls["shop"]) as connection:
        for statement in shop_script().split(";\n"):
            connection.execute(statement.removesuffix(";"))
    databases = {}
    for name, url in urls.items():
        database = stack.enter_context(connect(url))
        assert isinstance(database, SqlDatabase)
        databases[name] = database
    return databases


def mechanical(pairs: list[Pair], databases: dict[str, SqlDatabase]) -> Iterator[Pair]:
    """Faults in names and texts of the correct queries and of the Chicago pack's golds."""
    rights = list({(p.database, p.right): p for p in pairs}.values())
    if "chicago" in databases:
        rights += [
            Pair("", "chicago", question.question, gold.sql.strip(), "", question.ordered)
            for question in load_questions()
            for gold in question.golds
        ]
    for name, (check, plant) in PLANTS.items():
        for database in databases:
            chance = random.Random(f"{name} {database}")
            here = [pair for pair in rights if pair.database == database]
            made: list[Pair] = []
            for pair in chance.sample(here, len(here)):
                texts = planted(plant, pair.right, databases[database], chance)
                made += [replace(pair, check=check, wrong=t, plant=name) for t in texts]
                if len(made) >= MOST:
                    break
            yield from made[:MOST]


def report(engine: str, pairs: list[Pair], databases: dict[str, SqlDatabase]) -> None:
    """Tables of one engine."""
    counted: dict[str, Counter[str]] = defaultdict(Counter)
    examples: dict[tuple[str, str], list[str]] = defaultdict(list)
    kept = []
    for number, pair in enumerate(pairs):
        print(f"{engine}: {number}/{len(pairs)} {name_of(pair):50}", end="\r", file=sys.stderr)
        database = databases[pair.database]
        wanted = rows_of(pair.right, database, pair.ordered)
        if wanted is None or rows_of(pair.wrong, database, pair.ordered) == wanted:
            counted[name_of(pair)]["no fault"] += 1
            continue
        kept.append(pair)
        verdict = Guard(database).check(pair.wrong, pair.question)
        became = outcome(verdict, pair, wanted, database)
        count = counted[name_of(pair)]
        count.update(["planted", became])
        count["found"] += any(finding.check == pair.check for finding in verdict.findings)
        if became in ("wrong", "missed", "other"):
            examples[name_of(pair), became].append(describe(pair, verdict))
    print(f"\n## {engine}\n\n| fault | {' | '.join(COLUMNS)} | changes no row |")
    print("|---" * (len(COLUMNS) + 2) + "|")
    for name, count in counted.items():
        cells = [str(count[column]) for column in (*COLUMNS, "no fault")]
        print(f"| {name} | {' | '.join(cells)} |", flush=True)
    alarms(engine, pairs, databases)
    if is_there():
        side_by_side(kept)
    for (name, became), texts in sorted(examples.items()):
        print(f"\n{engine}: {name}: {became} {len(texts)}, for example\n{texts[0]}", flush=True)


def name_of(pair: Pair) -> str:
    return f"{pair.check}: {pair.plant}" if pair.plant else pair.check


def outcome(verdict: Verdict, pair: Pair, wanted: Rows, database: SqlDatabase) -> str:
    """What became of a planted fault."""
    if verdict.ok and verdict.query != pair.wrong:
        same = rows_of(verdict.query, database, pair.ordered) == wanted
        return "repaired" if same else "wrong"
    if any(finding.check == pair.check for finding in verdict.findings):
        return "reported"
    return "other" if verdict.findings or not verdict.ok else "missed"


def rows_of(text: str, database: SqlDatabase, ordered: bool) -> Rows:
    """The rows, sorted unless their order counts; None where it cannot be run."""
    try:
        result = database.execute(text, max_rows=20_000, timeout=SECONDS)
        rows = [tuple(map(plain, row)) for row in result.rows]
    except GroundwireError:
        return None
    return rows if ordered else sorted(rows, key=repr)


def plain(value: object) -> object:
    """Numbers of every type to ten digits, for comparison."""
    try:
        return f"{float(value):.10g}"  # type: ignore[arg-type]
    except (TypeError, ValueError):
        return value


def describe(pair: Pair, verdict: Verdict) -> str:
    lines = [f"  Q {pair.question}", f"  - {pair.wrong}", f"  + {pair.right}"]
    if verdict.query != pair.wrong:
        lines.append(f"  > {verdict.query}")
    lines += [f"  {f.severity} {f.check}: {f.message}" for f in verdict.findings]
    lines += [f"  not checked: {', '.join(verdict.unchecked)}"] if verdict.unchecked else []
    return "\n".join(lines)


def alarms(engine: str, pairs: list[Pair], databases: dict[str, SqlDatabase]) -> None:
    """Findings on the correct queries, with and without their question."""
    rights = list({(p.database, p.right): p for p in pairs}.values())
    for asked in (True, False):
        found: Counter[str] = Counter()
        examples: dict[str, str] = {}
        changed = 0
        for pair in rights:
            guard = Guard(databases[pair.database])
            verdict = guard.check(pair.right, pair.question if asked else None)
            changed += verdict.query != pair.right or not verdict.ok
            for finding in verdict.findings:
                kind = f"{finding.severity} {finding.check}"
                found[kind] += 1
                examples.setdefault(kind, describe(replace(pair, wrong=pair.right), verdict))
        how = "with" if asked else "without"
        print(f"\n{engine}: {len(rights)} correct queries {how} question: {changed} changed or")
        print(f"refused; findings {dict(found)}", flush=True)
        for kind, example in examples.items():
            print(f"{kind}, for example\n{example}")


def side_by_side(pairs: list[Pair]) -> None:
    """What truequery says of the same statements."""
    answers = ask_truequery(list(dict.fromkeys(t for p in pairs for t in (p.wrong, p.right))))
    counted: dict[str, Counter[str]] = defaultdict(Counter)
    rules: dict[str, set[str]] = defaultdict(set)
    columns = ["planted"]
    columns += [f"{what} ({which})" for which in ("default", "all") for what in ("found", "spoke")]
    for pair in pairs:
        count = counted[name_of(pair)]
        count["planted"] += 1
        for which in ("default", "all"):
            told = set(answers[pair.wrong][which])
            new = told - set(answers[pair.right][which])
            count[f"spoke ({which})"] += bool(told)
            count[f"found ({which})"] += bool(new)
            rules[name_of(pair)] |= told
    print(f"\n| truequery | {' | '.join(columns)} | rules |")
    print("|---" * (len(columns) + 2) + "|")
    for name, count in counted.items():
        cells = [str(count[column]) for column in columns]
        print(f"| {name} | {' | '.join([*cells, ', '.join(sorted(rules[name]))])} |")
    rights = {pair.right for pair in pairs}
    for which in ("default", "all"):
        told_of = Counter(rule for text in rights for rule in answers[text][which])
        flagged = sum(bool(answers[text][which]) for text in rights)
        print(f"truequery {which}: {flagged} of {len(rights)} correct queries: {dict(told_of)}")
    print(f"not read: {sum(bool(answer['unread']) for answer in answers.values())}", flush=True)


if __name__ == "__main__":
    main()
