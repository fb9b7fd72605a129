"""The words of the grammar, read from `vocabulary.txt`, which anyone can extend."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache
from importlib import resources
from typing import Protocol

__all__ = ["Phrases", "grammar_words", "vocabulary", "words"]


class HasWords(Protocol):
    """Anything with words by position; "" where there is none."""

    def word(self, position: int) -> str: ...


class Phrases:
    """A set of fixed word sequences, found by their first word."""

    def __init__(self, *texts: str) -> None:
        self._by_first: dict[str, list[tuple[str, ...]]] = {}
        for text in texts:
            for phrase in text.split("|"):
                words = tuple(phrase.split())
                self._by_first.setdefault(words[0], []).append(words)

    def at(self, sentence: HasWords, position: int) -> Iterator[int]:
        """The ends of all phrases that stand at the position, the longest first."""
        options = self._by_first.get(sentence.word(position), ())
        ends = {
            position + len(words)
            for words in options
            if all(sentence.word(position + n) == word for n, word in enumerate(words))
        }
        yield from sorted(ends, reverse=True)

    def end(self, sentence: HasWords, position: int) -> int:
        """The end of the longest phrase at the position, or the position itself."""
        return next(self.at(sentence, position), position)

    def skip(self, sentence: HasWords, position: int) -> int:
        """Past any number of the phrases."""
        end = self.end(sentence, position)
        while end > position:
            position, end = end, self.end(sentence, end)
        return position


@cache
def vocabulary(section: str) -> Phrases:
    """The phrases under a `[section]` of the file."""
    return Phrases(*_sections()[section])


@cache
def words(section: str) -> frozenset[str]:
    """The single words under a `[section]` of the file."""
    return frozenset(_sections()[section])


@cache
def grammar_words() -> frozenset[str]:
    """Every word that stands anywhere in the file."""
    return frozenset(w for phrases in _sections().values() for p in phrases for w in p.split())


@cache
def _sections() -> dict[str, tuple[str, ...]]:
    text = resources.files(__package__).joinpath("vocabulary.txt").read_text(encoding="utf-8")
    sections: dict[str, tuple[str, ...]] = {}
    for block in text.split("\n["):
        title, bracket, body = block.lstrip("[").partition("]\n")
        if bracket:
            listed = " ".join(body.split()).split("|")
            sections[title] = tuple(phrase.strip() for phrase in listed if phrase.strip())
    return sections
