"""Which known name is meant by an unknown one.

Two questions: which names are near enough to be shown (`nearest`), and whether exactly one stands
out so clearly that the evidence decides (`standing_out`). Distance is Damerau's (optimal string
alignment) over names without case and separators.
"""

from __future__ import annotations

from collections.abc import Iterable

__all__ = ["distance", "nearest", "plain", "standing_out"]


def plain(name: str) -> str:
    """A name without case, separators and a plural s: `Crime_Types` → `crimetype`."""
    letters = "".join(letter for letter in name.casefold() if letter.isalnum())
    if letters.endswith("ies") and len(letters) > 4:
        return letters[:-3] + "y"
    if letters.endswith("s") and not letters.endswith("ss") and len(letters) > 3:
        return letters[:-1]
    return letters


def distance(one: str, other: str) -> int:
    """Edits (insert, delete, replace, swap neighbours) from one text to the other."""
    before: list[int] = []
    previous: list[int] = []
    row = list(range(len(other) + 1))
    for i, left in enumerate(one, 1):
        before, previous, row = previous, row, [i]
        for j, right in enumerate(other, 1):
            cost = min(previous[j] + 1, row[j - 1] + 1, previous[j - 1] + (left != right))
            if i > 1 and j > 1 and left == other[j - 2] and one[i - 2] == right:
                cost = min(cost, before[j - 2] + 1)
            row.append(cost)
    return row[-1]


def nearest(name: str, known: Iterable[str], most: int = 3) -> tuple[str, ...]:
    """The known names that look most like a name, best first; none that look quite different."""
    wanted = plain(name)
    scored = sorted((_score(wanted, plain(other)), other) for other in set(known))
    return tuple(other for score, other in scored if score <= 0.5)[:most]


def standing_out(name: str, known: Iterable[str]) -> str | None:
    """The one known name that is surely meant, or None.

    It is the same but for case, separators or a plural s; or it is one slip away (two for names
    of eight letters and more) and no other name is nearly as close.
    """
    wanted = plain(name)
    known = set(known)
    same = [other for other in known if plain(other) == wanted]
    if same:
        return same[0] if len(same) == 1 else _same_case(name, same)
    slips = sorted((_slips(name, other), other) for other in known)
    allowed = 2 if len(wanted) >= 8 else 1 if len(wanted) >= 4 else 0
    if not slips or slips[0][0] > allowed:
        return None
    if len(slips) > 1 and slips[1][0] <= slips[0][0] + 1:
        return None
    return slips[0][1]


def _slips(name: str, other: str) -> int:
    as_written = distance(name.casefold(), other.casefold())
    return min(as_written, distance(plain(name), plain(other)))


def _same_case(name: str, same: list[str]) -> str | None:
    equal = [other for other in same if other.casefold() == name.casefold()]
    return equal[0] if len(equal) == 1 else None


def _score(wanted: str, other: str) -> float:
    if not wanted or not other:
        return 1.0
    if wanted in other or other in wanted:
        return 0.3 * (1 - min(len(wanted), len(other)) / max(len(wanted), len(other)))
    return distance(wanted, other) / max(len(wanted), len(other))
