"""A plan as Cypher that runs alike on Neo4j and on the embedded engine.

A relation that must hold is a pattern, followed by the distinct entities; one that must not is a
negated EXISTS. Every pattern has a MATCH of its own, so that one relationship may serve two of
them. Rankings keep all ties and never compare with a missing value.
"""

from __future__ import annotations

import re
from datetime import date, datetime

from groundwire.database.graph_catalog import GraphCatalog, quote_name
from groundwire.draft.inflect import singular
from groundwire.draft.offline.names import identifier_words
from groundwire.draft.offline_graph.lexicon import naming_properties
from groundwire.draft.offline_graph.plan import Entity, Filter, Hop, Plan, Rank, Value
from groundwire.draft.offline_graph.vocabulary import words_of

__all__ = ["Unwritable", "write_cypher"]

_PLAIN = re.compile(r"[A-Za-z][A-Za-z0-9_]*\Z", re.ASCII)
_RESERVED = words_of("reserved")
_PLURALS = {"person": "people", "child": "children", "man": "men", "woman": "women"}
_WORDED = {"contains": "CONTAINS", "starts": "STARTS WITH", "ends": "ENDS WITH"}
_ESCAPES = {"\\": "\\\\", "'": "\\'", "\n": "\\n", "\r": "\\r", "\t": "\\t"}


class Unwritable(Exception):
    """The plan asks for something that the graph has no property for."""


def write_cypher(plan: Plan, catalog: GraphCatalog) -> str:
    """The text of the query.

    Raises:
        Unwritable: an entity has nothing that names it, or a group cannot have zeros.
    """
    return _Writer(catalog).write(plan)


def literal(value: Value) -> str:
    """A value as it stands in a query."""
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, datetime):
        return f"localdatetime('{value.isoformat(timespec='seconds')}')"
    if isinstance(value, date):
        return f"date('{value.isoformat()}')"
    if isinstance(value, str):
        return "'" + "".join(_ESCAPES.get(c, c) for c in value) + "'"
    return repr(value)


def spelt(name: str) -> str:
    """A stored name, in back-ticks where Cypher needs them."""
    plain = _PLAIN.match(name) is not None and name.lower() not in _RESERVED
    return name if plain else quote_name(name)


