"""Which phrases name which tables and columns: from the catalog's names and the pack."""

from __future__ import annotations

from collections import defaultdict
from dataclasses import dataclass
from functools import cached_property

from groundwire.database.catalog import Catalog, Column, Table
from groundwire.draft.inflect import fold, past_forms, singular, stem
from groundwire.draft.offline.knowledge import Convention, Knowledge
from groundwire.draft.offline.names import (
    TABLE_AFFIXES,
    column_phrases,
    identifier_words,
    shared_prefix,
    table_phrases,
)
from groundwire.draft.values import ValueIndex

__all__ = ["Field", "Lexicon", "Named"]

_SYNONYMS = {
    "nation": "country",
    "store": "shop",
    "film": "movie",
    "phone": "telephone",
    "customer": "client",
    "client": "customer",
    "neighborhood": "neighbourhood",
    "neighbourhood": "neighborhood",
    "title": "name",
    "firm": "company",
    "salary": "pay",
    "mail": "email",
    "colour": "color",
    "color": "colour",
}
"""Everyday words for the same thing, tried when a word itself names nothing."""


@dataclass(frozen=True, slots=True, eq=False)
class Field:
    """A column of a table."""

    table: Table
    column: Column

    @property
    def key(self) -> tuple[str, str, str]:
        """What makes two fields the same."""
        return self.table.schema, self.table.name, self.column.name

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Field) and self.key == other.key

    def __hash__(self) -> int:
        return hash(self.key)


@dataclass(frozen=True, slots=True)
class Named:
    """A table (`column` None) or a field that a phrase names; quality 1 is its own name."""

    table: Table
    column: Column | None
    quality: float

    @property
    def field(self) -> Field:
        """The field; only where `column` is given."""
        assert self.column is not None
        return Field(self.table, self.column)


