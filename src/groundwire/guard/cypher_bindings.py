"""Which values a Cypher query expects on which property of which label."""

from __future__ import annotations

from groundwire.guard.grounding import Binding
from groundwire.guard.quoting import quoted
from groundwire.query.cypher import PropertyLiteral, Query, ast, parse

__all__ = ["cypher_bindings"]

_OPERATORS = {
    "=": "=",
    "IN": "=",
    "CONTAINS": "CONTAINS",
    "STARTS WITH": "STARTS WITH",
    "ENDS WITH": "ENDS WITH",
}


def cypher_bindings(text: str) -> list[Binding]:
    """The text literals of a query, from property maps, comparisons and IN lists.

    The label comes from the pattern or from the variable's declaration; where there is none,
    every node (or relationship) is asked.
    """
    query = parse(text)
    found = [
        _binding(query, literal)
        for literal in query.property_literals
        if isinstance(literal.literal.value, str) and literal.operator in _OPERATORS
    ]
    return list(dict.fromkeys(found))


def _binding(query: Query, found: PropertyLiteral) -> Binding:
    value = str(found.literal.value)
    kind, names = _owner(query, found)
    label = f":{quoted(names[0])}" if names else ""
    pattern = f"(x{label})" if kind == "node" else f"()-[x{label}]->()"
    key = f"x.{quoted(found.key.value)}"
    operator = _OPERATORS[found.operator]
    left, right = (f"toLower({key})", "toLower($value)") if found.folded else (key, "$value")
    owner = names[0] if names else "any node" if kind == "node" else "any relationship"
    # A property may hold a list, in which the value is looked for.
    exists = f"MATCH {pattern} WHERE {left} {operator} {right} RETURN 1 AS found LIMIT 1"
    similar = (
        f"MATCH {pattern} WHERE toLower(toString({key})) CONTAINS toLower($value)"
        f" RETURN DISTINCT {key} AS value LIMIT 3"
    )
    if found.literal_first and found.operator == "IN":
        exists = f"MATCH {pattern} WHERE $value IN {key} RETURN 1 AS found LIMIT 1"
        similar = (
            f"MATCH {pattern} UNWIND {key} AS value WITH DISTINCT value"
            " WHERE toLower(toString(value)) CONTAINS toLower($value) RETURN value LIMIT 3"
        )
    return Binding(f"{owner}.{found.key.value}", value, exists, similar)


def _owner(query: Query, found: PropertyLiteral) -> tuple[str, list[str]]:
    if found.owner is not None and found.owner.entity is not None:
        labels = tuple(found.owner.entity.labels)
        kind = "relationship" if found.owner.kind == "relationship" else "node"
    elif found.element is not None:
        labels = query.labels_of(found.element)
        kind = "relationship" if isinstance(found.element, ast.RelationshipPattern) else "node"
    else:
        return "node", []
    return kind, [name.name for node in labels for name in ast.label_names(node)]
