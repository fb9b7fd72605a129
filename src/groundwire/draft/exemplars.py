"""The solved questions that are most like another, so that a model sees how it was done before."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from fnmatch import fnmatchcase
from functools import lru_cache
from pathlib import Path, PurePosixPath
from typing import TYPE_CHECKING, Any
from urllib.parse import unquote

from groundwire.draft.embedding import Lookups, default_embedder
from groundwire.draft.solved import Exemplar, read_solved
from groundwire.errors import DriverMissing

if TYPE_CHECKING:
    from groundwire.database import Database
    from groundwire.database.catalog import Catalog
    from groundwire.database.graph_catalog import GraphCatalog
    from groundwire.draft.embedding import Embedder, Vector, Vectors

__all__ = [
    "Exemplar",
    "Exemplars",
    "Near",
    "open_embeddings",
    "same_question",
    "visible_names",
]

NEAREST = 3
_LONGEST_QUERY = 2_000
"""Characters; a longer one would take the place of the catalog in a prompt."""
_HELD_CORPORA = 8
_RELATIVE = re.compile(
    r"\b(today|yesterday|now|current(ly)?|(?<!most )recent(ly)?|last|past|previous|this|ago)\b",
    re.IGNORECASE,
)


@dataclass(frozen=True, slots=True)
class Near:
    """A solved question and how like the asked one it is: the cosine; 1 for the same words."""

    exemplar: Exemplar
    similarity: float

    def to_json(self) -> dict[str, Any]:
        """`{id, question, similarity}`."""
        return {
            "id": self.exemplar.id,
            "question": self.exemplar.question,
            "similarity": round(self.similarity, 4),
        }


@dataclass(frozen=True, slots=True)
class Exemplars:
    """A corpus of solved questions and how it is compared.

    Args:
        pairs: in any language, of any database.
        embedder: None = the offline one.
        own: also use the pairs whose `database` is the name of the one that is asked (the last
            part of its URL, with or without the file's ending). They are left out otherwise, so
            that no benchmark is asked its own solutions.
    """

    pairs: tuple[Exemplar, ...] = ()
    embedder: Embedder | None = None
    own: bool = False

    @classmethod
    def read(
        cls, path: str | Path, *, embeddings: str | Embedder | None = None, own: bool = False
    ) -> Exemplars:
        """Read a file of pairs.

        Args:
            embeddings: `openai:NAME@URL`, an Embedder, or None for the offline one.

        Raises:
            UsageError: there is no such file, a line is malformed, or no pair is in it.
            StorageError: the file cannot be read.
            DriverMissing: the offline embedder is not installed.
            OperatorError: no API key is there.
        """
        return cls(read_solved(path), open_embeddings(embeddings), own)

    def joined(self, pairs: Iterable[Exemplar]) -> Exemplars:
        """With these pairs behind its own."""
        return replace(self, pairs=(*self.pairs, *pairs))

    def approved(self, question: str, database: Database, names: Iterable[str]) -> Exemplar | None:
        """The pair with the words of this very question, approved on the database that is asked.

        None for a question about "last month" or "today": its query was for another day.

        Args:
            names: as in `nearest`.
        """
        wanted, of_this = same_question(question), {"", *_names_of(database.url)}
        if _RELATIVE.search(question):
            return None
        for pair in self._usable(database, names):
            if pair.database.lower() in of_this and same_question(pair.question) == wanted:
                return pair
        return None

    async def nearest(
        self, question: str, database: Database, names: Iterable[str], lookups: Lookups
    ) -> tuple[Near, ...]:
        """The solved questions that are most like this one, nearest first, three at most.

        The same words come first. A pair of another language, of the database itself (see `own`),
        or that names something excluded, is none of them.

        Args:
            names: what the catalog of the database holds, less what is excluded.
            lookups: keeps the vector of the question.

        Raises:
            OperatorError: the server of the embedding is out of order.
        """
        pairs, wanted = self._usable(database, names), same_question(question)
        found = [Near(pair, 1.0) for pair in pairs if same_question(pair.question) == wanted]
        embedder = self.embedder or default_embedder()
        if embedder is not None and len(found) < len(pairs):
            vector = await lookups.of(question, embedder)
            corpus = await _corpus(embedder, tuple(pair.question for pair in pairs), vector)
            found += _ranked(pairs, corpus @ vector, wanted)
        return tuple(found[:NEAREST])

    def _usable(self, database: Database, names: Iterable[str]) -> list[Exemplar]:
        of_this = set() if self.own else _names_of(database.url)
        hides = Hiding(database.settings.exclude, names)
        return [
            pair
            for pair in self.pairs
            if pair.language == database.language
            and pair.database.lower() not in of_this
            and len(pair.query) <= _LONGEST_QUERY
            and not (hides.patterns and hides(f"{pair.question} {pair.query}"))
        ]


def open_embeddings(embeddings: str | Embedder | None) -> Embedder:
    """The embedder of that name; None = the offline one.

    Raises:
        UsageError: the name cannot be read.
        DriverMissing: its extra is not installed.
        OperatorError: no API key is there.
    """
    if isinstance(embeddings, str):
        from groundwire.draft.model.embeddings import open_embedder

        return open_embedder(embeddings)
    embedder = embeddings or default_embedder()
    if embedder is None:
        raise DriverMissing(
            "Questions cannot be compared: the offline embedding is not installed.",
            hint="Install it: pip install 'groundwire[embed]', or name a server with --embeddings.",
        )
    return embedder


def visible_names(catalog: Catalog | GraphCatalog) -> set[str]:
    """The names of all that a catalog holds."""
    from groundwire.database.graph_catalog import GraphCatalog

    if isinstance(catalog, GraphCatalog):
        graph = {label.name: label.properties for label in catalog.labels}
        graph |= {kind.name: kind.properties for kind in catalog.types}
        return {*graph, *(item.name for properties in graph.values() for item in properties)}
    return {
        name
        for table in catalog.tables
        for name in (table.schema, table.name, *(column.name for column in table.columns))
    }


@lru_cache(maxsize=65_536)
def same_question(question: str) -> str:
    """What two questions share that differ in case, blanks or the final sign only."""
    return " ".join(question.casefold().split()).rstrip(" ?.!")


# --- choosing --------------------------------------------------------------------------------


def _ranked(pairs: Sequence[Exemplar], likeness: Vector, wanted: str) -> Iterator[Near]:
    """The nearest pairs, each question once and not the one that is `wanted`."""
    seen = {wanted}
    for place in (-likeness).argsort(kind="stable"):
        pair = pairs[int(place)]
        words = same_question(pair.question)
        if len(seen) > NEAREST or likeness[place] <= 0:
            return
        if words not in seen:
            seen.add(words)
            yield Near(pair, float(likeness[place]))


_corpora: dict[tuple[str, tuple[str, ...]], Vectors] = {}


async def _corpus(embedder: Embedder, questions: tuple[str, ...], vector: Vector) -> Vectors:
    """The vectors of a corpus, to be compared with this one; kept while the process lives."""
    key = (embedder.name, questions)
    vectors = _corpora.get(key)
    if vectors is None or vectors.shape[1:] != vector.shape:
        vectors = await embedder.aembed_corpus(questions)
        while len(_corpora) >= _HELD_CORPORA:
            _corpora.pop(next(iter(_corpora)), None)
        _corpora[key] = vectors
    return vectors


def _names_of(url: str) -> set[str]:
    """What the database at a URL may be called: `shop.duckdb` and `shop`."""
    path = url.partition("://")[2].partition("?")[0].partition("/")[2]
    last = PurePosixPath(unquote(path).lower())
    return {last.name, last.stem} - {""}


class Hiding:
    """Whether a text names something that is excluded.

    It is read as words, so that a query for another database or with an error in it is judged,
    too. Each part of a pattern but a schema has to stand in the text; the last name alone suffices
    where the catalog has no other of that name.
    """

    def __init__(self, patterns: Iterable[str], names: Iterable[str]) -> None:
        self.patterns = [pattern.lower().split(".")[-2:] for pattern in patterns]
        self._visible = {name.lower() for name in names} if self.patterns else set()

    def __call__(self, text: str) -> bool:
        words = set(re.findall(r"[^\W\d]\w*", text.lower()))
        words.update(re.findall(r'["`\[]([^"`\]]+)["`\]]', text.lower()))
        return any(self._touches(words, pattern) for pattern in self.patterns)

    def _touches(self, words: set[str], pattern: Sequence[str]) -> bool:
        if all(any(fnmatchcase(word, part) for word in words) for part in pattern):
            return True
        last = pattern[-1]
        return last != "*" and any(fnmatchcase(word, last) for word in words - self._visible)
