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
_NUMBERS = {"INTEGER", "FLOAT"}
_ORDERED = frozenset({"=", "<>", "<", ">", "<=", ">="})


def literal_type(context: CypherContext) -> list[Finding]:
    """`n.born = '1964'` where only integers are stored becomes `n.born = 1964`, and the like.

    Values of different types are never equal and never ordered (openCypher 9, Comparability), so
    that such a condition holds for no row, whatever is stored.
    """
    findings = []
    for comparison in comparisons(context):
        if comparison.operator in _ORDERED and len(comparison.types) == 1:
            finding = _finding(comparison, next(iter(comparison.types)))
            if finding is not None:
                findings.append(finding)
    return findings


def _finding(comparison: Comparison, stored: str) -> Finding | None:
    literal = comparison.literal.value
    span = comparison.literal.span
    if stored.startswith("LIST"):
        return _list_finding(comparison)
    written: str | None = None
    if isinstance(literal, str):
        if stored in _NUMBERS and re.fullmatch(r"-?\d+(\.\d+)?", literal):
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
