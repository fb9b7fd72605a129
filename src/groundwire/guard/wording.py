"""What the words of a question ask for, as far as a check of the guard has to know."""

from __future__ import annotations

import re

from groundwire.guard.nearest import plain

__all__ = [
    "asks_for_entities",
    "asks_for_share",
    "asks_for_some",
    "asks_superlative",
]

_SHARE = re.compile(
    r"%|\b(share|shares|percent\w*|proportion\w*|ratio\w*|average\w*|avg|mean|rate|rates|fraction"
    r"|per)\b",
    re.IGNORECASE,
)
_SUPERLATIVE = re.compile(
    r"\b(most|least|top|bottom|best|worst|first|last|maximum|minimum|max|min|fewest|furthest"
    r"|farthest|biggest|leading|main|primary|favou?rite|rank\w*|newest|peak|record"
    r"|[a-z]{2,}est)\b",
    re.IGNORECASE,
)
_NO_SUPERLATIVE = re.compile(
    r"west|(north|south)west|test|contest|rest|arrest|interest|forest|guest|quest|request|nest"
    r"|invest|harvest|protest|digest|suggest|honest|chest|everest|budapest"
)
_SOME = re.compile(
    r"\d|\b(some|any|examples?|samples?|few|several|random\w*|one|two|three|four|five|six|seven"
    r"|eight|nine|ten|eleven|twelve|fifteen|twenty|dozen|thirty|fifty|hundred|pair|couple|limit\w*"
    r"|next|single|an?(?! (?:\w+ )?(?:list|table|summary|count|overview)))\b",
    re.IGNORECASE,
)
_IRREGULAR = {"people": "person", "children": "child", "men": "man", "women": "woman"}
_COUNTED = re.compile(
    r"\b(?:how many|number of|count of|count|different|distinct|unique|separate)((?: \w+){1,4})"
)
_STOP = re.compile(
    r"of|in|per|by|with|that|which|who|do|does|did|are|is|was|were|have|has|for|from|to"
)


def asks_superlative(question: str) -> bool:
    """It ranks: `the oldest`, `most`, `top`."""
    found = (match.group().lower() for match in _SUPERLATIVE.finditer(question))
    return any(not _NO_SUPERLATIVE.fullmatch(word) for word in found)


def asks_for_some(question: str) -> bool:
    """It holds a number, or asks for some, one or an example, so that not all are wanted."""
    return _SOME.search(question) is not None


def asks_for_share(question: str) -> bool:
    """It asks for a share, a ratio or an average."""
    return _SHARE.search(question) is not None


def asks_for_entities(question: str, label: str) -> bool:
    """It asks how many entities of a label there are: `how many (different) films`, `number of …`.

    What is counted ends where a preposition or a verb comes: `how many roles in films` asks for
    roles.
    """
    text = " ".join(question.lower().split())
    for match in _COUNTED.finditer(text):
        words: list[str] = []
        for word in match.group(1).split():
            if _STOP.fullmatch(word):
                break
            words.append(word)
            if _means(" ".join(words[-2:]), label):
                return True
    return False


def _means(words: str, label: str) -> bool:
    """The last word, or all of them as one, is the label in the singular or the plural."""
    last = words.split()[-1]
    named = {_IRREGULAR.get(last, last), words.replace(" ", "")}
    wanted = {plain(label), label.lower()}
    return any(wanted & {plain(name), name.removesuffix("s")} for name in named)
