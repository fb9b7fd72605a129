"""The faults that a draft can have: 8 families, 32 codes, the same for SQL and Cypher.

Seven families leave the query executable; only `SYN` stops it. Each check of the guard raises
one code; the repair prompt lists them all.
"""

from __future__ import annotations

from dataclasses import dataclass

__all__ = ["FAMILIES", "TAXONOMY", "Fault"]

FAMILIES = {
    "SYN": "syntax",
    "DIR": "direction",
    "SCH": "schema",
    "ENT": "entities and values",
    "PAT": "pattern and join",
    "AGG": "aggregation",
    "FIL": "filter",
    "RET": "result",
}


@dataclass(frozen=True, slots=True)
class Fault:
    """One entry: a stable code, a short name, and what it is in each language."""

    code: str
    name: str
    cypher: str
    sql: str

    @property
    def family(self) -> str:
        """The three letters of the family."""
        return self.code[:3]


def _fault(code: str, name: str, cypher: str, sql: str = "") -> tuple[str, Fault]:
    return code, Fault(code, name, cypher, sql or cypher)


TAXONOMY: dict[str, Fault] = dict(
    [
        _fault("SYN1", "malformed", "clause order, brackets, prose around the query"),
        _fault(
            "SYN2", "unsupported", "a function, procedure or syntax that this server does not have"
        ),
        _fault(
            "SYN3",
            "undefined name",
            "a variable that was never bound or was lost behind a WITH",
            "an alias or CTE that is not in scope, a column that is not grouped",
        ),
        _fault("SYN4", "type error", "an operator or function on a type that cannot take it"),
        _fault(
            "DIR1",
            "reversed",
            "an arrow against the only declared orientation",
            "a join on the wrong side's key",
        ),
        _fault(
            "DIR2",
            "reversed among equals",
            "a wrong direction where both ends have one label",
            "a self-join with parent and child swapped",
        ),
        _fault(
            "DIR3",
            "doubled",
            "an undirected pattern over a type that is stored both ways",
            "a self-join that counts each pair twice",
        ),
        _fault(
            "DIR4",
            "halved",
            "a directed pattern over a symmetric type that is stored once",
            "a join that drops one side of a symmetric relation",
        ),
        _fault("SCH1", "unknown label", "a node label that is not declared", "an unknown table"),
        _fault(
            "SCH2",
            "unknown type",
            "a relationship type that is not declared",
            "no such join path or schema",
        ),
        _fault("SCH3", "unknown property", "a property that is not declared", "an unknown column"),
        _fault(
            "SCH4",
            "misplaced",
            "declared, but on other endpoints, or on the relationship instead of the node",
            "the column belongs to another table in scope",
        ),
        _fault(
            "ENT1", "spelling", "a literal that differs from the stored value: case, accent, alias"
        ),
        _fault(
            "ENT2",
            "wrong property",
            "the value is stored under another property",
            "the value is stored in another column",
        ),
        _fault(
            "ENT3",
            "wrong label",
            "the value is stored on another label",
            "the value is stored in another table",
        ),
        _fault("ENT4", "wrong type", "a literal whose type or format differs from the stored one"),
        _fault(
            "PAT1",
            "topology",
            "two hops that must meet in one node do not, or the reverse",
            "conditions that must hold for one row are spread over two, or the reverse",
        ),
        _fault(
            "PAT2",
            "hop",
            "a hop too few or too many, wrong variable-length bounds",
            "a missing or needless bridge table",
        ),
        _fault(
            "PAT3",
            "disconnected",
            "patterns without a shared variable multiply",
            "a cartesian product: a join condition is missing",
        ),
        _fault(
            "PAT4",
            "optionality",
            "MATCH drops what OPTIONAL MATCH must keep, or the reverse",
            "inner for outer join or the reverse; an outer join undone by WHERE",
        ),
        _fault(
            "AGG1",
            "fan-out",
            "an aggregate over rows that another one-to-many hop multiplied",
            "an aggregate after a one-to-many join",
        ),
        _fault(
            "AGG2",
            "rows for entities",
            "a count of rows where distinct entities are meant",
            "COUNT(*) for COUNT(DISTINCT), or COUNT(*) after an outer join",
        ),
        _fault("AGG3", "grouping", "grouped by a name that is not unique, or by too much"),
        _fault("AGG4", "function", "a wrong aggregate, an integer division, an average of ratios"),
        _fault("FIL1", "missing filter", "a condition of the question is not in the query"),
        _fault("FIL2", "extra filter", "a condition that the question does not make"),
        _fault(
            "FIL3",
            "boundary",
            "> for >=, the end of a date or time range, a unit, a period",
            "as in Cypher, and BETWEEN dates on a timestamp",
        ),
        _fault("FIL4", "null", "NULL sorted first, NOT IN with NULL, a negation that drops NULL"),
        _fault(
            "RET1",
            "projection",
            "a node returned for a property, a column missing or too many",
            "a column missing or too many",
        ),
        _fault(
            "RET2",
            "unprompted",
            "an ORDER BY, LIMIT or DISTINCT that the question does not ask for",
        ),
        _fault("RET3", "superlative", "a wrong sort direction, dropped ties, a missing limit"),
        _fault(
            "RET4",
            "duplicates",
            "an entity repeated because of the path",
            "a row repeated because of the join",
        ),
    ]
)
