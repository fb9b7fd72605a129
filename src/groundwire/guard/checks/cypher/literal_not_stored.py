"""ENT1, ENT2, ENT3: a text that is compared with a property which does not hold it."""

from __future__ import annotations

from groundwire.guard.context import CypherContext
from groundwire.guard.findings import Evidence, Finding
from groundwire.guard.literals import Comparison, comparisons
from groundwire.guard.stored_text import Stored, folded, is_stored, look_up
from groundwire.query.cypher import ast
from groundwire.query.edits import Edit

__all__ = ["literal_not_stored"]

_BINDINGS = 3
_EQUAL = frozenset({"=", "IN", "<>"})
_WITHIN = frozenset({"CONTAINS", "STARTS WITH", "ENDS WITH"})


def literal_not_stored(context: CypherContext) -> list[Finding]:
    """`{name: 'ann lee'}` becomes `{name: 'Ann Lee'}` where only that is stored.

    Where several values, or none, could be meant, or another property holds the text, there is a
    doubt. At most three texts of a draft are looked up, with at most two probes each.
    """
    found = list(comparisons(context))
    texts: dict[tuple[object, ...], list[Comparison]] = {}
    for comparison in found:
        if _is_text(comparison):
            key = (comparison.names, comparison.key, comparison.literal.value, comparison.operator)
            texts.setdefault(key, []).append(comparison)
    findings = []
    for same in list(texts.values())[:_BINDINGS]:
        existence = is_stored(context, same[0])
        if existence is not None and not existence.answer:
            findings += _absent(context, same, found, existence)
    return findings


def _is_text(comparison: Comparison) -> bool:
    literal = comparison.literal.value
    if not isinstance(literal, str) or not folded(literal):
        return False
    if comparison.literal_first and comparison.operator == "IN":
        return comparison.types == {"LIST<STRING>"}
    if comparison.literal_first and comparison.operator in _WITHIN:
        return False
    return comparison.operator in _EQUAL | _WITHIN and comparison.types == {"STRING"}


def _absent(
    context: CypherContext,
    same: list[Comparison],
    all_found: list[Comparison],
    existence: Evidence,
) -> list[Finding]:
    first = same[0]
    excludes = first.operator == "<>" or _is_negated(context, first)
    if first.operator in _WITHIN or first.folded:
        return [] if excludes else [_matches_nothing(first, existence)]
    stored = look_up(context, first)
    if stored is None or (excludes and not stored.same):
        return []
    if stored.meant is not None and _is_tried(context, first, stored.meant, all_found):
        return []
    if stored.meant is not None and not excludes:
        return [_respelt(comparison, stored, stored.meant) for comparison in same]
    return [_doubt(first, stored)]


def _is_negated(context: CypherContext, comparison: Comparison) -> bool:
    start, end = comparison.span
    return any(
        node.operator == "NOT" and node.span[0] <= start and end <= node.span[1]
        for node in context.query.find(ast.Unary)
    )


def _is_tried(
    context: CypherContext, comparison: Comparison, value: str, found: list[Comparison]
) -> bool:
    """The draft tries the stored spelling as an alternative to this one."""
    return any(
        other.key == comparison.key
        and other.literal.value == value
        and _is_alternative(context, comparison.literal.span, other.literal.span)
        for other in found
    )


def _is_alternative(context: CypherContext, one: ast.Span, other: ast.Span) -> bool:
    """What stands at the two places need not hold together: OR, a list, CASE, UNION."""
    for node in context.query.nodes:
        if isinstance(node, ast.Logical) and node.operator != "AND":
            parts: tuple[ast.Node, ...] = node.operands
        elif isinstance(node, ast.ListLiteral | ast.Case):
            parts = tuple(ast.children(node))
        elif isinstance(node, ast.RegularQuery):
            parts = node.branches
        else:
            continue
        homes = [[part for part in parts if _holds(part, span)] for span in (one, other)]
        if all(homes) and homes[0] != homes[1]:
            return True
    return False


def _holds(part: ast.Node, span: ast.Span) -> bool:
    return part.span[0] <= span[0] and span[1] <= part.span[1]


def _respelt(comparison: Comparison, stored: Stored, value: str) -> Finding:
    quote = comparison.written[0]
    escaped = value.replace("\\", "\\\\").replace(quote, "\\" + quote)
    edit = Edit(*comparison.literal.span, quote + escaped + quote)
    owner = " or ".join(comparison.names)
    return Finding(
        code="ENT1",
        check="literal_not_stored",
        severity="fault",
        span=comparison.literal.span,
        message=f"No {comparison.key} of {owner} is {comparison.literal.value!r}; "
        f"the one that is meant is stored as {value!r}.",
        evidence=(stored.evidence,),
        edits=(edit,),
        action="repaired",
    )


def _doubt(comparison: Comparison, stored: Stored) -> Finding:
    owner = " or ".join(comparison.names)
    message = f"No {comparison.key} of {owner} is {comparison.literal.value!r}"
    code = "ENT1"
    if stored.same:
        message += f"; stored are {' and '.join(stored.candidates)}."
    elif stored.elsewhere:
        label, key = stored.elsewhere[0]
        code = "ENT2" if label in comparison.names else "ENT3"
        message += f"; {key} of {label} holds it."
    elif stored.candidates:
        message += f"; nearest are {' and '.join(stored.candidates)}."
    else:
        message += ", and nothing like it is stored."
    return _finding(comparison, code, message, stored.evidence)


def _matches_nothing(comparison: Comparison, existence: Evidence) -> Finding:
    owner = " or ".join(comparison.names)
    operator = "is" if comparison.operator in _EQUAL else comparison.operator
    message = f"No {comparison.key} of {owner} {operator} {comparison.literal.value!r}"
    message += ", in any case." if comparison.folded else "."
    return _finding(comparison, "ENT1", message, existence)


def _finding(comparison: Comparison, code: str, message: str, evidence: Evidence) -> Finding:
    return Finding(
        code=code,
        check="literal_not_stored",
        severity="doubt",
        span=comparison.literal.span,
        message=message,
        evidence=(evidence,),
    )
