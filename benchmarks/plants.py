"""The faults of `faults.py`: each plants itself into a gold query by edits on its tree's spans.

A plant gives (edits that keep the gold query right, edits that make it wrong), or None where the
query has no place for it.
"""

from __future__ import annotations

import random
import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import TypeVar

from groundwire.database.graph_catalog import GraphCatalog
from groundwire.query.cypher import Query, ast
from groundwire.query.edits import Edit

__all__ = ["FAULTS", "Fault"]

Edits = tuple[Edit, ...]
Made = tuple[Edits, Edits] | None
Plant = Callable[[Query, GraphCatalog, random.Random], Made]
T = TypeVar("T")
Hop = tuple[ast.NodePattern, ast.RelationshipPattern, ast.NodePattern]


def hops(query: Query) -> Iterator[Hop]:
    """Every relationship pattern with the nodes at its ends, left and right as written."""
    for path in query.find(ast.PathPattern):
        elements = path.elements
        for left, element, right in zip(elements, elements[1:], elements[2:], strict=False):
            if isinstance(element, ast.RelationshipPattern):
                assert isinstance(left, ast.NodePattern)
                assert isinstance(right, ast.NodePattern)
                yield left, element, right


def named(labels: ast.LabelExpression | None) -> str:
    """The one label or type of a plain pattern, else ""."""
    return labels.name if isinstance(labels, ast.LabelName) else ""


@dataclass(frozen=True)
class Fault:
    """`codes` of the finding that is right; `shows`: only a change of rows makes it a fault.

    `asks`: the question of the gold query is still its question.
    """

    name: str
    codes: tuple[str, ...]
    plant: Plant
    shows: bool = False
    asks: bool = True
    needs_gaps: bool = False


def reversed_arrow(query: Query, catalog: GraphCatalog, chance: random.Random) -> Made:
    """The orientation that is not stored, also where the gold query gave none."""
    places = []
    for left, relationship, right in hops(query):
        ends = label_of(query, left), label_of(query, right)
        kind = named(relationship.types)
        if not all(ends) or not kind or relationship.length or relationship.quantifier:
            continue
        forth, back = (catalog.declared(a, kind, b) for a, b in (ends, ends[::-1]))
        if forth != back:
            places.append((relationship, "left" if forth else "right"))
    if not places:
        return None
    relationship, wrong = chance.choice(places)
    return (), directed(relationship, wrong)


def undirected(query: Query, catalog: GraphCatalog, chance: random.Random) -> Made:
    """No direction over a type whose relationships are all stored both ways."""
    places = []
    for _, relationship, _ in hops(query):
        share = catalog.reciprocity_of(named(relationship.types))
        if share is not None and share.fraction > 0.95 and relationship.direction != "both":
            places.append(relationship)
    return ((), directed(chance.choice(places), "both")) if places else None


def type_in_other_style(query: Query, catalog: GraphCatalog, chance: random.Random) -> Made:
    """`displayedAt` as `DISPLAYED_AT` and the reverse."""
    return respelt(types(query), in_other_style, catalog, chance)


def type_misspelt(query: Query, catalog: GraphCatalog, chance: random.Random) -> Made:
    """Two letters change places."""
    return respelt(types(query), swapped, catalog, chance)


def one_type(query: Query, catalog: GraphCatalog, chance: random.Random) -> Made:
    """A word of its own where one type only is declared between the labels."""
    return foreign_type(query, catalog, chance, one=True)


def one_of_types(query: Query, catalog: GraphCatalog, chance: random.Random) -> Made:
    """A word of its own where several types are declared between the labels."""
    return foreign_type(query, catalog, chance, one=False)


def foreign_type(query: Query, catalog: GraphCatalog, chance: random.Random, *, one: bool) -> Made:
    """A type that resembles none."""
    places = []
    for left, relationship, right in hops(query):
        a, b = label_of(query, left), label_of(query, right)
        between = {*catalog.types_between(a, b), *catalog.types_between(b, a)}
        if between and isinstance(relationship.types, ast.LabelName) and (len(between) == 1) == one:
            places.append(relationship.types)
    return ((), (Edit(*chance.choice(places).span, "pertainsTo"),)) if places else None


