"""Where a text of a Cypher draft is stored, and what is stored in its place."""

from __future__ import annotations

import re
import unicodedata
from dataclasses import dataclass
from functools import cache

from groundwire.database.result import Result
from groundwire.guard.context import CypherContext
from groundwire.guard.findings import Evidence
from groundwire.guard.literals import Comparison
from groundwire.guard.nearest import distance
from groundwire.guard.quoting import quoted

__all__ = ["Stored", "folded", "is_stored", "look_up"]

_SHOWN = 3
_READ = 20
_ELSEWHERE = 12
_BETWEEN = r"[^\p{L}\p{N}]*"
_LONG = 8
"""Letters from which a value that is one typing slip away is taken for the one that was meant."""


@dataclass(frozen=True, slots=True)
class Stored:
    """What the graph has instead of a text.

    `same` differ only in case, accents, blanks and punctuation, `near` by one slip, `like` hold its
    longest word; `elsewhere` lists (label, property) with exactly the text.
    """

    same: tuple[str, ...]
    near: tuple[str, ...]
    like: tuple[str, ...]
    elsewhere: tuple[tuple[str, str], ...]
    evidence: Evidence

    @property
    def meant(self) -> str | None:
        """The one stored value that the text surely stands for."""
        if self.same:
            return self.same[0] if len(self.same) == 1 else None
        return self.near[0] if len(self.near) == 1 and not self.elsewhere else None

    @property
    def candidates(self) -> tuple[str, ...]:
        """Up to three stored values, nearest first."""
        return (self.same or self.near or self.like)[:_SHOWN]


def folded(text: str) -> str:
    """A text without case, accents, blanks and punctuation."""
    decomposed = unicodedata.normalize("NFKD", text).casefold()
    return "".join(letter for letter in decomposed if letter.isalnum())


def is_stored(context: CypherContext, comparison: Comparison) -> Evidence | None:
    """Whether some value satisfies the comparison (the answer); None where nobody can say.

    One probe that an index on the property can answer, none where the catalog has met the value.
    """
    value = comparison.literal.value
    exact = comparison.operator in ("=", "<>", "IN") and not comparison.folded
    if exact and any(value == met for item in comparison.stored for met, _ in item.values):
        return Evidence(f"{value!r} is among the values of the catalog.", answer=True)
    condition = _condition(comparison)
    statement = f"MATCH {_pattern(comparison)} WHERE {condition} RETURN 1 LIMIT 1"
    result = context.probes.ask(statement, {"value": value}, rows=1)
    if result is None:
        return None
    found = bool(result.rows)
    sentence = f"Some value is like {value!r}." if found else f"No value is like {value!r}."
    return Evidence(sentence, statement, found, result.elapsed)


def look_up(context: CypherContext, comparison: Comparison) -> Stored | None:
    """One probe for what is stored instead; None where the graph cannot say."""
    literal = str(comparison.literal.value)
    places = _places(context, comparison)
    statement = " UNION ALL ".join(
        [
            _likenesses(comparison),
            *(
                f"MATCH (n:{quoted(label)}) WHERE n.{quoted(key)} = $value "
                f"RETURN {number} AS place, n.{quoted(key)} AS value LIMIT 1"
                for number, (label, key) in enumerate(places, 1)
            ),
        ]
    )
    result = context.probes.ask(statement, _parameters(literal), rows=_READ + _ELSEWHERE)
    return None if result is None else _judged(literal, places, statement, result)


def _judged(literal: str, places: list[tuple[str, str]], statement: str, result: Result) -> Stored:
    values = tuple(value for place, value in result.rows if place == 0)
    elsewhere = tuple(places[place - 1] for place, _ in result.rows if place)
    wanted = folded(literal)
    same = tuple(value for value in values if folded(value) == wanted)
    near = tuple(value for value in values if value not in same and _one_slip(wanted, value))
    like = tuple(value for value in values if value not in same + near)
    found = [*(same or near or like)[:_SHOWN], *(f"{label}.{key}" for label, key in elsewhere)]
    sentence = f"{literal!r} is not stored there; "
    sentence += f"what is stored: {', '.join(found)}." if found else "nothing like it is."
    return Stored(same, near, like, elsewhere, Evidence(sentence, statement, found, result.elapsed))


def _one_slip(wanted: str, value: str) -> bool:
    """One letter typed wrong, too much, too little or swapped in a long text; never a digit."""
    other = folded(value)
    if min(len(wanted), len(other)) < _LONG or distance(wanted, other) != 1:
        return False
    return re.findall(r"\d", wanted) == re.findall(r"\d", other)


def _pattern(comparison: Comparison) -> str:
    names = "|".join(quoted(name) for name in comparison.names)
    return f"(n:{names})" if comparison.kind == "node" else f"()-[n:{names}]->()"


def _condition(comparison: Comparison) -> str:
    key = f"n.{quoted(comparison.key)}"
    if comparison.literal_first:
        return f"$value IN {key}"
    operator = "=" if comparison.operator in ("<>", "IN") else comparison.operator
    if comparison.folded:
        return f"toLower({key}) {operator} toLower($value)"
    return f"{key} {operator} $value"


def _likenesses(comparison: Comparison) -> str:
    """Values of the property that a text may stand for, the likest first.

    A slip in a text leaves one half of it whole, so that beginning or end find it.
    """
    pattern, value = _pattern(comparison), f"n.{quoted(comparison.key)}"
    unwound = ""
    if comparison.literal_first:
        unwound, value = f"UNWIND {value} AS item WITH item ", "item"
    return (
        f"MATCH {pattern} {unwound}WHERE {value} =~ $pattern "
        f"OR toLower({value}) CONTAINS $token OR (abs(size({value}) - $length) <= 1 "
        f"AND (toLower({value}) STARTS WITH $head OR toLower({value}) ENDS WITH $tail)) "
        f"WITH DISTINCT {value} AS value RETURN 0 AS place, value "
        "ORDER BY CASE WHEN value =~ $pattern THEN 0 ELSE 1 END, "
        f"abs(size(value) - $length), value LIMIT {_READ}"
    )


def _parameters(literal: str) -> dict[str, object]:
    lowered = literal.lower()
    half = len(lowered) // 2
    return {
        "value": literal,
        "pattern": _spelling(literal),
        "token": max(re.findall(r"\w+", lowered), key=len, default=lowered),
        "length": len(literal),
        "head": lowered[:half],
        "tail": lowered[half + 1 :],
    }


def _spelling(literal: str) -> str:
    """A regular expression for a text in any case, with any accents, blanks and punctuation."""
    letters = [f"[{letter}{_accented(letter)}]" for letter in folded(literal)]
    return "(?iu)" + _BETWEEN + _BETWEEN.join(letters) + _BETWEEN


@cache
def _accented(letter: str) -> str:
    return "".join(
        chr(code)
        for code in range(0xC0, 0x180)
        if unicodedata.normalize("NFKD", chr(code))[0].casefold() == letter
    )


def _places(context: CypherContext, comparison: Comparison) -> list[tuple[str, str]]:
    """The other text properties of nodes, those of the same label first, then those named alike."""
    here = set(comparison.names) if comparison.kind == "node" else set()
    found = [
        (label.name, item.name)
        for label in context.catalog.labels
        for item in label.properties
        if item.types == ("STRING",) and (label.name not in here or item.name != comparison.key)
    ]
    found.sort(key=lambda place: (place[0] not in here, place[1] != comparison.key))
    return found[:_ELSEWHERE]
