"""What the PyPI package `truequery` says of SQL texts, asked in a Python of its own.

The package pins versions of the libraries that Groundwire uses, so it is installed elsewhere:
`GROUNDWIRE_BENCH_TRUEQUERY` names that environment's Python. Its checks read the text alone, one
file a statement; `default` are those that it switches on, `all` those that it has.
"""

from __future__ import annotations

import json
import os
import subprocess

__all__ = ["ask_truequery", "is_there"]

ASK = """
import json, sys, time
from truequery.analyzers.sql import check_text
for line in sys.stdin:
    text, answer = json.loads(line), {}
    for name, every in (("default", False), ("all", True)):
        began = time.perf_counter()
        found = check_text(text + ";\\n", dialect="postgres", mode="build", include_disabled=every)
        answer[name] = sorted({finding["rule"] for finding in found["findings"]})
        answer[name + " ms"] = (time.perf_counter() - began) * 1000
        answer["unread"] = bool(found["diagnostics"])
    print(json.dumps(answer))
"""


def is_there() -> bool:
    """An environment with the package is named."""
    return bool(os.environ.get("GROUNDWIRE_BENCH_TRUEQUERY"))


def ask_truequery(statements: list[str]) -> dict[str, dict[str, list[str]]]:
    """Statement → `default` and `all`: the rules that it breaks, and `unread`."""
    done = subprocess.run(
        [os.environ["GROUNDWIRE_BENCH_TRUEQUERY"], "-c", ASK],
        input="\n".join(map(json.dumps, statements)) + "\n",
        capture_output=True,
        text=True,
        check=True,
    )
    answers = map(json.loads, done.stdout.splitlines())
    return dict(zip(statements, answers, strict=True))
