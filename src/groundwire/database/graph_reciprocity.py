"""Is a relation stored once or as two relationships, one each way? Measured, not guessed.

The storage-reciprocity statistic of the CypherGuard paper, section 3.3: of the relationships of a
type between nodes of one label, the fraction whose reverse is stored too.
"""

from __future__ import annotations

import math
import time

from groundwire.database.graph_catalog import Reciprocity, quote_name
from groundwire.database.graph_facts import Ask

__all__ = ["EXACT", "SAMPLE", "measure", "wilson"]

EXACT = 50_000
"""Up to so many relationships all are looked at."""

SAMPLE = 10_000
"""Above that, about so many, drawn at random from the first `SCAN`."""

SCAN = 2_000_000

Z = 1.959964
"""The standard normal quantile of a two-sided 95 % interval."""


def measure(
    ask: Ask,
    label: str,
    type_name: str,
    total: int,
    *,
    lazy_limit: bool,
    exact: bool | None = None,
) -> Reciprocity:
    """Measure the reciprocity of a type between nodes of one label.

    A relationship from a node to itself is its own reverse and matches an undirected pattern
    once, so it is left out.

    Args:
        total: relationships of the type between nodes of the label, as far as is known.
        lazy_limit: as `Facts.lazy_limit`.
        exact: look at all; None = when there are at most `EXACT`.
    """
    exact = total <= EXACT if exact is None else exact
    end, kind = quote_name(label), quote_name(type_name)
    if exact:
        pairs = f"MATCH (a:{end})-[:{kind}]->(b:{end})"
    else:
        pairs = _draw(end, kind, SAMPLE / min(total, SCAN), lazy_limit)
    statement = (
        f"{pairs} WITH a, b WHERE a <> b RETURN count(*) AS relationships, "
        f"sum(CASE WHEN EXISTS {{ (b)-[:{kind}]->(a) }} THEN 1 ELSE 0 END) AS reversed"
    )
    started = time.perf_counter()
    measured, backwards = ask(statement)[0]
    seconds = time.perf_counter() - started
    fraction = backwards / measured if measured else 0.0
    return Reciprocity(
        label,
        type_name,
        measured if exact else total,
        measured,
        backwards,
        *((fraction, fraction) if exact else wilson(backwards, measured)),
        exact,
        statement,
        seconds,
    )


def _draw(end: str, kind: str, share: float, lazy_limit: bool) -> str:
    """Relationships drawn one by one.

    Neo4j tests `rand()` on the nodes before it follows their relationships, so that those of one
    node come together or not at all, and an interval would be too narrow; the LIMIT keeps the
    test behind the relationships (seen: 3,200 different nodes among 10,000, of 9,700 expected).
    """
    if not lazy_limit:
        return f"MATCH (a:{end})-[:{kind}]->(b:{end}) WHERE rand() < {share:.8f}"
    return (
        f"MATCH ()-[r:{kind}]->() WITH r LIMIT {SCAN} WHERE rand() < {share:.8f} "
        f"WITH startNode(r) AS a, endNode(r) AS b WHERE a:{end} AND b:{end}"
    )


def wilson(hits: int, trials: int) -> tuple[float, float]:
    """Wilson's score interval of a proportion, 95 % (Wilson 1927); (0, 1) without a trial."""
    if not trials:
        return 0.0, 1.0
    p, z2 = hits / trials, Z * Z
    middle = p + z2 / (2 * trials)
    spread = Z * math.sqrt(p * (1 - p) / trials + z2 / (4 * trials * trials))
    scale = 1 + z2 / trials
    return max(0.0, min(p, (middle - spread) / scale)), min(1.0, max(p, (middle + spread) / scale))
