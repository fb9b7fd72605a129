"""Provenance subgraph Jaccard similarity: how far a query looks at the same nodes as the gold."""

from __future__ import annotations

from collections.abc import Iterator

from groundwire.bench.metrics.pair import Pair
from groundwire.query.cypher import ast, parse
from groundwire.query.edits import Edit, apply

__all__ = ["provenance", "psjs"]


def psjs(pair: Pair) -> float | None:
    """The nodes that both queries match, as a share of those that either one matches.

    Source: CypherBench (arXiv 2412.18702, section 5.2). The nodes of a query are those of its
    leading MATCH clauses, with their WHERE: up to the first clause that is not MATCH, OPTIONAL
    MATCH or a WITH that renames and aggregates nothing (such a WITH passes everything on). Of a
    UNION, on top or in the CALL that a query begins with, the nodes of every branch. The same
    text is 1; no node on either side is 0. None where a derived query fails.

    Done here by parse; the published code takes the text apart with regular expressions, and
    differs so: a clause word in a string or in small letters misleads it, a brace in a string
    ends a property map, UNION in a string splits the query; nodes without a variable count for it
    only where they have one plain label, nodes named with back-ticks, `WHERE` or `:A|B` not at all
    or wrongly; a query that fails as a whole can still have a score there (it is 0 here). Blind
    spots of both: what comes after the leading MATCH (aggregation, projection, order, CALL,
    EXISTS), relationships, and two queries that both match nothing, which are 0 even if right.
    """
    if pair.same_text:
        return 1.0
    both: list[set[str]] = []
    for text in (pair.gold.query, pair.prediction.query):
        nodes: set[str] = set()
        for query in provenance(text):
            outcome = pair.run(query)
            if not outcome.whole:
                return None
            nodes.update(node for row in outcome.rows for node in row[0])
        both.append(nodes)
    union = both[0] | both[1]
    return len(both[0] & both[1]) / len(union) if union else 0.0


def provenance(text: str) -> list[str]:
    """Queries that only read, one for each branch of a query that begins with MATCH.

    Each gives one row with one list: the ids of the nodes that its leading patterns match.
    """
    query = parse(text)
    if not query.ok or len(query.statements) != 1:
        return []
    branches = query.statements[0].query.branches
    first = branches[0].clauses[0] if branches[0].clauses else None
    if isinstance(first, ast.CallSubquery):
        branches = first.query.branches
    return [derived for branch in branches if (derived := _derived(text, branch))]


def _derived(text: str, branch: ast.SingleQuery) -> str:
    parts: list[str] = []
    names: dict[str, None] = {}
    for clause in _leading(branch):
        if isinstance(clause, ast.Match):
            edits = list(_named(clause, names))
            start, end = clause.span
            shifted = (Edit(e.start - start, e.end - start, e.text) for e in edits)
            parts.append(apply(text[start:end], shifted))
        elif clause.where is not None:
            start, end = clause.where.span
            parts.append(f"WITH * WHERE {text[start:end]}")
    if not names:
        return ""
    lists = " + ".join(f"collect(DISTINCT elementId({name}))" for name in names)
    return f"{' '.join(parts)} RETURN {lists} AS ids"


def _leading(branch: ast.SingleQuery) -> Iterator[ast.Match | ast.With]:
    """The clauses whose patterns count; none where the branch does not begin with MATCH."""
    for place, clause in enumerate(branch.clauses):
        counts = isinstance(clause, ast.Match) and (place or not clause.optional)
        passes = isinstance(clause, ast.With) and place and _passes_on(clause)
        if not (counts or passes):
            return
        assert isinstance(clause, ast.Match | ast.With)
        yield clause


def _passes_on(clause: ast.With) -> bool:
    if clause.order_by or clause.skip or clause.limit:
        return False
    return all(
        item.alias is None and isinstance(item.expression, ast.Variable) for item in clause.items
    )


def _named(clause: ast.Match, names: dict[str, None]) -> Iterator[Edit]:
    """Collects the nodes of a clause's patterns, and gives a name to those without one."""
    for path in clause.patterns:
        for node in path.elements:
            if not isinstance(node, ast.NodePattern):
                continue
            if node.variable is not None:
                name = f"`{node.variable.name.replace('`', '``')}`"
            else:
                name = f"`node {len(names)}`"
                yield Edit(node.span[0] + 1, node.span[0] + 1, name)
            names[name] = None
