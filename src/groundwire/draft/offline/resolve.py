"""Which field a mention means when the question is about the rows of one table."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field
from datetime import date

from groundwire.database.catalog import Table
from groundwire.draft.inflect import singular, stem
from groundwire.draft.offline.joins import JoinGraph, Path, is_to_one
from groundwire.draft.offline.lexicon import Field, Lexicon
from groundwire.draft.offline.mentions import Mention
from groundwire.draft.offline.names import identifier_words
from groundwire.draft.offline.syntax import About
from groundwire.draft.values import Kind, ValueIndex, declared_kind

__all__ = ["Ambiguous", "Context", "Notes", "Unlinked"]

JOIN_COST = 0.3
"""What one join adds to the cost of a reading; quality 0.85 instead of 1 costs as much."""
TIE = 0.05
"""Readings whose costs differ by less are equally good."""

_HOUSEKEEPING = {"updated", "update", "modified", "created", "loaded", "inserted", "changed",
                 "deleted", "refreshed", "imported", "modify"}  # fmt: skip
_KIND_COLUMNS = ("type", "kind", "category", "class")


class Unlinked(Exception):
    """A reading cannot be linked to this database; the message says why, for a person."""


class Ambiguous(Unlinked):
    """Something may mean two things equally well."""


@dataclass
class Notes:
    """What linking one reading cost, what was assumed, and how each phrase was read."""

    cost: float = 0.0
    assumptions: list[str] = field(default_factory=list)
    meanings: list[tuple[str, str]] = field(default_factory=list)

    def assume(self, sentence: str) -> None:
        """Note a reading that the person should see."""
        if sentence and sentence not in self.assumptions:
            self.assumptions.append(sentence)

    def read(self, phrase: str, meaning: str) -> None:
        """Note how a phrase was read."""
        if (phrase, meaning) not in self.meanings:
            self.meanings.append((phrase, meaning))


@dataclass(frozen=True)
class Context:
    """The database as the linker sees it."""

    lexicon: Lexicon
    values: ValueIndex
    graph: JoinGraph
    today: date

    def kind(self, found: Field) -> Kind:
        """What is stored in the field."""
        return self.values.profile(found.table, found.column).kind

    def path_to(self, table: Table, target: Table) -> Path | None:
        """The only shortest path, None where there is none or it is not the only one."""
        return self.graph.path(table, target)

    def column(
        self,
        mention: Mention,
        table: Table,
        notes: Notes,
        kinds: Iterable[Kind] = (),
        *,
        many: bool = False,
        categories: bool = False,
    ) -> Field:
        """The field that a column mention means for rows of a table.

        Args:
            kinds: only fields that hold one of these; empty = any.
            many: also fields of child rows.
            categories: rather a field with few different values than one where each is different.

        Raises:
            Ambiguous: two fields fit equally well.
            Unlinked: no field fits.
        """
        options: list[tuple[float, Field, float]] = []
        wanted = set(kinds)
        for named in mention.named:
            if named.column is None or (wanted and self.kind(named.field) not in wanted):
                continue
            path = self.path_to(table, named.table)
            if path is None or not (many or is_to_one(path)):
                continue
            if path and named.quality < 0.9:
                continue
            cost = (1 - named.quality) * 2 + JOIN_COST * len(path)
            if categories and self.is_scattered(named.field):
                cost += 0.7
            options.append((cost, named.field, named.quality))
        if stem(mention.text) in {"name", "title"} and not any(
            o[1].table is table and o[2] >= 0.9 for o in options
        ):
            options += [(0.1, f, 1.0) for f in self.labels(table)[:1] if self.kind(f) != "number"]
        if not options:
            raise Unlinked(f"“{mention.text}” is no column of {table.name} that fits here")
        return self._best(options, mention, notes)

    def _best(
        self, options: list[tuple[float, Field, float]], mention: Mention, notes: Notes
    ) -> Field:
        options.sort(key=lambda option: option[0])
        cost, best, quality = options[0]
        rivals = {o[1] for o in options[1:] if o[0] - cost < TIE and not self.equal(o[1], best)}
        if rivals - {best}:
            names = ", ".join(spoken(f) for f in (best, *rivals))
            raise Ambiguous(f"“{mention.text}” may mean {names}")
        notes.cost += cost
        notes.read(mention.text, spoken(best))
        if quality < 0.9:
            notes.assume(f"“{mention.text}” was read as {spoken(best)}.")
        return best

    def equal(self, left: Field, right: Field) -> bool:
        """Whether one field is a foreign key to the other."""
        for child, parent in ((left, right), (right, left)):
            for key in child.table.foreign_keys:
                pairs = zip(key.columns, key.target_columns, strict=False)
                if (child.column.name, parent.column.name) in pairs and (
                    key.target_table == parent.table.name
                ):
                    return True
        return left == right

    def about(self, about: About, table: Table, notes: Notes) -> tuple[Field, bool]:
        """The field that an adjective speaks of, and whether its direction is kept."""
        for phrase, same in about:
            stems = " ".join(singular(word) for word in phrase.split())
            fields = [
                named.field
                for named in self.lexicon.columns.get(stems, ())
                if named.table is table and named.quality >= 0.7
            ]
            if len(fields) == 1 and self.kind(fields[0]) in {"number", "date"}:
                notes.read(about[0][0], spoken(fields[0]))
                return fields[0], same
        raise Unlinked(f"{table.name} has no column for {about[0][0]}")

    def temporal(self, table: Table) -> list[Field]:
        """The columns that say when a row happened, without those of mere bookkeeping."""
        dates = [f for f in fields_of(table) if self.kind(f) == "date"]
        events = [f for f in dates if not _HOUSEKEEPING & set(identifier_words(f.column.name))]
        plain = [f for f in events if _is_plain_time(f, self.lexicon.table_words(table))]
        return plain if len(plain) == 1 else (events or dates)

    def years(self, table: Table) -> list[Field]:
        """The columns that hold a year as a number."""
        found = [
            f
            for f in fields_of(table)
            if self.kind(f) == "number" and "year" in identifier_words(f.column.name)
        ]
        plain = [f for f in found if identifier_words(f.column.name) == ("year",)]
        return plain or found

    def kind_column(self, table: Table) -> Field:
        """The column that says what kind a row is.

        Raises:
            Unlinked: there is none, or several.
        """
        words = " ".join(singular(word) for word in self.lexicon.table_words(table))
        for phrase in (f"{words} type", f"type of {words}", f"kind of {words}"):
            known = [n.field for n in self.lexicon.columns.get(phrase, ()) if n.table is table]
            if known:
                return known[0]
        found = [
            f
            for f in fields_of(table)
            if set(_KIND_COLUMNS) & set(identifier_words(f.column.name)) and self.kind(f) == "text"
        ]
        if len(found) != 1:
            raise Unlinked(f"{table.name} has no single column for its kinds")
        return found[0]

    def labels(self, table: Table) -> tuple[Field, ...]:
        """The columns by which a person knows a row; empty where there are none."""
        fields = fields_of(table)
        words = {f: tuple(singular(w) for w in identifier_words(f.column.name)) for f in fields}
        owner = tuple(singular(w) for w in self.lexicon.table_words(table))
        for wanted in (("name",), ("title",), (*owner, "name"), (*owner, "title"), owner,
                       ("full", "name")):  # fmt: skip
            exact = [f for f in fields if words[f] == wanted]
            if len(exact) == 1:
                return (exact[0],)
        people = [f for f in fields if words[f] in {("first", "name"), ("last", "name")}]
        if len(people) == 2:
            return tuple(people)
        named = [f for f in fields if words[f][-1:] == ("name",)]
        return (named[0],) if len(named) == 1 else ()

    def is_identifier(self, found: Field) -> bool:
        """Whether the number in a field only names something."""
        keys = {*found.table.primary_key, *(c for k in found.table.foreign_keys for c in k.columns)}
        words = identifier_words(found.column.name)
        values = self.values.profile(found.table, found.column).values
        if any(v.startswith("0") and v.isdigit() and len(v) > 1 for v in values):
            return True
        return found.column.name in keys or words[-1:] in {("id",), ("code",), ("year",)}

    def is_denial(self, mention: Mention) -> bool:
        """Whether a word of the pack means that a yes/no column says no (`unsolved`)."""
        convention, main = mention.convention, self.lexicon.main_table()
        if convention is None or main is None:
            return False
        name, _, literal = convention.sql.partition(" = ")
        column = self.lexicon.catalog.find_column(main, name.strip())
        forms = self.lexicon.flag_values(Field(main, column)) if column else None
        return forms is not None and literal.strip().strip("'") == forms[1]

    def is_measure(self, found: Field) -> bool:
        """Whether a number in a field is an amount, not a code or a year."""
        profile = self.values.profile(found.table, found.column)
        declared = declared_kind(found.column.type) == "number"
        return declared and not profile.recurs and not self.is_identifier(found)

    def is_scattered(self, found: Field) -> bool:
        """Whether a text column has so many different values that they are no categories."""
        profile = self.values.profile(found.table, found.column)
        return profile.kind == "text" and not profile.counts and not self.is_unique(found)

    def is_unique(self, found: Field) -> bool:
        """Whether no two rows of its table share a value of the field."""
        keys = (found.table.primary_key, *found.table.unique_keys)
        return (found.column.name,) in keys


def fields_of(table: Table) -> list[Field]:
    """All fields of a table."""
    return [Field(table, column) for column in table.columns]


def spoken(found: Field) -> str:
    """A field as a person reads it."""
    return f"{found.table.name}.{found.column.name}"


def _is_plain_time(found: Field, table_words: tuple[str, ...]) -> bool:
    words = tuple(singular(w) for w in identifier_words(found.column.name))
    owner = {singular(w) for w in table_words}
    rest = tuple(w for w in words if w not in owner)
    return rest in {("date",), ("datetime",), ("timestamp",), ("time",), ("date", "time")}
