"""What a public data set is to the benchmark: where it comes from, and its cases."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from pathlib import Path

from groundwire.bench.case import Case, Language, Malformed
from groundwire.bench.datasets.files import Read, Unusable, find_files, read_files
from groundwire.bench.datasets.wording import asks_for_order

__all__ = ["Dataset", "FromFiles", "FromPackage", "make_case"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Dataset(ABC):
    """A set of questions with gold queries.

    `needs` says in a sentence which files a folder must hold, `source` is where they come from.
    `databases` are the places in the folder where the databases may be, or a URL with `{database}`
    in it; `prepared` says how they are made where they are no files that can be opened.
    """

    name: str
    title: str
    language: Language
    needs: str
    source: str
    licence: str
    databases: tuple[str, ...] = ()
    prepared: str = ""

    @abstractmethod
    def load(self, path: Path) -> list[Case | Malformed]:
        """The cases of a folder, or of one file of it; a line that is none is kept with the reason.

        Raises:
            UsageError: what it needs is not there, or cannot be read.
        """

    def where(self, path: Path) -> str:
        """Where `resolve` finds the databases: a folder or a URL; "" = they have to be prepared."""
        folder = path.parent if path.is_file() else path
        for place in self.databases:
            if "://" in place:
                return place
            if (folder / place).is_dir():
                return str(folder / place)
        return ""


@dataclass(frozen=True, slots=True, kw_only=True)
class FromFiles(Dataset):
    """A set in files, one record a case.

    `files` are patterns of them, the published form first: those of the first that fits are read,
    of all where `several` is set. A file that fits one of `parts` holds a part of another one, or
    no cases.
    """

    read: Read
    files: tuple[str, ...]
    parts: tuple[str, ...] = ()
    several: bool = False

    def load(self, path: Path) -> list[Case | Malformed]:
        """As `Dataset.load`."""
        if path.is_file():
            return read_files([path], self.read)
        groups = find_files(path, self.files, self.needs, self.parts)
        chosen = groups if self.several else groups[:1]
        return read_files([file for group in chosen for file in group], self.read)


@dataclass(frozen=True, slots=True, kw_only=True)
class FromPackage(Dataset):
    """A set that comes with Groundwire; a folder is that of its database only."""

    cases: Callable[[], Iterable[Case]]

    def load(self, path: Path) -> list[Case | Malformed]:
        """The cases; nothing is read from `path`."""
        return list(self.cases())


def make_case(
    *,
    id: str,
    database: str,
    language: Language,
    question: str,
    queries: tuple[str, ...],
    hint: str = "",
    order_matters: bool | tuple[str, ...] | None = None,
    tier: str = "",
    tags: tuple[str, ...] = (),
    answerable: bool = True,
) -> Case:
    """A case of a record.

    Args:
        hint: what the set tells a system beside the question, a line below it.
        order_matters: None = as the words of the question say; those of the hint do not count.

    Raises:
        Unusable: an answerable question without a gold query.
    """
    queries = tuple(dict.fromkeys(query for query in queries if query.strip()))
    if answerable and not queries:
        raise Unusable("it has no gold query", "no_gold")
    return Case(
        id=id,
        database=database,
        language=language,
        question=f"{question}\n{hint}" if hint else question,
        queries=queries if answerable else (),
        order_matters=asks_for_order(question) if order_matters is None else order_matters,
        tier=tier,
        tags=tuple(tag for tag in tags if tag),
        answerable=answerable,
    )
