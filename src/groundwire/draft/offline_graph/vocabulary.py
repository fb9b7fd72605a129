"""The words of the grammar for graphs, read from `vocabulary.txt`, which anyone can extend."""

from __future__ import annotations

from functools import cache
from importlib import resources

from groundwire.draft.offline.vocabulary import Phrases

__all__ = ["phrases", "words_of"]


@cache
def phrases(section: str) -> Phrases:
    """The phrases under a `[section]` of the file."""
    return Phrases(*_sections()[section])


@cache
def words_of(section: str) -> frozenset[str]:
    """The single words under a `[section]` of the file."""
    return frozenset(_sections()[section])


@cache
def _sections() -> dict[str, tuple[str, ...]]:
    text = resources.files(__package__).joinpath("vocabulary.txt").read_text(encoding="utf-8")
    sections: dict[str, tuple[str, ...]] = {}
    for block in text.split("\n[")[1:]:
        title, _, body = block.partition("]\n")
        listed = " ".join(body.split()).split("|")
        sections[title] = tuple(phrase.strip() for phrase in listed)
    return sections
