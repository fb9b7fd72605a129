"""Rules and query shapes as data, and the validator that keeps them free of any database's names.

The seeds are `prompts/rules.yaml` and `prompts/shapes.yaml`; a mined library is a file of the same
form.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from functools import cache
from importlib import resources
from itertools import combinations
from typing import Any, Literal

from groundwire.database.catalog import Catalog, Table
from groundwire.database.graph_catalog import GraphCatalog
from groundwire.draft.inflect import fold, singular
from groundwire.errors import UsageError

__all__ = [
    "FEATURES",
    "Library",
    "Rule",
    "Shape",
    "features_of",
    "load_library",
    "problems_of",
    "read_library",
]

Language = Literal["sql", "cypher"]
Tier = Literal["universal", "schema", "question"]

FEATURES: Mapping[str, str] = {
    "both_ways": "pairs of equal entities: a two-key link to one table, a reciprocal type",
    "parallel": "several references or types between the same two entities",
    "link_properties": "links with facts of their own",
    "temporal_or_list": "dates, times or lists as values",
}
"""What a schema-conditioned rule may depend on."""


@dataclass(frozen=True, slots=True)
class Rule:
    """One rule, worded for each language. `words` are the patterns that call for it."""

    id: str
    tier: Tier
    text: Mapping[str, str]
    when: str = ""
    words: tuple[re.Pattern[str], ...] = ()


@dataclass(frozen=True, slots=True)
class Shape:
    """A skeleton of a query in each language, and the words that suggest it."""

    id: str
    name: str
    text: Mapping[str, str]
    words: tuple[re.Pattern[str], ...]


@dataclass(frozen=True, slots=True)
class Library:
    """The rules and shapes that a prompt chooses from."""

    rules: tuple[Rule, ...]
    shapes: tuple[Shape, ...]

    def applying(self, question: str, features: Iterable[str]) -> tuple[Rule, ...]:
        """The rules for a question on a schema with these features, in the order of the library."""
        present = set(features)
        return tuple(
            rule
            for rule in self.rules
            if rule.tier == "universal"
            or (rule.tier == "schema" and rule.when in present)
            or (rule.tier == "question" and any(word.search(question) for word in rule.words))
        )

    def fitting(self, question: str, most: int = 2) -> tuple[Shape, ...]:
        """The shapes whose words overlap most with the question; none where no word does."""
        scored = [(sum(bool(w.search(question)) for w in s.words), s) for s in self.shapes]
        scored.sort(key=lambda pair: -pair[0])
        return tuple(shape for score, shape in scored[:most] if score)


@cache
def load_library() -> Library:
    """The seeds that come with the product."""
    folder = resources.files("groundwire.draft.prompts")
    texts = [folder.joinpath(f"{name}.yaml").read_text("utf-8") for name in ("rules", "shapes")]
    return read_library(*texts)


def read_library(rules: str, shapes: str) -> Library:
    """Read the YAML texts of a library.

    Raises:
        UsageError: an entry is malformed or breaks the validator's rules; the message names it.
    """
    library = Library(
        tuple(_rule(entry) for entry in _entries(rules, "rules")),
        tuple(_shape(entry) for entry in _entries(shapes, "shapes")),
    )
    for rule in library.rules:
        _refuse_names(rule.id, rule.text, code=False)
    for shape in library.shapes:
        _refuse_names(shape.id, shape.text, code=True)
    return library


def _refuse_names(entry: str, texts: Mapping[str, str], *, code: bool) -> None:
    for text in texts.values():
        for problem in problems_of(text, code=code):
            raise UsageError(f"The entry {entry} of the rule library {problem}.")


def _entries(text: str, what: str) -> Iterator[dict[str, Any]]:
    import yaml

    entries = yaml.safe_load(text)
    if not isinstance(entries, list) or not all(isinstance(entry, dict) for entry in entries):
        raise UsageError(f"The {what} of a rule library must be a list of mappings.")
    for entry in entries:
        unknown = entry.keys() - {"id", "tier", "when", "words", "name", "sql", "cypher"}
        if unknown or not isinstance(entry.get("id"), str):
            raise UsageError(
                f"An entry of the {what} has no id, or unknown keys: {sorted(unknown)}."
            )
        yield entry


def _rule(entry: Mapping[str, Any]) -> Rule:
    tier, when, words = entry.get("tier"), entry.get("when", ""), entry.get("words", ())
    wanted = {"universal": not when and not words, "schema": when in FEATURES, "question": words}
    if not wanted.get(str(tier)):
        raise UsageError(
            f"The rule {entry['id']} has no tier, or not what its tier needs.",
            hint=f"`when` is one of {', '.join(FEATURES)}; a question rule has `words`.",
        )
    return Rule(entry["id"], tier, _texts(entry), when, _patterns(words))  # type: ignore[arg-type]


def _shape(entry: Mapping[str, Any]) -> Shape:
    name, words = str(entry.get("name", "")), _patterns(entry.get("words", ()))
    return Shape(entry["id"], name, _texts(entry), words)


def _texts(entry: Mapping[str, Any]) -> Mapping[str, str]:
    texts = {language: entry[language] for language in ("sql", "cypher") if language in entry}
    if not texts or not all(isinstance(text, str) and text.strip() for text in texts.values()):
        raise UsageError(f"The entry {entry['id']} of the rule library has no text.")
    return texts


def _patterns(words: Iterable[str]) -> tuple[re.Pattern[str], ...]:
    try:
        return tuple(re.compile(word, re.IGNORECASE) for word in words)
    except re.error as error:
        raise UsageError(f"A pattern of the rule library cannot be read: {error}.") from error


# --- features of a schema --------------------------------------------------------------------

_RECIPROCAL = 0.9
_TEMPORAL = re.compile(r"date|time|\[\]|array|list|json", re.IGNORECASE)


def features_of(catalog: Catalog | GraphCatalog) -> frozenset[str]:
    """The features of `FEATURES` that a catalog has."""
    if isinstance(catalog, GraphCatalog):
        return frozenset(_graph_features(catalog))
    return frozenset(_table_features(catalog))


def _table_features(catalog: Catalog) -> Iterator[str]:
    if any(_TEMPORAL.search(column.type) for _, column in catalog.columns()):
        yield "temporal_or_list"
    for table in catalog.tables:
        pairs = combinations(table.foreign_keys, 2)
        equal = [
            (one, other)
            for one, other in pairs
            if (one.target_schema, one.target_table) == (other.target_schema, other.target_table)
        ]
        if any(_links(table, *pair) for pair in equal):
            yield "both_ways"
        if any(not _links(table, *pair) for pair in equal):
            yield "parallel"
        if len(table.foreign_keys) >= 2 and _own_columns(table):
            yield "link_properties"


def _links(table: Table, *keys: Any) -> bool:
    """The keys make up the table's primary key: its rows are pairs."""
    together = {column for key in keys for column in key.columns}
    return bool(table.primary_key) and together == set(table.primary_key)


