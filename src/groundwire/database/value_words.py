"""Which values share words with a text, where the words themselves may be misspelt.

Each word of the values is kept once, with an FTS5 index of its trigrams and a list of the values
that hold it. There are far fewer words than values, and a word stands in far fewer values than a
trigram: the words of a text are looked up or mended first, then the values of the rarest ones are
compared with the whole text.
"""

from __future__ import annotations

import re
import sqlite3
from collections.abc import Iterable, Iterator

__all__ = ["ALIKE", "ValueWords", "overlap", "trigrams"]

_TABLES = """
CREATE TABLE word (id INTEGER PRIMARY KEY, word TEXT, held INTEGER DEFAULT 0);
CREATE TABLE holds (word INTEGER, value INTEGER);
CREATE VIRTUAL TABLE f USING fts5(
    t, content = '', columnsize = 0, detail = none, tokenize = 'trigram');
CREATE VIRTUAL TABLE trigrams USING fts5vocab(f, 'row');
"""
_INDEXES = """
CREATE UNIQUE INDEX words ON word (word);
CREATE INDEX held ON holds (word, value);
UPDATE word SET held = (SELECT count(*) FROM holds WHERE holds.word = word.id);
INSERT INTO f (rowid, t) SELECT id, word FROM word;
INSERT INTO f (f) VALUES ('optimize');
"""
_MENDED = """
SELECT w.word, w.id, w.held FROM f JOIN word AS w ON w.id = f.rowid
WHERE f MATCH ? AND length(w.word) BETWEEN ? AND ? LIMIT ?
"""
_WORD = re.compile(r"[^\W_]+")
_MOST_WORDS = 8
_MOST_MENDED = 2
_MENDINGS = 3
"""Words that may be meant by a misspelt one."""
_COMMON = 300
"""Words that the trigrams of a misspelt one may occur in, all together."""
_MOST_GROUPS = 3
_SEARCHED = 800
"""Values of the rarest word that are searched for the others."""
_COMPARED = 60
"""Values that are compared with the text for each choice of its words."""
ALIKE = 0.4
"""The share of trigrams that two texts have in common at least to be alike."""

_Group = tuple[int, tuple[int, ...]]
"""How many values hold one of some words, and the numbers of these words."""


class ValueWords:
    """The words of some values. Not for several threads at once.

    Args:
        store: an open database; three tables are added to it.
        values: (number, folded form) of each value.
    """

    def __init__(self, store: sqlite3.Connection, values: Iterable[tuple[int, str]]) -> None:
        self._store = store
        store.executescript(_TABLES)
        numbers: dict[str, int] = {}
        store.executemany(
            "INSERT INTO holds VALUES (?, ?)",
            (
                (numbers.setdefault(word, len(numbers)), value)
                for value, text in values
                for word in dict.fromkeys(_WORD.findall(text))
            ),
        )
        words = ((number, word) for word, number in numbers.items())
        store.executemany("INSERT INTO word (id, word) VALUES (?, ?)", words)
        store.executescript(_INDEXES)
        self._common = dict(store.execute("SELECT term, doc FROM trigrams"))

    def sharing(self, text: str) -> Iterator[int]:
        """The numbers of values that hold words of a folded text, those with most of them first.

        Not more than are worth comparing with it.
        """
        groups = sorted(self._groups(text))
        choices = [groups[:count] for count in range(len(groups), 1, -1)][:_MOST_GROUPS]
        choices += [[group] for group in groups[:_MOST_GROUPS]]
        seen: set[int] = set()
        for choice in choices:
            if len(seen) < 2 * _COMPARED:
                found = self._holding([ids for _, ids in choice])
                yield from (value for value in found if value not in seen)
                seen.update(found)

    def _groups(self, text: str) -> Iterator[_Group]:
        """For each word of a text the stored words that it is, or may be meant to be."""
        unknown = []
        for word in list(dict.fromkeys(_WORD.findall(text)))[:_MOST_WORDS]:
            known = self._store.execute("SELECT held, id FROM word WHERE word = ?", (word,))
            if (row := known.fetchone()) is not None:
                yield row[0], (row[1],)
            elif not word.isdecimal():
                unknown.append(word)
        for word in sorted(unknown, key=len, reverse=True)[:_MOST_MENDED]:
            if meant := self._meant(word):
                yield sum(held for _, held in meant), tuple(number for number, _ in meant)

    def _meant(self, word: str) -> list[tuple[int, int]]:
        """(number, values that hold it) of the stored words most like one that is not stored."""
        wanted, chosen, occurrences = trigrams(word), list[str](), 0
        for count, trigram in sorted((self._common.get(part, 0), part) for part in wanted):
            occurrences += count
            if chosen and occurrences > _COMMON:
                break
            if count:
                chosen.append(f'"{trigram}"')
        if not chosen:
            return []
        most = (len(word) * 2 // 3, len(word) * 3 // 2 + 1, _COMMON)
        found = self._store.execute(_MENDED, (" OR ".join(chosen), *most)).fetchall()
        ranked = sorted((-overlap(wanted, other), *rest) for other, *rest in found)
        return [(number, held) for share, number, held in ranked[:_MENDINGS] if share <= -ALIKE]

    def _holding(self, groups: list[tuple[int, ...]]) -> list[int]:
        """The first values that hold a word of each group."""
        first, *others = (",".join(map(str, numbers)) for numbers in groups)
        also = " AND ".join(
            f"EXISTS (SELECT 1 FROM holds AS o WHERE o.word IN ({numbers}) AND o.value = a.value)"
            for numbers in others
        )
        found = self._store.execute(
            f"SELECT DISTINCT value FROM (SELECT value FROM holds WHERE word IN ({first}) "
            f"LIMIT {_SEARCHED}) AS a WHERE {also or 'true'} LIMIT {_COMPARED}"
        )
        return [value for (value,) in found]


def trigrams(text: str) -> set[str]:
    """Every three letters that stand together."""
    return {text[i : i + 3] for i in range(len(text) - 2)}


def overlap(wanted: set[str], text: str) -> float:
    """The share of trigrams that a text has in common with those wanted (Dice)."""
    count = len(wanted) + max(len(text) - 2, 0)
    return 2 * sum(part in text for part in wanted) / count if count else 0.0
