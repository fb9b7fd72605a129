"""PAT3: patterns that share nothing, so that each match of one meets each match of the other."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import groupby
from math import prod

from groundwire.database.graph_catalog import GraphCatalog
from groundwire.guard.context import CypherContext
from groundwire.guard.doubling import doubling_shows
from groundwire.guard.findings import Evidence, Finding
from groundwire.guard.literals import Comparison, comparisons
from groundwire.guard.stages import variables
from groundwire.query.cypher import ast

__all__ = ["cartesian_product"]

Group = list[ast.PathPattern]


def cartesian_product(context: CypherContext) -> list[Finding]:
    """`MATCH (p:Person), (m:Movie) RETURN p.name, m.title` is every person with every film.

    Patterns are linked by a variable, by a condition or by an expression that holds variables of
    both. Looking single nodes up by a value is no product, nor is one that only a DISTINCT sees.
    """
    found = list(comparisons(context))
    findings = []
    for branch in context.query.find(ast.SingleQuery):
        for matches in _runs(branch):
            groups = [
                group
                for group in _apart(branch, matches)
                if not _is_looked_up(context, group, matches, found)
            ]
            if len(groups) > 1 and doubling_shows(context.query, groups[1][0].elements[0]):
                findings.append(_finding(context, groups))
    return findings


def _runs(branch: ast.SingleQuery) -> Iterator[list[ast.Match]]:
    """Stretches of MATCH without another clause between them."""
    for plain, clauses in groupby(
        branch.clauses, lambda clause: isinstance(clause, ast.Match) and not clause.optional
    ):
        if plain:
            yield [clause for clause in clauses if isinstance(clause, ast.Match)]


def _apart(branch: ast.SingleQuery, matches: list[ast.Match]) -> list[Group]:
    """The patterns of some MATCH in groups that nothing in the branch links."""
    start = matches[0].span[0]
    earlier = frozenset[str]().union(
        *(variables(clause) for clause in branch.clauses if clause.span[0] < start)
    )
    links = [part | earlier if part & earlier else part for part in _links(branch, start)]
    groups: list[tuple[frozenset[str], Group]] = []
    for match in matches:
        for path in match.patterns:
            names = _grown(variables(path), links)
            joined = [group for group in groups if group[0] & names]
            groups = [group for group in groups if not group[0] & names]
            patterns = [pattern for group in joined for pattern in group[1]]
            groups.append((names.union(*(group[0] for group in joined)), [*patterns, path]))
    return [patterns for _, patterns in groups]


def _grown(names: frozenset[str], links: list[frozenset[str]]) -> frozenset[str]:
    """The names with all that is linked to them, step by step."""
    size = -1
    while size != len(names):
        size = len(names)
        names = names.union(*(link for link in links if link & names))
    return names


def _links(branch: ast.SingleQuery, start: int) -> Iterator[frozenset[str]]:
    """The variables that stand in one pattern or one expression, from a clause on."""
    for clause in branch.clauses:
        if clause.span[0] < start:
            continue
        for part in ast.children(clause):
            if isinstance(part, ast.ProjectionItem):
                part = part.expression
            conjunction = isinstance(part, ast.Logical) and part.operator == "AND"
            for piece in ast.children(part) if conjunction else (part,):
                yield variables(piece)


def _is_looked_up(
    context: CypherContext, group: Group, matches: list[ast.Match], found: list[Comparison]
) -> bool:
    """One node (or a path from it) that a value picks out, and not one that many share."""
    names = variables(group[0]).union(*(variables(path) for path in group))
    spans = [path.span for path in group]
    for node in (element for path in group for element in path.elements):
        if isinstance(getattr(node, "properties", None), ast.Parameter):
            return True
    for comparison in found:
        if comparison.operator not in ("=", "IN") or _is_shared(comparison):
            continue
        inside = any(a <= comparison.span[0] and comparison.span[1] <= b for a, b in spans)
        owner = (comparison.place or "").partition(".")[0].strip("` ")
        if inside or owner in names:
            return True
    return False


def _is_shared(comparison: Comparison) -> bool:
    """The catalog has met the value more than once."""
    value = comparison.literal.value
    return any(
        met == value and times > 1 for item in comparison.stored for met, times in item.values
    )


def _finding(context: CypherContext, groups: list[Group]) -> Finding:
    sizes = [_size(context, group) for group in groups]
    texts = [context.query.text[group[0].span[0] : group[0].span[1]] for group in groups]
    sentence = " and ".join(
        f"{text} ({'about ' + format(size, ',') if size else 'size unknown'})"
        for text, size in zip(texts, sizes, strict=True)
    )
    total = prod(size for size in sizes if size)
    sentence += f" share no variable: about {total:,} combinations."
    return Finding(
        code="PAT3",
        check="cartesian_product",
        severity="doubt",
        span=groups[1][0].span,
        message=f"Each match of one pattern meets each match of the other: {sentence}",
        evidence=(Evidence(sentence, answer=sizes),),
    )


def _size(context: CypherContext, group: Group) -> int | None:
    """How often the rarest label or type of some patterns is stored; None = nothing is named."""
    catalog: GraphCatalog = context.catalog
    counts: list[int] = []
    for element in (element for path in group for element in path.elements):
        if isinstance(element, ast.ParenthesizedPath):
            continue
        stored = catalog.label if isinstance(element, ast.NodePattern) else catalog.type
        names = [n.name for x in context.query.labels_of(element) for n in ast.label_names(x)]
        known = [item.count for item in map(stored, names) if item is not None]
        counts += [max(known)] if known else []
    return min(counts, default=None)