def label_misspelt(query: Query, catalog: GraphCatalog, chance: random.Random) -> Made:
    """Two letters of a label change places, everywhere in the query."""
    return respelt(labels(query), swapped, catalog, chance)


def label_plural(query: Query, catalog: GraphCatalog, chance: random.Random) -> Made:
    """`Painting` as `Paintings`."""
    return respelt(labels(query), lambda name, _: name + "s", catalog, chance)


def literal_misspelt(query: Query, catalog: GraphCatalog, chance: random.Random) -> Made:
    """Two letters of a text change places."""
    return literal(query, chance, swapped)


def literal_case(query: Query, catalog: GraphCatalog, chance: random.Random) -> Made:
    """A text in small letters."""
    return literal(query, chance, lambda text, _: text.lower())


def literal(
    query: Query, chance: random.Random, change: Callable[[str, random.Random], str]
) -> Made:
    """A text of six letters or more that a property is equal to."""
    texts: dict[str, list[ast.Span]] = {}
    for found in query.property_literals:
        text = found.literal.value
        if isinstance(text, str) and found.operator == "=" and re.search(r"[^\W\d]{6}", text):
            texts.setdefault(query.text[slice(*found.literal.span)], []).append(found.literal.span)
    for written in chance.sample(sorted(texts), len(texts)):
        changed = written[0] + change(written[1:-1], chance) + written[-1]
        if changed != written:
            return (), tuple(Edit(*span, changed) for span in texts[written])
    return None


def property_misspelt(query: Query, catalog: GraphCatalog, chance: random.Random) -> Made:
    """Two letters of a key change places, everywhere in the query."""
    return respelt(keys(query), swapped, catalog, chance)


def property_in_other_style(query: Query, catalog: GraphCatalog, chance: random.Random) -> Made:
    """`creation_year` as `creationYear` and the reverse."""
    return respelt(keys(query), in_other_style, catalog, chance)


def property_misplaced(query: Query, catalog: GraphCatalog, chance: random.Random) -> Made:
    """`n.creation_year` on a neighbour that has none."""
    places = []
    for access in query.find(ast.Property):
        if not isinstance(access.target, ast.Variable):
            continue
        for name, symbol in query.scope_at(access.span[0]).items():
            if symbol.entity is None or name == access.target.name:
                continue
            owners = [named(x) for x in symbol.entity.labels]
            has = catalog.node_property if symbol.kind == "node" else catalog.relationship_property
            if owners and all(owners) and not any(has(x, access.key.value) for x in owners):
                places.append(Edit(*access.target.span, name))
    return ((), (chance.choice(places),)) if places else None


def number_as_text(query: Query, catalog: GraphCatalog, chance: random.Random) -> Made:
    """`n.creation_year > '1921'`."""
    places = [
        found.literal.span
        for found in query.property_literals
        if isinstance(found.literal.value, int | float)
    ]
    return quoted(query, places, chance)


def date_as_text(query: Query, catalog: GraphCatalog, chance: random.Random) -> Made:
    """`n.date < '2001-02-03'` for `date('2001-02-03')`.

    kglite takes both for the same; on Neo4j the text is never equal, less or more.
    """
    calls = [call for call in query.find(ast.FunctionCall) if call.name.lower() == "date"]
    places = [call for call in calls if isinstance(next(iter(call.arguments), None), ast.Literal)]
    if not places:
        return None
    call = chance.choice(places)
    return (), (Edit(*call.span, query.text[slice(*call.arguments[0].span)]),)


def list_as_one(query: Query, catalog: GraphCatalog, chance: random.Random) -> Made:
    """`n.owners = 'X'` for `'X' IN n.owners`."""
    for found in query.find(ast.Binary):
        if found.operator == "IN" and isinstance(found.left, ast.Literal):
            left, right = (query.text[slice(*side.span)] for side in (found.left, found.right))
            return (), (Edit(*found.span, f"{right} = {left}"),)
    return None


