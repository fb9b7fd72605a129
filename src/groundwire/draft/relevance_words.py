"""What the words of a question say about its relevance, without any model.

`off_topic.txt` beside this file holds what is known of any database.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from difflib import get_close_matches
from functools import cache
from importlib import resources
from typing import Literal
from weakref import WeakKeyDictionary

from groundwire.database.base import Database, SqlDatabase
from groundwire.database.catalog import Catalog
from groundwire.database.graph import GraphDatabase
from groundwire.database.graph_catalog import GraphCatalog
from groundwire.draft.inflect import fold, stem
from groundwire.draft.knowledge import Knowledge
from groundwire.draft.offline.names import identifier_words
from groundwire.draft.values import ValueIndex

__all__ = [
    "Evidence",
    "Said",
    "is_english",
    "lines",
    "names_of",
    "off_topic_questions",
    "read_words",
]

Evidence = Literal["name and data", "name", "wish", "data", "nothing"]

_LONGEST = 5
"""Words of the longest phrase that is looked for."""
_SHORTEST_TYPED = 6
"""Letters of a word from which on a typing error is forgiven."""
_ALIKE = 0.82
"""difflib's ratio of a word with a typing error to the right one."""
_LONGEST_FOLLOW_UP, _LONGEST_FRAGMENT = 10, 3
"""Words."""


@dataclass(frozen=True, slots=True)
class Said:
    """What the words say; "" where nothing says it.

    `about` is a phrase that speaks of the data themselves, `named` one that names something of the
    database, `wish` one that wishes for something else than data, `data` one of data questions such
    as "how many". A `fragment` is a few words or a short continuation, too little to judge.
    """

    about: str
    named: str
    wish: str
    data: str
    fragment: bool
    english: bool

    @property
    def evidence(self) -> Evidence:
        """What the words say for or against a question about this database, in a word."""
        if self.named:
            return "name and data" if self.data else "name"
        return "wish" if self.wish else "data" if self.data else "nothing"


class Names:
    """The phrases (in stems) that name something of one database."""

    def __init__(self, phrases: Iterable[str], common: frozenset[str]) -> None:
        stems = {stem(phrase) for phrase in phrases}
        self.phrases = frozenset(
            phrase for phrase in stems if len(phrase) > 2 and not common.issuperset(phrase.split())
        )
        self.common = common
        self._typed: dict[str, list[str]] = {}
        for phrase in self.phrases:
            if " " not in phrase and len(phrase) >= _SHORTEST_TYPED:
                self._typed.setdefault(phrase[0], []).append(phrase)

    def find(self, words: tuple[str, ...], values: ValueIndex | None) -> str:
        """The first phrase of the question that names something, "" if none does."""
        for phrase in _sequences(words):
            if phrase in self.phrases or (values is not None and self._is_value(phrase, values)):
                return phrase
        return next((found for word in words for found in self._near(word)), "")

    def _is_value(self, phrase: str, values: ValueIndex) -> bool:
        words = phrase.split()
        if self.common.issuperset(words) or not any(len(w) > 3 and w.isalpha() for w in words):
            return False
        return bool(values.lookup(phrase))

    def _near(self, word: str) -> list[str]:
        if len(word) < _SHORTEST_TYPED or word in self.common:
            return []
        return get_close_matches(word, self._typed.get(word[0], ()), 1, _ALIKE)


_HELD: WeakKeyDictionary[Database, tuple[str, Knowledge, Names]] = WeakKeyDictionary()


def names_of(database: Database, knowledge: Knowledge) -> Names:
    """The names of a database, cached until its catalog or the pack changes.

    Raises:
        OperatorError: the catalog cannot be read.
    """
    catalog: Catalog | GraphCatalog | None = None
    if isinstance(database, (SqlDatabase, GraphDatabase)):
        catalog = database.catalog()
    version = catalog.version if catalog is not None else ""
    held = _HELD.get(database)
    if held is None or held[0] != version or held[1] is not knowledge:
        phrases = [*_catalog_phrases(catalog), *_pack_phrases(knowledge)]
        held = version, knowledge, Names(phrases, _common_words(knowledge))
        _HELD[database] = held
    return held[2]


def read_words(question: str, names: Names, values: ValueIndex | None) -> Said:
    """Look for names, wishes and words of data questions; well under 5 ms."""
    folded = fold(question)
    words = tuple(stem(folded).split())
    plain = tuple(folded.split())
    wish = _first("wishes", plain)
    follows = len(plain) <= _LONGEST_FOLLOW_UP and _begins("follow-up", plain)
    return Said(
        about=_first("about the data", plain),
        named=names.find(words, values),
        wish=wish,
        data=_first("data", plain),
        fragment=follows or (len(plain) <= _LONGEST_FRAGMENT and not wish),
        english=bool(wish) or is_english(folded),
    )


def is_english(question: str) -> bool:
    """Whether some words are English ones and all letters Latin; a lone word is not enough."""
    words = fold(question).split()
    return all(word.isascii() for word in words) and not _section("english").isdisjoint(words)


def off_topic_questions(knowledge: Knowledge) -> tuple[str, ...]:
    """The pack's off-topic questions and those that are about nobody's data."""
    return (*knowledge.off_topic, *lines("questions"))


@cache
def lines(section: str) -> tuple[str, ...]:
    """The lines of a section of `off_topic.txt`."""
    text = resources.files(__package__).joinpath("off_topic.txt").read_text(encoding="utf-8")
    _, _, rest = text.partition(f"[{section}]\n")
    body, _, _ = rest.partition("\n[")
    kept = (line.strip() for line in body.splitlines())
    return tuple(line for line in kept if line and not line.startswith("#"))


@cache
def _section(section: str) -> frozenset[str]:
    phrases = " | ".join(lines(section)).split("|")
    return frozenset(fold(phrase) for phrase in phrases)


def _first(section: str, words: tuple[str, ...]) -> str:
    phrases = _section(section)
    return next((phrase for phrase in _sequences(words) if phrase in phrases), "")


def _begins(section: str, words: tuple[str, ...]) -> bool:
    phrases = _section(section)
    return any(" ".join(words[:n]) in phrases for n in (1, 2))


def _sequences(words: tuple[str, ...]) -> Iterator[str]:
    for length in range(min(_LONGEST, len(words)), 0, -1):
        for start in range(len(words) - length + 1):
            yield " ".join(words[start : start + length])


def _common_words(knowledge: Knowledge) -> frozenset[str]:
    """Words that prove nothing: those of questions about no data, of grammar, of any data."""
    sections = [phrase for name in ("english", "data", "follow-up") for phrase in _section(name)]
    texts = [*lines("questions"), *sections, knowledge.name]
    return frozenset(word for text in texts for word in stem(text).split())


def _catalog_phrases(catalog: Catalog | GraphCatalog | None) -> Iterator[str]:
    if catalog is None:
        return
    if isinstance(catalog, GraphCatalog):
        names = [*catalog.names()]
        names += [found.name for label in catalog.labels for found in label.properties]
        names += [found.name for kind in catalog.types for found in kind.properties]
    else:
        names = [table.name for table in catalog.tables]
        names += [column.name for _, column in catalog.columns()]
        yield from (value for _, column in catalog.columns() for value in column.values)
    yield from (" ".join(identifier_words(name)) for name in names)


def _pack_phrases(knowledge: Knowledge) -> Iterator[str]:
    yield from knowledge.column_synonyms
    yield from knowledge.value_synonyms
    for convention in knowledge.conventions:
        yield from convention.phrases
    for pairs in knowledge.value_synonyms.values():
        yield from (value for _, value in pairs)
