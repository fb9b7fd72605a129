"""Verbs: one root for all forms of a verb, and the nouns for those who do it."""

from __future__ import annotations

from collections.abc import Iterator
from functools import lru_cache

from groundwire.draft.offline_graph.vocabulary import words_of

__all__ = ["PREPOSITIONS", "agents", "root"]

PREPOSITIONS = words_of("prepositions")

_IRREGULAR = {
    form: base
    for base, forms in {
        "write": "wrote written writes writing",
        "know": "knew known knows knowing",
        "buy": "bought buys buying",
        "sell": "sold sells selling",
        "make": "made makes making",
        "lead": "led leads leading",
        "win": "won wins winning",
        "meet": "met meets meeting",
        "teach": "taught teaches teaching",
        "own": "owns owned owning",
        "give": "gave given gives giving",
        "marry": "married marries marrying",
        "run": "ran runs running",
        "drive": "drove driven drives driving",
        "sing": "sang sung sings singing",
        "speak": "spoke spoken speaks speaking",
        "play": "plays played playing",
        "bear": "born",
        "have": "has had having",
        "be": "is are was were been being",
        "do": "does did done doing",
    }.items()
    for form in forms.split()
}
_BASES = frozenset(_IRREGULAR.values())


@lru_cache(maxsize=4096)
def root(word: str) -> str:
    """`acted`, `acting`, `acts`, `act` → `act`; other words get some form of their own."""
    if word in _IRREGULAR:
        return _IRREGULAR[word]
    if word in _BASES:
        return word
    for ending in ("ing", "ed", "es", "s", "e"):
        if word.endswith(ending) and len(word) - len(ending) >= 2 and not word.endswith("ss"):
            return _undoubled(word.removesuffix(ending), ending)
    return word


def _undoubled(stem: str, ending: str) -> str:
    if stem.endswith("i"):
        return stem[:-1] + "y"
    if ending in ("ing", "ed") and len(stem) > 3 and stem[-1] == stem[-2] and stem[-1] not in "ls":
        return stem[:-1]
    return stem.removesuffix("e")


def agents(verb_root: str) -> Iterator[str]:
    """The nouns for who does it: `act` → `actor`, `acter`; wrong ones do no harm."""
    stem = verb_root.removesuffix("e")
    yield stem + "er"
    yield stem + "or"
    if verb_root.endswith("y"):
        yield verb_root[:-1] + "ier"
    if verb_root == "act":
        yield "actress"