def null_first(query: Query, catalog: GraphCatalog, chance: random.Random) -> Made:
    """A superlative over a property that some nodes lack; right is the one that leaves them out."""
    for returned in query.find(ast.Return):
        if not returned.order_by or returned.limit is None or not returned.order_by[0].descending:
            continue
        sorted_by = query.text[slice(*returned.order_by[0].expression.span)]
        before = max(
            (c for c in query.find(ast.Clause) if c.span[1] <= returned.span[0]),
            key=lambda clause: clause.span[1],
            default=None,
        )
        if isinstance(before, ast.Match | ast.With) and "." in sorted_by:
            word = "AND" if before.where is not None else "WHERE"
            end = before.span[1]
            return (Edit(end, end, f" {word} {sorted_by} IS NOT NULL"),), ()
    return None


def fan_out(query: Query, catalog: GraphCatalog, chance: random.Random) -> Made:
    """`count(x)` for `count(DISTINCT x)`, and no `WITH DISTINCT` before it."""
    return counted(query, lambda argument: f"count({argument})")


def fan_out_star(query: Query, catalog: GraphCatalog, chance: random.Random) -> Made:
    """`count(*)` for `count(DISTINCT x)`, and no `WITH DISTINCT` before it."""
    return counted(query, lambda argument: "count(*)")


def counted(query: Query, write: Callable[[str], str]) -> Made:
    """A count of rows for a count of entities."""
    calls = [c for c in query.find(ast.FunctionCall) if c.name.lower() == "count" and c.distinct]
    if len(calls) != 1 or not isinstance(calls[0].arguments[0], ast.Variable):
        return None
    argument = query.text[slice(*calls[0].arguments[0].span)]
    again = re.search(rf" WITH DISTINCT {re.escape(argument)}(?= RETURN)", query.text)
    lost = (Edit(*again.span(), ""),) if again else ()
    return (), (*lost, Edit(*calls[0].span, write(argument)))


def integer_division(query: Query, catalog: GraphCatalog, chance: random.Random) -> Made:
    """`sum(x) / count(x)` for an average of integers; gold's other aggregates become averages."""
    for call in query.find(ast.FunctionCall):
        inner = call.arguments[0] if len(call.arguments) == 1 else None
        if call.name.lower() not in ("avg", "min", "max", "sum"):
            continue
        if isinstance(inner, ast.Property) and holds_integers(catalog, inner.key.value):
            argument = query.text[slice(*inner.span)]
            divided = Edit(*call.span, f"sum({argument}) / count({argument})")
            return (Edit(*call.span, f"avg({argument})"),), (divided,)
    return None


def holds_integers(catalog: GraphCatalog, key: str) -> bool:
    """Whatever has the key holds whole numbers in it."""
    owners = catalog.labels_with(key)
    found = [catalog.node_property(label, key) for label in owners]
    return bool(found) and all(p is not None and p.types == ("INTEGER",) for p in found)


def quoted(query: Query, places: Sequence[ast.Span], chance: random.Random) -> Made:
    """A literal between quotes."""
    if not places:
        return None
    span = chance.choice(places)
    return (), (Edit(*span, f"'{query.text[slice(*span)]}'"),)


def respelt(
    places: dict[str, list[ast.Span]],
    change: Callable[[str, random.Random], str],
    catalog: GraphCatalog,
    chance: random.Random,
) -> Made:
    """One name, everywhere in the query, becomes a name that the graph does not have."""
    names = [*catalog.names(), *catalog.property_keys]
    for name in chance.sample(sorted(places), len(places)):
        wrong = change(name, chance)
        if wrong not in names:
            return (), tuple(Edit(*span, wrong) for span in places[name])
    return None


def types(query: Query) -> dict[str, list[ast.Span]]:
    """Where each relationship type stands."""
    return gathered(
        (name.name, name.span)
        for found in query.find(ast.RelationshipPattern)
        for name in ast.label_names(found.types)
    )