class Lexicon:
    """Phrases (in stems) → what they name, for one catalog and perhaps one pack."""

    def __init__(self, catalog: Catalog, values: ValueIndex, pack: Knowledge | None) -> None:
        self.catalog = catalog
        self.pack = pack
        self.tables: dict[str, list[Named]] = defaultdict(list)
        self.columns: dict[str, list[Named]] = defaultdict(list)
        self.flags: dict[str, list[Field]] = defaultdict(list)
        self.synonym_values: dict[str, tuple[tuple[Field, str], ...]] = {}
        self.conventions: dict[str, Convention] = {}
        self._flag_forms: dict[tuple[str, str, str], tuple[str, str]] = {}
        self._words: dict[tuple[str, str], tuple[str, ...]] = {}
        self._read_catalog(values)
        if pack is not None:
            self._read_pack(pack)
        self.longest_phrase = max(
            (
                phrase.count(" ") + 1
                for source in (self.tables, self.columns, self.synonym_values, self.conventions)
                for phrase in source
            ),
            default=1,
        )

    @cached_property
    def table_verbs(self) -> frozenset[str]:
        """The words of all tables' names."""
        return frozenset(word for words in self._words.values() for word in words)

    def main_table(self) -> Table | None:
        """The table that the pack's conventions speak of: where most of its columns are."""
        if self.pack is None or not self.pack.recognised_by:
            return None
        return self.catalog.find(self.pack.recognised_by[0].partition(".")[0])

    def flag_values(self, field: Field) -> tuple[str, str] | None:
        """The stored (true, false) of a yes/no column, None for another column."""
        return self._flag_forms.get(field.key)

    def table_words(self, table: Table) -> tuple[str, ...]:
        """The words of the table's name, without a prefix that all tables share."""
        return self._words[table.schema, table.name]

    def _read_catalog(self, values: ValueIndex) -> None:
        names = [identifier_words(table.name) for table in self.catalog.tables]
        cut = shared_prefix(names)
        for table, words in zip(self.catalog.tables, names, strict=True):
            bare = words[cut:] or words
            self._words[table.schema, table.name] = bare
            for phrase, quality in table_phrases(bare):
                self._add(self.tables, phrase, Named(table, None, quality))
            self._read_columns(table, bare, values)

    def _read_columns(self, table: Table, words: tuple[str, ...], values: ValueIndex) -> None:
        names = [identifier_words(column.name) for column in table.columns]
        cut = shared_prefix(names)
        for column, name in zip(table.columns, names, strict=True):
            bare = name[cut:] or name or (fold(column.name) or column.name.lower(),)
            self._add(self.columns, stem(column.name), Named(table, column, 1.0))
            for phrase, quality in column_phrases(bare, _plain(words)):
                self._add(self.columns, phrase, Named(table, column, quality))
            forms = _flag_forms(column, values.profile(table, column).values)
            if forms is not None:
                self._add_flag(Field(table, column), bare, forms)

    def _add_flag(self, field: Field, words: tuple[str, ...], forms: tuple[str, str]) -> None:
        self._flag_forms[field.key] = forms
        plain = [singular(w) for w in words if w not in {"is", "has", "if", "was", "did", "flag"}]
        phrase = " ".join(plain)
        if not plain:
            return
        for form in (phrase, *past_forms(phrase)):
            self.flags[form].append(field)

    def _read_pack(self, pack: Knowledge) -> None:
        for phrase, name in pack.column_synonyms.items():
            field = self._field(name)
            if field is not None:
                known = self.columns[stem(phrase)]
                known.insert(0, Named(field.table, field.column, 1.0))
        for phrase, pairs in pack.value_synonyms.items():
            stored = tuple((f, value) for name, value in pairs if (f := self._field(name)))
            if stored:
                self.synonym_values[stem(phrase)] = stored
        for convention in pack.conventions:
            self._read_convention(convention)

    def _read_convention(self, convention: Convention) -> None:
        phrases = [stem(phrase) for phrase in convention.phrases]
        named = [known for phrase in phrases for known in self.tables.get(phrase, ())]
        if not convention.sql and named:
            for phrase in phrases:
                if not any(known.quality == 1.0 for known in self.tables.get(phrase, ())):
                    self._add(self.tables, phrase, Named(named[0].table, None, 1.0))
            return
        for phrase in phrases:
            self.conventions.setdefault(phrase, convention)

    def _field(self, qualified: str) -> Field | None:
        table_name, _, column_name = qualified.partition(".")
        table = self.catalog.find(table_name)
        column = self.catalog.find_column(table, column_name) if table else None
        return Field(table, column) if table and column else None

    @staticmethod
    def _add(known: dict[str, list[Named]], phrase: str, named: Named) -> None:
        """Keep the best quality under which a phrase names a thing."""
        others = [n for n in known[phrase] if n.table is named.table and n.column is named.column]
        if any(other.quality >= named.quality for other in others):
            return
        known[phrase] = [n for n in known[phrase] if n not in others] + [named]

    def synonyms(self, phrase: str) -> str:
        """The phrase with everyday words replaced by their partners; the same if there are none."""
        return " ".join(_SYNONYMS.get(word, word) for word in phrase.split())


def _plain(words: tuple[str, ...]) -> tuple[str, ...]:
    return tuple(word for word in words if word not in TABLE_AFFIXES) or words


_TRUE = ("true", "t", "yes", "y", "1")
_FALSE = ("false", "f", "no", "n", "0")
_NEITHER = {"unknown", "n/a", "na", "", "null"}


def _flag_forms(column: Column, values: tuple[str, ...]) -> tuple[str, str] | None:
    """The stored (true, false); ("", "") where the column is boolean and needs no literal."""
    if column.type.lower().startswith("bool"):
        stored = {value.lower(): value for value in values}
        pairs = [(stored[t], stored[f]) for t, f in zip(_TRUE, _FALSE, strict=True)
                 if t in stored and f in stored]  # fmt: skip
        return pairs[0] if pairs else ("", "")
    folded = {value.strip().lower(): value for value in values}
    if not folded or not set(folded) <= {*_TRUE, *_FALSE, *_NEITHER}:
        return None
    for true, false in zip(_TRUE, _FALSE, strict=True):
        if true in folded or false in folded:
            return folded.get(true, true), folded.get(false, false)
    return None
