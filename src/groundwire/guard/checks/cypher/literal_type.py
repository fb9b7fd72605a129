"""ENT4: a literal whose type can never equal what the property stores."""

from __future__ import annotations

import re

from groundwire.guard.context import CypherContext
from groundwire.guard.findings import Evidence, Finding
from groundwire.guard.literals import Comparison, comparisons
from groundwire.query.edits import Edit

__all__ = ["literal_type"]

_ISO = {
    "DATE": re.compile(r"\d{4}-\d{2}-\d{2}"),
    "DATETIME": re.compile(r"\d{4}-\d{2}-\d{2}T\d{2}:\d{2}(:\d{2}(\.\d+)?)?(Z|[+-]\d{2}:?\d{2})"),
    "LOCAL DATETIME": re.compile(r"\d{4}-\d{2}-\d{2}T\d{2}:\d{2}(:\d{2}(\.\d+)?)?"),
}
_MAKERS = {"DATE": "date", "DATETIME": "datetime", "LOCAL DATETIME": "localdatetime"}
_NUMBER = re.compile(r"-?\d+(\.\d+)?")
_NUMBERS = {"INTEGER", "FLOAT"}
_COMPARED = frozenset({"=", "<>", "<", ">", "<=", ">="})


def literal_type(context: CypherContext) -> list[Finding]:
    """`n.born = '1964'` where only integers are stored becomes `n.born = 1964`, and the like.

    Values of different types are never equal and never ordered (openCypher 9, Comparability), so
    that such a condition holds for no row, whatever is stored. Texts that are compared with a
    number by size are read as numbers: as texts '9' is greater than '1000'.
    """
    findings = []
    for comparison in comparisons(context):
        stored = _one_type(comparison)
        if comparison.operator in _COMPARED and stored is not None:
            finding = _finding(context, comparison, stored)
            if finding is not None:
                findings.append(finding)
    return findings


def _one_type(comparison: Comparison) -> str | None:
    """The type of all stored values; whole and broken numbers are one."""
    types = comparison.types
    if types and types <= _NUMBERS:
        return max(types, key=("INTEGER", "FLOAT").index)
    return next(iter(types)) if len(types) == 1 else None


def _finding(context: CypherContext, comparison: Comparison, stored: str) -> Finding | None:
    literal = comparison.literal.value
    span = comparison.literal.span
    if stored.startswith("LIST"):
        return _list_finding(comparison)
    written: str | None = None
    if isinstance(literal, str):
        if stored in _NUMBERS and _NUMBER.fullmatch(literal):
            written = literal
        elif stored == "BOOLEAN" and literal.lower() in ("true", "false"):
            written = literal.lower()
        elif stored in _ISO and _ISO[stored].fullmatch(literal):
            written = f"{_MAKERS[stored]}('{literal}')"
        elif stored == "STRING" or stored not in (*_NUMBERS, "BOOLEAN", *_ISO):
            return None
    elif isinstance(literal, bool):
        if stored != "STRING":
            return None
        written = f"'{str(literal).lower()}'"
    elif isinstance(literal, int | float) and stored == "STRING":
        if comparison.operator not in ("=", "<>"):
            return _size_finding(context, comparison)
        written = f"'{literal}'"
    else:
        return None
    edits = (Edit(*span, written),) if written is not None else ()
    return Finding(
        code="ENT4",
        check="literal_type",
        severity="fault",
        span=span,
        message=f"{comparison.key} holds {stored} values, which a "
        f"{_type_of(literal)} never equals"
        + (f"; {written} is compared instead." if edits else "."),
        evidence=(_evidence(comparison, stored),),
        edits=edits,
        action="repaired" if edits else "refused",
    )


def _size_finding(context: CypherContext, comparison: Comparison) -> Finding:
    """A text compared with a number by size."""
    start, end = comparison.span
    text, place = context.query.text[start:end], comparison.place
    edits: tuple[Edit, ...] = ()
    if place is not None and _hold_numbers(comparison):
        edits = (Edit(start, end, text.replace(place, f"toFloat({place})", 1)),)
    return Finding(
        code="ENT4",
        check="literal_type",
        severity="fault",
        span=comparison.span,
        message=f"{comparison.key} holds STRING values, which are never less or greater than a "
        "number" + ("; they are read as numbers." if edits else "."),
        evidence=(_evidence(comparison, "STRING"),),
        edits=edits,
        action="repaired" if edits else "refused",
    )


def _hold_numbers(comparison: Comparison) -> bool:
    """All sampled values of the property read as numbers."""
    values = [str(value) for item in comparison.stored for value, _ in item.values]
    return bool(values) and all(_NUMBER.fullmatch(value.strip()) for value in values)


def _list_finding(comparison: Comparison) -> Finding | None:
    """A single value against a list: membership is what can hold."""
    if comparison.operator != "=" or comparison.place is None:
        return None
    return Finding(
        code="ENT4",
        check="literal_type",
        severity="fault",
        span=comparison.span,
        message=f"{comparison.key} holds lists, which a single value never equals; "
        "membership is tested instead.",
        evidence=(_evidence(comparison, "LIST"),),
        edits=(Edit(*comparison.span, f"{comparison.written} IN {comparison.place}"),),
        action="repaired",
    )


def _evidence(comparison: Comparison, stored: str) -> Evidence:
    owners = " or ".join(comparison.names)
    return Evidence(f"Every value of {comparison.key} on {owners} is {stored}.", answer=stored)


def _type_of(value: object) -> str:
    return "text" if isinstance(value, str) else "boolean" if isinstance(value, bool) else "number"