def labels(query: Query) -> dict[str, list[ast.Span]]:
    """Where each label stands."""
    return gathered(
        (name.name, name.span)
        for found in query.find(ast.NodePattern)
        for name in ast.label_names(found.labels)
    )


def keys(query: Query) -> dict[str, list[ast.Span]]:
    """Where each property key stands."""
    found = [(access.key.value, access.key.span) for access in query.find(ast.Property)]
    found += [(entry.key.value, entry.key.span) for entry in query.find(ast.MapEntry)]
    return gathered(iter(found))


def gathered(pairs: Iterator[tuple[str, ast.Span]]) -> dict[str, list[ast.Span]]:
    """Spans by name."""
    places: dict[str, list[ast.Span]] = {}
    for name, span in pairs:
        places.setdefault(name, []).append(span)
    return places


def label_of(query: Query, node: ast.NodePattern) -> str:
    """The one label of a node, wherever the query says it."""
    return next((named(found) for found in query.labels_of(node) if named(found)), "")


def directed(relationship: ast.RelationshipPattern, direction: str) -> Edits:
    """The edits that give a relationship pattern a direction: left, right or both."""
    start, end = relationship.span
    heads = [head for head in (relationship.left_head, relationship.right_head) if head]
    gone = tuple(Edit(*head, "") for head in heads)
    new = {"left": (Edit(start, start, "<"),), "right": (Edit(end, end, ">"),), "both": ()}
    return (*gone, *new[direction])


def swapped(text: str, chance: random.Random) -> str:
    """Two letters in the middle of a word change places."""
    words = list(re.finditer(r"[^\W\d_]{4,}", text))
    if not words:
        return text
    word = max(words, key=lambda m: len(m[0]))
    middle = [i for i in range(word.start() + 1, word.end() - 2) if text[i] != text[i + 1]]
    if not middle:
        return text
    at = chance.choice(middle)
    return text[:at] + text[at + 1] + text[at] + text[at + 2 :]


def in_other_style(name: str, chance: random.Random) -> str:
    """camelCase as snake_case and the reverse; types in capitals."""
    if "_" in name:
        first, *others = name.lower().split("_")
        return first + "".join(word.title() for word in others)
    snake = re.sub(r"(?<=[a-z])(?=[A-Z])", "_", name)
    return snake.upper() if snake != name else name


FAULTS = (
    Fault("reversed arrow", ("DIR1",), reversed_arrow),
    Fault("undirected, stored both ways", ("DIR3",), undirected, shows=True),
    Fault("type in another style", ("SCH2",), type_in_other_style),
    Fault("type misspelt", ("SCH2",), type_misspelt),
    Fault("foreign type, one declared", ("SCH2",), one_type),
    Fault("foreign type, several declared", ("SCH2",), one_of_types),
    Fault("label misspelt", ("SCH1",), label_misspelt),
    Fault("label in the plural", ("SCH1",), label_plural),
    Fault("text misspelt", ("ENT1",), literal_misspelt),
    Fault("text in small letters", ("ENT1",), literal_case),
    Fault("property misspelt", ("SCH3",), property_misspelt),
    Fault("property in another style", ("SCH3",), property_in_other_style),
    Fault("property on a neighbour", ("SCH3", "SCH4"), property_misplaced),
    Fault("number as text", ("ENT4",), number_as_text),
    Fault("date as text", ("ENT4",), date_as_text),
    Fault("list against one value", ("ENT4",), list_as_one, shows=True),
    Fault("NULL first in a superlative", ("FIL4",), null_first, shows=True, needs_gaps=True),
    Fault("count(x) of rows for entities", ("AGG1", "AGG2"), fan_out, shows=True),
    Fault("count(*) of rows for entities", ("AGG1", "AGG2"), fan_out_star, shows=True),
    Fault("integer division", ("AGG4",), integer_division, shows=True, asks=False),
)
