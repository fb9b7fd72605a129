"""Forms in which two spellings of one text are the same."""

from __future__ import annotations

import re
import unicodedata

__all__ = ["folded", "loose", "one_slip"]

_SIGNS = r"[\s\-‐-―_.,/'’`´]+"
_BETWEEN_WORDS = re.compile(rf"(?<!\d){_SIGNS}|{_SIGNS}(?!\d)")


def folded(text: str) -> str:
    """A text without case and accents, with one blank for several and none around it."""
    if not text.isascii():
        decomposed = unicodedata.normalize("NFKD", text)
        text = "".join(letter for letter in decomposed if not unicodedata.combining(letter))
    return " ".join(text.casefold().split())


def loose(text: str) -> str:
    """A folded text without blanks, hyphens, points, commas and apostrophes.

    Between digits they stay: `1.5` is not `15`. Other signs do: `C++` is not `C`.
    """
    return _BETWEEN_WORDS.sub("", folded(text))


def one_slip(one: str, other: str) -> bool:
    """One letter is typed wrong, too much, too little, or two neighbours are swapped."""
    most = min(len(one), len(other))
    start = next((i for i in range(most) if one[i] != other[i]), most)
    left, right = one[start:], other[start:]
    most = min(len(left), len(right))
    end = next((i for i in range(most) if left[-1 - i] != right[-1 - i]), most)
    left, right = left[: len(left) - end], right[: len(right) - end]
    if len(left) <= 1 and len(right) <= 1:
        return left != right
    return len(left) == 2 and left == right[::-1]
