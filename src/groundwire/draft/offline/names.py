"""The words inside an identifier, and the phrases by which a person may call it."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from functools import lru_cache

from groundwire.draft.inflect import fold, past_forms, singular
from groundwire.draft.offline.vocabulary import words

__all__ = [
    "GENERIC_WORDS",
    "TABLE_AFFIXES",
    "column_phrases",
    "identifier_words",
    "shared_prefix",
    "table_phrases",
]

_WORD = re.compile(r"[A-Z]+(?=[A-Z][a-z])|[A-Z]?[a-z]+|[A-Z]+|\d+|[^\W\d_a-zA-Z]+")
_ABBREVIATIONS = {
    "num": "number", "no": "number", "nbr": "number", "nr": "number", "cnt": "count",
    "qty": "quantity", "amt": "amount", "avg": "average", "max": "maximum", "min": "minimum",
    "pct": "percent", "perc": "percent", "yr": "year", "dt": "date", "ts": "timestamp",
    "addr": "address", "desc": "description", "descr": "description", "dept": "department",
    "emp": "employee", "cust": "customer", "prod": "product", "cat": "category",
    "loc": "location", "tel": "telephone", "lat": "latitude", "lng": "longitude",
    "lon": "longitude", "long": "longitude", "indep": "independence", "temp": "temperature",
    "txn": "transaction", "tx": "transaction", "acct": "account", "org": "organization",
    "mgr": "manager", "rev": "revenue", "fed": "federal", "dob": "birth date",
}  # fmt: skip
TABLE_AFFIXES = {"tbl", "table", "dim", "fact", "ref", "tb", "vw", "view"}
GENERIC_WORDS = words("facets of a thing")
"""Words that name a facet of a thing, not the thing: `location description` is the location."""
_UNIT_WORDS = words("units of measure")
_TIME_WORDS = frozenset({"year", "date", "time", "datetime", "timestamp", "at", "on", "day"})
_FLAG_WORDS = frozenset({"is", "has", "if", "was", "did", "flag"})


@lru_cache(maxsize=16_384)
def identifier_words(name: str) -> tuple[str, ...]:
    """`SurfaceArea`, `Num_of_Staff` as folded words, abbreviations spelt out.

    A name written as one word in one case is kept as it is.
    """
    words: list[str] = []
    for part in re.split(r"[\W_]+", name):
        for piece in _WORD.findall(part):
            word = fold(piece)
            words.extend(_ABBREVIATIONS.get(word, word).split() if word else ())
    return tuple(words)


def shared_prefix(names: Sequence[tuple[str, ...]]) -> int:
    """How many first words all names have in common; 0 where there are fewer than four names."""
    if len(names) < 4:
        return 0
    count = 0
    while all(len(name) > count + 1 and name[count] == names[0][count] for name in names):
        count += 1
    return count


def table_phrases(words: Sequence[str]) -> Iterator[tuple[str, float]]:
    """(phrase in stems, quality) for a table; quality 1 is its whole name."""
    stems = [singular(word) for word in words]
    yield " ".join(stems), 1.0
    plain = [word for word in stems if word not in TABLE_AFFIXES]
    if plain and plain != stems:
        yield " ".join(plain), 0.95
    for start in range(1, len(plain)):
        if plain[start] not in GENERIC_WORDS:
            yield " ".join(plain[start:]), 0.6


def column_phrases(words: Sequence[str], table: Sequence[str]) -> Iterator[tuple[str, float]]:
    """(phrase in stems, quality) for a column of a table whose name has these words."""
    stems = [singular(word) for word in words]
    owner = [singular(word) for word in table]
    yield " ".join(stems), 1.0
    bare = stems
    if len(stems) > len(owner) and stems[: len(owner)] == owner:
        bare = stems[len(owner) :]
        yield " ".join(bare), 0.98
    else:
        yield " ".join([*owner, *stems]), 0.99
    yield from _rewordings(bare)
    yield from _participles(bare)
    yield from _parts(bare)


def _rewordings(stems: list[str]) -> Iterator[tuple[str, float]]:
    if stems[0] in _FLAG_WORDS and len(stems) > 1:
        yield " ".join(stems[1:]), 0.95
    if stems[0] == "number" and len(stems) > 1:
        things = stems[2:] if stems[1] == "of" else stems[1:]
        if things:
            yield " ".join(["number", "of", *things]), 0.97
            yield " ".join([*things, "number"]), 0.95
    if "of" in stems[1:-1]:
        at = stems.index("of")
        yield " ".join([*stems[at + 1 :], *stems[:at]]), 0.95
    elif len(stems) == 2:
        yield f"{stems[1]} of {stems[0]}", 0.95


def _participles(stems: list[str]) -> Iterator[tuple[str, float]]:
    """`release_year` is when it was released, `birth_date` when it was born."""
    rest = [word for word in stems if word not in {*_TIME_WORDS, "of", "the"}]
    if not rest or len(rest) == len(stems):
        return
    yield " ".join(rest), 0.7
    if rest[-1] == "birth":
        yield "born", 0.7
    for form in past_forms(rest[-1]):
        yield " ".join([*rest[:-1], form]), 0.7


def _parts(stems: list[str]) -> Iterator[tuple[str, float]]:
    content = [word for word in stems if word not in {"of", "by", "in", "the", *_FLAG_WORDS}]
    for start in range(1, len(content)):
        yield " ".join(content[start:]), 0.7 if len(content) - start > 1 else 0.6
    end = len(content)
    while end > 1 and content[end - 1] in {*GENERIC_WORDS, *_UNIT_WORDS}:
        end -= 1
        yield " ".join(content[:end]), 0.7
    if "of" in stems[1:-1]:
        yield stems[-1], 0.6
