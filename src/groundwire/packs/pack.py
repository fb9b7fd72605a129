"""A pack: what is known of one database beyond its catalog, read from one YAML file.

Every folder beside this module that holds a `knowledge.yaml` is a pack; its solved questions, where
it has some, stand beside it in `solved.jsonl`. All scalars of the file
are read as text, so that `0321`, `true` and `2001` stay what they look like.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, replace
from functools import cache
from importlib import resources
from types import MappingProxyType
from typing import TYPE_CHECKING, Any

from groundwire.database.catalog import Catalog
from groundwire.draft.solved import Exemplar, read_solved
from groundwire.errors import UsageError

if TYPE_CHECKING:
    from yaml.nodes import Node

__all__ = ["Convention", "Pack", "load_pack", "pack_for", "pack_names", "read_pack"]


@dataclass(frozen=True, slots=True)
class Convention:
    """A word of the domain with a fixed meaning.

    `sql` is a condition over unqualified columns of the pack's main table, in SQL that DuckDB and
    PostgreSQL read alike; "" where the meaning is no condition. `meaning` is the sentence that a
    person sees beside an answer which relied on it.
    """

    phrases: tuple[str, ...]
    meaning: str
    sql: str = ""


@dataclass(frozen=True, slots=True)
class Pack:
    """The knowledge of one database. Phrases are lower case; columns are `TABLE.COLUMN`.

    `recognised_by` are the columns whose presence makes a database one of this pack; conventions
    use no others. The values of one phrase in `value_synonyms` are alternatives: any of them.
    """

    name: str
    description: str
    recognised_by: tuple[str, ...]
    tables: Mapping[str, str]
    columns: Mapping[str, str]
    column_synonyms: Mapping[str, str]
    value_synonyms: Mapping[str, tuple[tuple[str, str], ...]]
    conventions: tuple[Convention, ...]
    questions: tuple[str, ...]
    off_topic: tuple[str, ...]
    solved: tuple[Exemplar, ...] = ()

    def recognises(self, catalog: Catalog) -> bool:
        """Whether the catalog has all columns of `recognised_by`."""
        return all(_has(catalog, column) for column in self.recognised_by)

    def within(self, catalog: Catalog) -> Pack:
        """The same pack without what names a table or column that the catalog lacks."""
        known = {name: text for name, text in self.columns.items() if _has(catalog, name)}
        values = {
            phrase: tuple(pair for pair in pairs if pair[0] in known)
            for phrase, pairs in self.value_synonyms.items()
        }
        return replace(
            self,
            tables={n: text for n, text in self.tables.items() if catalog.find(n) is not None},
            columns=known,
            column_synonyms={p: c for p, c in self.column_synonyms.items() if c in known},
            value_synonyms={phrase: pairs for phrase, pairs in values.items() if pairs},
            solved=tuple(pair for pair in self.solved if self._fits(pair, catalog)),
        )

    def _fits(self, pair: Exemplar, catalog: Catalog) -> bool:
        """The query names no table and no column of the pack that the catalog lacks."""
        words = {word.upper() for word in re.findall(r"\w+", pair.query)}
        lacking = [table for table in self.tables if catalog.find(table) is None]
        lacking += [
            name.partition(".")[2]
            for name in self.columns
            if not _has(catalog, name) and catalog.find(name.partition(".")[0]) is not None
        ]
        return words.isdisjoint(lacking)


def pack_names() -> tuple[str, ...]:
    """The packs that are installed."""
    folder = resources.files(__package__)
    return tuple(sorted(f.name for f in folder.iterdir() if f.joinpath("knowledge.yaml").is_file()))


@cache
def load_pack(name: str) -> Pack:
    """Read the pack of that name.

    Raises:
        UsageError: there is no such pack, or its file is wrong.
    """
    names = pack_names()
    if name not in names:
        raise UsageError(f"There is no pack {name!r}.", hint=f"Packs: {', '.join(names)}.")
    folder = resources.files(__package__).joinpath(name)
    text = folder.joinpath("knowledge.yaml").read_text(encoding="utf-8")
    pack = read_pack(text, name, source=f"packs/{name}/knowledge.yaml")
    solved = folder.joinpath("solved.jsonl")
    if not solved.is_file():
        return pack
    with resources.as_file(solved) as path:
        return replace(pack, solved=read_solved(path))


def pack_for(catalog: Catalog) -> Pack | None:
    """The pack that recognises the database, cut to what this database has; None if none does."""
    for name in pack_names():
        pack = load_pack(name)
        if pack.recognises(catalog):
            return pack.within(catalog)
    return None


def read_pack(text: str, name: str, *, source: str = "knowledge.yaml") -> Pack:
    """Read the YAML text of a pack.

    Raises:
        UsageError: no YAML, an unknown, doubled or missing key, or a value of the wrong kind; the
            message names the source, the line and the key.
    """
    import yaml

    try:
        root = yaml.compose(text, Loader=getattr(yaml, "CSafeLoader", yaml.SafeLoader))
    except yaml.YAMLError as error:
        raise UsageError(f"{source} is not readable YAML: {error}") from error
    if root is None:
        raise UsageError(f"{source} is empty.")
    reader = _Reader(source)
    values = reader.record(root, "the file", _FIELDS)
    pack = Pack(name=name, **values)
    reader.check_references(root, pack)
    return pack


def _has(catalog: Catalog, qualified: str) -> bool:
    table_name, _, column = qualified.partition(".")
    table = catalog.find(table_name)
    return table is not None and catalog.find_column(table, column) is not None


class _Reader:
    """Turns YAML nodes into values; every complaint carries the line of its node."""

    def __init__(self, source: str) -> None:
        self.source = source

    def fail(self, node: Node, problem: str) -> UsageError:
        return UsageError(f"{self.source}, line {node.start_mark.line + 1}: {problem}.")

    def items(self, node: Node, where: str) -> Iterator[tuple[str, Node, Node]]:
        from yaml.nodes import MappingNode

        if not isinstance(node, MappingNode):
            raise self.fail(node, f"{where} must be a mapping")
        seen: set[str] = set()
        for key_node, value in node.value:
            key = self.text(key_node, f"a key of {where}")
            if key in seen:
                raise self.fail(key_node, f"{where} has {key!r} twice")
            seen.add(key)
            yield key, key_node, value

    def record(self, node: Node, where: str, fields: Mapping[str, _Field]) -> dict[str, Any]:
        values: dict[str, Any] = {}
        for key, key_node, value in self.items(node, where):
            if key not in fields:
                raise self.fail(key_node, f"{where} has an unknown key {key!r}")
            values[key] = fields[key].read(self, value, key)
        for key, field in fields.items():
            if field.required and key not in values:
                raise self.fail(node, f"{where} lacks {key!r}")
            values.setdefault(key, field.default)
        return values

    def text(self, node: Node, where: str) -> str:
        from yaml.nodes import ScalarNode

        if not isinstance(node, ScalarNode) or not node.value.strip():
            raise self.fail(node, f"{where} must be a text")
        return str(node.value).strip()

    def texts(self, node: Node, where: str) -> tuple[str, ...]:
        return tuple(self.text(entry, f"an entry of {where}") for entry in self.list(node, where))

    def phrases(self, node: Node, where: str) -> tuple[str, ...]:
        return tuple(text.lower() for text in self.texts(node, where))

    def list(self, node: Node, where: str) -> list[Node]:
        from yaml.nodes import SequenceNode

        if not isinstance(node, SequenceNode):
            raise self.fail(node, f"{where} must be a list")
        return list(node.value)

    def meanings(self, node: Node, where: str) -> Mapping[str, str]:
        pairs = {key: self.text(value, key) for key, _, value in self.items(node, where)}
        return MappingProxyType(pairs)

    def synonyms(self, node: Node, where: str) -> Mapping[str, str]:
        pairs = {key.lower(): self.text(value, key) for key, _, value in self.items(node, where)}
        return MappingProxyType(pairs)

    def values(self, node: Node, where: str) -> Mapping[str, tuple[tuple[str, str], ...]]:
        read: dict[str, tuple[tuple[str, str], ...]] = {}
        for phrase, _, entry in self.items(node, where):
            pairs = [self.texts(pair, phrase) for pair in self.list(entry, phrase)]
            if not pairs or any(len(pair) != 2 for pair in pairs):
                raise self.fail(entry, f"{phrase!r} must list pairs [TABLE.COLUMN, value]")
            read[phrase.lower()] = tuple((pair[0], pair[1]) for pair in pairs)
        return MappingProxyType(read)

    def conventions(self, node: Node, where: str) -> tuple[Convention, ...]:
        entries = self.list(node, where)
        return tuple(Convention(**self.record(e, "a convention", _CONVENTION)) for e in entries)

    def check_references(self, root: Node, pack: Pack) -> None:
        """Every table and column that the file names is one that it describes."""
        nodes = {key: value for key, _, value in self.items(root, "the file")}
        for field in ("columns", "column_synonyms", "value_synonyms"):
            for key, key_node, value in self.items(nodes[field], field):
                for name in _names(pack, field, key, value):
                    known: Mapping[str, str] = pack.tables if field == "columns" else pack.columns
                    if name not in known:
                        raise self.fail(key_node, f"{field} names {name}, which is not described")
        for entry in self.list(nodes["recognised_by"], "recognised_by"):
            if entry.value not in pack.columns:
                raise self.fail(entry, f"recognised_by names {entry.value}, which is not described")


def _names(pack: Pack, field: str, key: str, value: Node) -> list[str]:
    if field == "columns":
        return [key.partition(".")[0]]
    if field == "column_synonyms":
        return [str(value.value)]
    return [column for column, _ in pack.value_synonyms[key.lower()]]


@dataclass(frozen=True, slots=True)
class _Field:
    read: Callable[[_Reader, Node, str], Any]
    required: bool = True
    default: Any = None


_CONVENTION: Mapping[str, _Field] = {
    "phrases": _Field(_Reader.phrases),
    "meaning": _Field(_Reader.text),
    "sql": _Field(_Reader.text, required=False, default=""),
}
_FIELDS: Mapping[str, _Field] = {
    "description": _Field(_Reader.text),
    "recognised_by": _Field(_Reader.texts),
    "tables": _Field(_Reader.meanings),
    "columns": _Field(_Reader.meanings),
    "column_synonyms": _Field(_Reader.synonyms),
    "value_synonyms": _Field(_Reader.values),
    "conventions": _Field(_Reader.conventions),
    "questions": _Field(_Reader.texts),
    "off_topic": _Field(_Reader.texts, required=False, default=()),
}
