"""Singular and base forms of English words, and one folded form of any text.

Good enough to compare words with each other: both sides of a comparison go through the same
function, so a wrong singular does no harm as long as it is the same wrong one.
"""

from __future__ import annotations

import re
import unicodedata
from functools import lru_cache

__all__ = ["fold", "past_forms", "singular", "stem"]

_IRREGULAR = {
    "people": "person",
    "persons": "person",
    "children": "child",
    "men": "man",
    "women": "woman",
    "feet": "foot",
    "series": "series",
    "species": "species",
    "indices": "index",
    "indexes": "index",
    "lives": "life",
    "wives": "wife",
    "thieves": "thief",
    "premises": "premises",
    "news": "news",
    "movies": "movie",
    "ties": "tie",
    "statuses": "status",
    "bonuses": "bonus",
    "buses": "bus",
    "campuses": "campus",
    "viruses": "virus",
    "geese": "goose",
    "mice": "mouse",
    "analyses": "analysis",
    "crises": "crisis",
    "bases": "base",
    "databases": "database",
    "addresses": "address",
    "data": "data",
    "criteria": "criterion",
}
_KEEPS_S = ("ss", "us", "is", "ics")
_NOT_ALPHANUMERIC = re.compile(r"[^0-9a-z]+")


@lru_cache(maxsize=65_536)
def fold(text: str) -> str:
    """Lower case, no accents, `&` as `and`, no apostrophes, one space for all other signs.

    Text of another script keeps its letters.
    """
    text = unicodedata.normalize("NFKD", text.casefold().replace("&", " and "))
    text = "".join(c for c in text if not unicodedata.combining(c) and c not in "'’`´")
    if text.isascii():
        return _NOT_ALPHANUMERIC.sub(" ", text).strip()
    return " ".join("".join(c if c.isalnum() else " " for c in text).split())


@lru_cache(maxsize=65_536)
def singular(word: str) -> str:
    """The singular of a folded word; a word that is none stays as it is."""
    if word in _IRREGULAR:
        return _IRREGULAR[word]
    if len(word) < 3 or not word.endswith("s") or word.endswith(_KEEPS_S):
        return word
    if word.endswith("ies") and len(word) > 4:
        return word[:-3] + "y"
    if word.endswith(("sses", "shes", "ches", "xes", "zes")):
        return word[:-2]
    if word.endswith("oes"):
        return word[:-2]
    return word[:-1]


def stem(text: str) -> str:
    """A folded phrase with each word in the singular: the form in which phrases are compared."""
    return " ".join(singular(word) for word in fold(text).split())


def past_forms(word: str) -> tuple[str, ...]:
    """How a noun reads as a participle: `arrest` → `arrested`."""
    if word.endswith("e"):
        return (word + "d",)
    if word.endswith("y") and len(word) > 2:
        return (word[:-1] + "ied",)
    return (word + "ed",)