class _Writer:
    def __init__(self, catalog: GraphCatalog) -> None:
        self.catalog = catalog
        self.used: set[str] = set()
        self.times: list[tuple[str, Hop]] = []

    def write(self, plan: Plan) -> str:
        if plan.rank is not None:
            return self.ranked(plan, plan.rank)
        if plan.group is not None:
            return self.grouped(plan)
        variable = self.variable(plan.entity.label)
        lines, distinct = self.found(plan.entity, variable)
        if plan.form == "count":
            return "\n".join([*lines, self.count(plan, variable, distinct)])
        if distinct:
            lines.append(f"WITH DISTINCT {variable}")
        if plan.form == "aggregate":
            lines.append(f"RETURN {self.aggregate(plan, variable)}")
        elif plan.spread:
            name, alias = plan.outputs[0], self.alias(singular(plan.outputs[0].lower()))
            lines.append(f"UNWIND {variable}.{spelt(name)} AS {alias}")
            lines.append(f"RETURN DISTINCT {alias}")
        else:
            shown = plan.outputs or self.naming(plan.entity.label)
            columns = [f"{variable}.{spelt(n)} AS {self.alias(n)}" for n in shown]
            lines.append(f"RETURN {', '.join(columns)}")
        return "\n".join(lines)

    def variable(self, label: str) -> str:
        letter = next((c for c in label.lower() if "a" <= c <= "z"), "n")
        return self.fresh(letter)

    def fresh(self, wanted: str) -> str:
        name, number = wanted, 1
        while name in self.used:
            number += 1
            name = f"{wanted}{number}"
        self.used.add(name)
        return name

    def alias(self, text: str) -> str:
        """A plain column name that no variable has."""
        words = re.sub(r"[^A-Za-z0-9_]+", "_", text).strip("_") or "value"
        safe = words if words.lower() not in _RESERVED and words[0].isalpha() else f"the_{words}"
        return self.fresh(safe)

    def naming(self, label: str) -> tuple[str, ...]:
        names = naming_properties(self.catalog.label(label))
        if not names:
            raise Unwritable(f"{label} has no property that names it")
        return names

    def named(self, label: str, variable: str) -> tuple[str, str]:
        """(expression, alias) of the one column that names an entity."""
        names = self.naming(label)
        return " + ' ' + ".join(f"{variable}.{spelt(n)}" for n in names), self.alias(names[0])

    def plural(self, label: str) -> str:
        *first, last = identifier_words(label) or ("node",)
        plural = _PLURALS.get(last) or (
            last[:-1] + "ies"
            if last.endswith("y")
            else last + ("es" if last.endswith(("s", "x", "ch", "sh")) else "s")
        )
        return "_".join([*first, plural])

    # patterns

    def node(self, label: str, variable: str, bound: bool = False) -> str:
        return f"({variable})" if bound or not label else f"({variable}:{spelt(label)})"

    def path(self, left: str, hop: Hop, right: str) -> str:
        before = "<-" if hop.direction == "in" else "-"
        after = "->" if hop.direction == "out" else "-"
        return f"{left}{before}[:{spelt(hop.type)}]{after}{right}"

    def found(self, entity: Entity, variable: str) -> tuple[list[str], bool]:
        """(lines that bind the variable to the entities, whether it may come several times)."""
        matches, tests = self.parts(entity, variable, False)
        lines = [f"MATCH {match}" for match in matches]
        if tests:
            lines.append(f"WHERE {' AND '.join(tests)}")
        hops = [c for c in entity.conditions if isinstance(c, Hop)]
        counted = [hop for hop in hops if hop.times is not None]
        for hop in counted:
            lines.extend(self.bounded(hop, variable))
        repeated = len(matches) > 1 or any(not h.negated and h.times is None for h in hops)
        return lines, repeated and not counted

    def parts(self, entity: Entity, variable: str, bound: bool) -> tuple[list[str], list[str]]:
        """(patterns, tests) of an entity; the first pattern declares the variable."""
        left = self.node(entity.label, variable, bound)
        matches: list[str] = []
        tests: list[str] = []
        for condition in entity.conditions:
            if isinstance(condition, Filter):
                tests.append(self.test(condition, variable))
            elif condition.negated:
                tests.append(self.absent(condition, variable))
            elif condition.times is None:
                more, further = self.reached(condition, left)
                matches.extend(more)
                tests.extend(further)
                left = f"({variable})"
        if not matches and not bound:
            matches.append(left)
        return matches, tests

    def reached(self, hop: Hop, left: str, name: str = "") -> tuple[list[str], list[str]]:
        """The pattern of a hop and of all that lies behind it."""
        other = hop.other
        if not other.label and not name:
            return [self.path(left, hop, "()")], []
        if any(isinstance(c, Hop) and c.times for c in other.conditions):
            raise Unwritable("a number of things behind a relation is more than I write")
        variable = name or self.variable(other.label)
        right = self.node(other.label, variable)
        matches, tests = self.parts(other, variable, True)
        return [self.path(left, hop, right), *matches], tests

    def absent(self, hop: Hop, variable: str) -> str:
        matches, tests = self.reached(hop, f"({variable})")
        where = f" WHERE {' AND '.join(tests)}" if tests else ""
        return f"NOT EXISTS {{ {' '.join(f'MATCH {m}' for m in matches)}{where} }}"

    def bounded(self, hop: Hop, variable: str) -> list[str]:
        """`in more than two movies`: distinct entities, none counted as zero."""
        assert hop.times is not None
        operator, least = hop.times
        other = self.variable(hop.other.label)
        number = self.fresh("number")
        lines = self.optional(hop, variable, other)
        lines.append(f"WITH {variable}, count(DISTINCT {other}) AS {number}")
        lines.append(f"WHERE {number} {operator} {least}")
        return lines

    def optional(self, hop: Hop, variable: str, other: str) -> list[str]:
        matches, tests = self.reached(hop, f"({variable})", other)
        where = [f"WHERE {' AND '.join(tests)}"] if tests else []
        if len(matches) > 1:
            return [*(f"OPTIONAL MATCH {m}" for m in [", ".join(matches)]), *where]
        return [f"OPTIONAL MATCH {matches[0]}", *where]

    def test(self, condition: Filter, variable: str) -> str:
        owner = f"{variable}.{spelt(condition.property)}"
        if condition.operator == "missing":
            return f"{owner} IS NULL"
        values = [literal(value) for value in condition.values]
        if condition.operator == "in" and condition.element:
            return f"any(item IN {owner} WHERE item IN [{', '.join(values)}])"
        if condition.operator == "in":
            return f"{owner} IN [{', '.join(values)}]"
        if condition.element:
            return f"{values[0]} IN {owner}"
        sign = _WORDED.get(condition.operator, condition.operator)
        return f"{owner} {sign} {values[0]}"

    # results

    def count(self, plan: Plan, variable: str, repeated: bool) -> str:
        if plan.outputs:
            name = plan.outputs[0]
            alias = self.alias(f"number_of_{name}")
            if plan.spread:
                return (
                    f"UNWIND {variable}.{spelt(name)} AS value\n"
                    f"RETURN count(DISTINCT value) AS {alias}"
                )
            return f"RETURN count(DISTINCT {variable}.{spelt(name)}) AS {alias}"
        distinct = "DISTINCT " if repeated else ""
        alias = self.alias(f"number_of_{self.plural(plan.entity.label)}")
        return f"RETURN count({distinct}{variable}) AS {alias}"

    def aggregate(self, plan: Plan, variable: str) -> str:
        name = plan.outputs[0]
        said = {"avg": "average", "sum": "total", "min": "lowest", "max": "highest"}
        assert plan.function is not None
        alias = self.alias(f"{said[plan.function]}_{name}")
        return f"{plan.function}({variable}.{spelt(name)}) AS {alias}"

    def grouped(self, plan: Plan) -> str:
        group = plan.group
        assert group is not None
        variable = self.variable(plan.entity.label)
        if isinstance(group.by, str):
            return self.by_property(plan, group.by, variable)
        other = self.variable(group.by.other.label)
        if group.zeros:
            lines = self.with_zeros(plan, group.by, variable, other)
        else:
            lines, _ = self.found(plan.entity, variable)
            lines = self.joined(lines, plan.entity, group.by, variable, other)
        shown, alias = self.named(group.by.other.label, other)
        if plan.form == "count":
            number = self.alias(f"number_of_{self.plural(plan.entity.label)}")
            lines.append(f"WITH {other}, count(DISTINCT {variable}) AS {number}")
        else:
            lines.append(f"WITH DISTINCT {other}, {variable}")
            measure = self.aggregate(plan, variable)
            number = measure.rpartition(" ")[2]
            lines.append(f"WITH {other}, {measure}")
        lines.append(f"RETURN {shown} AS {alias}, {number}")
        return "\n".join(lines)

    def joined(
        self, lines: list[str], entity: Entity, hop: Hop, variable: str, other: str
    ) -> list[str]:
        """The lines and a further hop; a single pattern so far is where it starts."""
        left = f"({variable})"
        if not entity.conditions:
            left, lines = self.node(entity.label, variable), []
        matches, tests = self.reached(hop, left, other)
        where = [f"WHERE {' AND '.join(tests)}"] if tests else []
        return [*lines, *(f"MATCH {match}" for match in matches), *where]

    def with_zeros(self, plan: Plan, hop: Hop, variable: str, other: str) -> list[str]:
        if any(isinstance(c, Hop) for c in plan.entity.conditions) or plan.form != "count":
            raise Unwritable("each group with what it may lack is more than I write")
        lines, repeated = self.found(hop.other, other)
        if repeated:
            raise Unwritable("groups that a relation chooses are more than I write")
        left = self.node(plan.entity.label, variable)
        lines.append(f"OPTIONAL MATCH {self.path(left, hop, f'({other})')}")
        tests = self.parts(plan.entity, variable, True)[1]
        return [*lines, *([f"WHERE {' AND '.join(tests)}"] if tests else [])]

    def by_property(self, plan: Plan, name: str, variable: str) -> str:
        group = plan.group
        assert group is not None
        entity = plan.entity
        lines, repeated = self.found(entity, variable)
        owner = f"{variable}.{spelt(name)}"
        if repeated:
            lines.append(f"WITH DISTINCT {variable}")
        if group.element:
            key = self.alias(singular(name.lower()))
            lines.append(f"UNWIND {owner} AS {key}")
            lines.append(f"WITH DISTINCT {variable}, {key}")
        else:
            key = self.alias(name)
            lines.append(f"WITH {variable}, {owner} AS {key}")
            lines.append(f"WHERE {key} IS NOT NULL")
        if plan.form == "count":
            alias = self.alias(f"number_of_{self.plural(entity.label)}")
            measure = f"count({variable}) AS {alias}"
        else:
            measure = self.aggregate(plan, variable)
        return "\n".join([*lines, f"RETURN {key}, {measure}"])

    def ranked(self, plan: Plan, rank: Rank) -> str:
        variable = self.variable(plan.entity.label)
        lines, repeated = self.found(plan.entity, variable)
        if isinstance(rank.measure, Hop):
            other = self.variable(rank.measure.other.label)
            number = self.alias(f"number_of_{self.plural(rank.measure.other.label)}")
            few = not rank.descending
            if few:
                lines += self.optional(rank.measure, variable, other)
            else:
                lines = self.joined(lines, plan.entity, rank.measure, variable, other)
            shown, name = self.named(plan.entity.label, variable)
            lines.append(f"WITH {variable}, count(DISTINCT {other}) AS {number}")
            lines.append(f"WITH {shown} AS {name}, {number}")
        else:
            number = self.alias(rank.measure)
            shown, name = self.named(plan.entity.label, variable)
            if repeated:
                lines.append(f"WITH DISTINCT {variable}")
            owner = f"{variable}.{spelt(rank.measure)}"
            lines.append(f"WITH {shown} AS {name}, {owner} AS {number}")
            lines.append(f"WHERE {number} IS NOT NULL")
        return "\n".join([*lines, *self.first_places(rank, name, number)])

    def first_places(self, rank: Rank, name: str, number: str) -> list[str]:
        """All rows down to the value of the last place, so that no tie is cut."""
        order, compare = (" DESC", ">=") if rank.descending else ("", "<=")
        last = f"rows[{rank.count - 1}]" if rank.count == 1 else (
            f"coalesce(rows[{rank.count - 1}], rows[size(rows) - 1])"
        )  # fmt: skip
        columns = f"row[0] AS {name}" + (f", row[1] AS {number}" if rank.shown else "")
        ending = [f"ORDER BY {number}{order}"] if rank.count > 1 and rank.shown else []
        return [
            f"ORDER BY {number}{order}",
            f"WITH collect([{name}, {number}]) AS rows",
            f"WITH rows, {last} AS place",
            "UNWIND rows AS row",
            "WITH row, place",
            f"WHERE row[1] {compare} place[1]",
            f"RETURN {columns}",
            *ending,
        ]