def _own_columns(table: Table) -> bool:
    """A link table with more than keys: its primary key is made of references."""
    references = {column for key in table.foreign_keys for column in key.columns}
    if not table.primary_key or not references.issuperset(table.primary_key):
        return False
    return any(column.name not in references for column in table.columns)


def _graph_features(catalog: GraphCatalog) -> Iterator[str]:
    if any(measured.fraction >= _RECIPROCAL for measured in catalog.reciprocity):
        yield "both_ways"
    pairs = [(endpoint.source, endpoint.target) for endpoint in catalog.endpoints()]
    if len(pairs) > len(set(pairs)):
        yield "parallel"
    if any(kind.properties for kind in catalog.types):
        yield "link_properties"
    properties = [p for label in catalog.labels for p in label.properties]
    properties += [p for kind in catalog.types for p in kind.properties]
    if any(_TEMPORAL.search(p.type) for p in properties):
        yield "temporal_or_list"


# --- the validator ---------------------------------------------------------------------------

_CODE = re.compile(r"`([^`]*)`")
_PLACEHOLDER = re.compile(r"<[a-z][a-z ]*>")
_STRING = re.compile(r"'[^']*'|\"[^\"]*\"")
_VARIABLE = re.compile(r"[a-z]\d?|n|share")
_FUNCTIONS = re.compile(r"avg|coalesce|collect|count|date|datetime|exists|max|min|nullif|size|sum")


@cache
def _generic_words() -> frozenset[str]:
    """Words of plain English that rules need and that many databases use as names too."""
    file = resources.files("groundwire.draft.prompts").joinpath("generic_words.txt")
    return frozenset(file.read_text("utf-8").split())


def problems_of(text: str, names: Iterable[str] = (), *, code: bool = False) -> Iterator[str]:
    """What a rule or shape says that belongs to one database.

    Args:
        text: a rule (code between back-ticks) or, with `code`, a skeleton.
        names: tables, columns, labels, types, properties and values of the databases at hand.
    """
    for span in [text] if code else _CODE.findall(text):
        yield from _problems_of_code(span)
    bare = _PLACEHOLDER.sub(" ", text if code else _CODE.sub(" ", text))
    words = [singular(word) for word in fold(bare).split()]
    known = " ".join(words)
    for name in names:
        parts = [singular(word) for word in _name_words(name)]
        if (
            parts
            and not _generic_words().issuperset(parts)
            and f" {' '.join(parts)} " in f" {known} "
        ):
            yield f"names {name!r}"
    if not code:
        for word in re.findall(r"\b(?:[a-z]+_\w+|[a-z]+[A-Z]\w*|[A-Z]{2,}_\w+)\b", bare):
            yield f"names {word!r}"


def _problems_of_code(span: str) -> Iterator[str]:
    for literal in _STRING.findall(span):
        if not _PLACEHOLDER.fullmatch(literal[1:-1]):
            yield f"holds the literal {literal}"
    bare = _PLACEHOLDER.sub(" ", _STRING.sub(" ", span))
    for word in re.findall(r"[A-Za-z_]\w*", bare):
        plain = word.isupper() or _FUNCTIONS.fullmatch(word) or _VARIABLE.fullmatch(word)
        if not plain:
            yield f"names {word!r} in code"


def _name_words(name: str) -> list[str]:
    spaced = re.sub(r"(?<=[a-z0-9])(?=[A-Z])", " ", name).replace("_", " ")
    return fold(spaced).split()
