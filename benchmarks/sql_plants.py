"""Faults in names and texts, planted into correct SQL by edits on the places of its tree.

A plant gives the texts that it can make of one query, each with one fault.
"""

from __future__ import annotations

import random
import re
import unicodedata
from collections.abc import Callable, Iterator

from benchmarks.plants import swapped
from groundwire.database import SqlDatabase
from groundwire.guard.context import SqlContext
from groundwire.guard.probes import Probes
from groundwire.guard.sql import sql_context
from groundwire.guard.sql_literals import texts
from groundwire.query.edits import Edit, apply
from groundwire.query.sql import parse

__all__ = ["PLANTS", "planted"]

Plant = Callable[[SqlContext, random.Random], Iterator[list[Edit]]]


def planted(plant: Plant, text: str, database: SqlDatabase, chance: random.Random) -> list[str]:
    """Every text that the plant makes of a query."""
    context = sql_context(parse(text, database.dialect), database, Probes(database))
    return [apply(text, edits) for edits in plant(context, chance)]


def table_misspelt(context: SqlContext, chance: random.Random) -> Iterator[list[Edit]]:
    """Two letters of a table's name change places."""
    yield from _respelt(context, _tables(context), lambda name: swapped(name, chance))


def table_in_other_number(context: SqlContext, chance: random.Random) -> Iterator[list[Edit]]:
    """`orders` as `order`, and the reverse."""
    yield from _respelt(context, _tables(context), _other_number)


def column_misspelt(context: SqlContext, chance: random.Random) -> Iterator[list[Edit]]:
    """Two letters of a column's name change places, everywhere in the query."""
    yield from _respelt(context, _columns(context), lambda name: swapped(name, chance))


def column_in_other_style(context: SqlContext, chance: random.Random) -> Iterator[list[Edit]]:
    """`customer_id` as `customerid`."""
    yield from _respelt(context, _columns(context), lambda name: name.replace("_", ""))


def column_of_other_source(context: SqlContext, chance: random.Random) -> Iterator[list[Edit]]:
    """A column qualified with a source that does not have it."""
    for use in context.uses.columns:
        if use.meaning == "column" and use.qualified:
            for source in use.visible:
                wanted = context.catalog.read_identifier(use.name, quoted=use.quoted)
                if source.name and wanted not in source.columns:
                    yield [Edit(*context.query.span(use.node.args["table"]), source.name)]


def text_in_other_case(context: SqlContext, chance: random.Random) -> Iterator[list[Edit]]:
    """A stored text in the case that it does not have."""
    yield from _rewritten(context, lambda text: text.title() if text.isupper() else text.upper())


def text_without_accents(context: SqlContext, chance: random.Random) -> Iterator[list[Edit]]:
    """`Zürich` as `Zurich`."""
    yield from _rewritten(
        context,
        lambda text: "".join(
            c for c in unicodedata.normalize("NFD", text) if not unicodedata.combining(c)
        ),
    )


def text_with_blanks(context: SqlContext, chance: random.Random) -> Iterator[list[Edit]]:
    """A blank at the end, or two where there is one."""
    yield from _rewritten(context, lambda t: t.replace(" ", "  ") if " " in t else t + " ")


def text_misspelt(context: SqlContext, chance: random.Random) -> Iterator[list[Edit]]:
    """Two letters of a text of six letters or more change places."""
    yield from _rewritten(context, lambda t: swapped(t, chance) if re.search(r"\w{6}", t) else t)


PLANTS: dict[str, tuple[str, Plant]] = {
    "table misspelt": ("unknown_table", table_misspelt),
    "table in other number": ("unknown_table", table_in_other_number),
    "column misspelt": ("unknown_column", column_misspelt),
    "column in other style": ("unknown_column", column_in_other_style),
    "column of other source": ("misplaced_column", column_of_other_source),
    "text in other case": ("literal_not_stored", text_in_other_case),
    "text without accents": ("literal_not_stored", text_without_accents),
    "text with blanks": ("literal_not_stored", text_with_blanks),
    "text misspelt": ("literal_not_stored", text_misspelt),
}
"""Name of a plant → (the check that is to find it, the plant)."""

Places = dict[str, list[tuple[int, int]]]


def _tables(context: SqlContext) -> Places:
    places: Places = {}
    for use in context.uses.tables:
        if use.node.this is not None:
            places.setdefault(use.node.name, []).append(context.query.span(use.node.this))
    return places


def _columns(context: SqlContext) -> Places:
    """Places of columns that are stored, by name; a name with another meaning too is left out."""
    places: Places = {}
    others = {use.name for use in context.uses.columns if use.meaning != "column"}
    for use in context.uses.columns:
        stored = all(source.table is not None for source in use.sources)
        if use.name not in others and stored:
            places.setdefault(use.name, []).append(context.query.span(use.node.this))
    return places


def _respelt(
    context: SqlContext, places: Places, change: Callable[[str], str]
) -> Iterator[list[Edit]]:
    known = {table.name.casefold() for table in context.catalog.tables}
    known |= {column.name.casefold() for _, column in context.catalog.columns()}
    for name, spans in sorted(places.items()):
        wrong = change(name)
        if wrong.casefold() not in known:
            yield [Edit(*span, wrong) for span in spans]


def _other_number(name: str) -> str:
    return name[:-1] if name.lower().endswith("s") else name + "s"


def _rewritten(context: SqlContext, change: Callable[[str], str]) -> Iterator[list[Edit]]:
    for comparison in texts(context):
        text = context.query.text[slice(*comparison.span)]
        if re.search(r"[^\W\d]{3}", text) and comparison.operator in ("=", "IN"):
            changed = "'" + change(text[1:-1]) + "'"
            if changed != text:
                yield [Edit(*comparison.span, changed)]
