"""What the words of a question or a name say, as far as a check of the guard has to know."""

from __future__ import annotations

import re
from itertools import takewhile

from groundwire.guard.nearest import plain

__all__ = [
    "asks_for_different",
    "asks_for_entities",
    "asks_for_others",
    "asks_for_share",
    "asks_for_some",
    "asks_per",
    "asks_superlative",
    "is_additive",
    "is_symmetric",
    "names_a_share",
]

_SHARE = re.compile(
    r"%|\b(share|shares|percent\w*|proportion\w*|ratio\w*|average\w*|avg|mean|rate|rates|fraction"
    r"|per)\b",
    re.IGNORECASE,
)
_SUPERLATIVE = re.compile(
    r"\b(most|least|top|bottom|best|worst|first|last|maxim\w+|minim\w+|max|min|fewest|furthest"
    r"|farthest|biggest|leading|leads? (?:the|in|by)|leader|favou?rites?|rank\w*|newest|peak\w*"
    r"|record|predominan\w+|predominates?|dominan\w+|dominates?|prevail\w*|main|mainly|mostly"
    r"|chiefly|largely|primary|primarily|principally|supreme|majority|plurality|commonly|usually"
    r"|typically|popular|recent|recently|number[- ]one|winner|winning|champion|runner-up"
    r"|than (?:any|all|every|the others)|[a-z]+most|[a-z]{2,}est)\b"
    r"|(?<!\w)(?:#|no\. ?)1\b",
    re.IGNORECASE,
)
_NO_SUPERLATIVE = re.compile(
    r"(north|south|mid)?west|(con|pro|at|de|re|pre)?test|(un|ar|for)?rest|(dis)?interest|(re)?forest"
    r"|(re|be|con|in)?quest|nest|(in|har|di)?vest|guest|digest|(in|con|sug)gest|(dis)?honest|chest"
    r"|everest|budapest|bucharest|priest|crest|manifest|modest|earnest|ernest|tempest|incest|infest"
    r"|molest|pest|zest|behest|almost"
)
_SOME = re.compile(
    r"\d|\b(some|any|examples?|samples?|few|several|random\w*|one|two|three|four|five|six|seven"
    r"|eight|nine|ten|eleven|twelve|fifteen|twenty|dozen|thirty|fifty|hundred|pair|couple|limit\w*"
    r"|next|single|an?(?! (?:\w+ )?(?:list|table|summary|count|overview)))\b",
    re.IGNORECASE,
)
_OTHERS = re.compile(
    r"\b(not|no|non|never|without|except|excluding|exclude|other than|apart from|aside from|but"
    r"|outside|neither|nor|isn'?t|aren'?t|wasn'?t|weren'?t|don'?t|doesn'?t|didn'?t|hasn'?t|haven'?t"
    r"|cannot|can'?t|won'?t)\b",
    re.IGNORECASE,
)
_SYMMETRIC = re.compile(
    r"marri|spous|wed|sibling|brother|sister|twin|cousin|famil|relative|related|friend|neighbo"
    r"|border|adjacen|adjoin|next_?to|connect|linked|partner|colleague|coworker|co_?|similar"
    r"|same_?as|equivalent|roommate|classmate|teammate|rival|match|near|shares?_|lives_?with"
    r"|dating|interact"
)
_ADDITIVE = re.compile(
    r"totals?|subtotal|amount|amt|budget|balance|salary|salaries|wages?|payroll|income|revenues?"
    r"|turnover|profits?|earnings|expenses?|spending|population|inhabitants|attendance|donation"
    r"|funding|sales|proceeds|votes"
)
_IRREGULAR = {
    "people": "person",
    "persons": "person",
    "individuals": "person",
    "children": "child",
    "men": "man",
    "women": "woman",
    "taxa": "taxon",
    "criteria": "criterion",
    "phenomena": "phenomenon",
    "media": "medium",
    "analyses": "analysis",
    "diagnoses": "diagnosis",
    "theses": "thesis",
    "indices": "index",
    "vertices": "vertex",
    "matrices": "matrix",
    "wives": "wife",
    "knives": "knife",
    "lives": "life",
    "mice": "mouse",
}
_MODIFIERS = frozenset({"arms", "gas", "news", "sales", "savings", "series", "species", "sports"})
"""Words that look like a plural also before the noun that they are a part of."""
_COUNTED = re.compile(
    r"\b(?:how many(?: of)?|number of|count of|count|different|distinct|unique|separate)"
    r"(?: (?:the|these|those|his|her|its|their|all))?((?: [\w:/-]+){1,4})"
)
_PER = re.compile(r"\b(?:each|every|per|which|by|all|individual)((?: \w+){1,3})")
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


def asks_for_others(question: str) -> bool:
    """It asks for what is not so: `not`, `except`, `other than`."""
    return _OTHERS.search(question.replace("\u2019", "'")) is not None


def asks_for_entities(question: str, label: str) -> bool:
    """It asks how many entities of a label there are: `how many (different) films`, `number of …`.

    What is counted ends where a preposition or a verb comes: `how many roles in films` asks for
    roles. It is the first plural: `how many people own cars` asks for people. A singular counts
    only as the last word.
    """
    text = " ".join(question.lower().split())
    return any(_counts(match.group(1).split(), label) for match in _COUNTED.finditer(text))


def _counts(words: list[str], label: str) -> bool:
    """The first noun of the words behind `how many` is a label."""
    words = list(takewhile(lambda word: not _STOP.fullmatch(word), words))
    place = next((n for n in range(len(words)) if _is_head(words, n)), len(words) - 1)
    if place < 0:
        return False
    compound = "".join(words[place : place + 2])
    return _means(" ".join(words[: place + 1][-2:]), label) or _means(compound, label)


def _is_head(words: list[str], place: int) -> bool:
    word, after = words[place], words[place + 1 : place + 2]
    if word in _MODIFIERS and after and _is_plural(after[0]):
        return False
    return _is_plural(word)


def _is_plural(word: str) -> bool:
    return word in _IRREGULAR or (word.endswith("s") and not word.endswith(("ss", "us", "is")))


def asks_for_different(question: str) -> bool:
    """It asks for different values."""
    return re.search(r"\b(different|distinct|unique|separate)\b", question, re.I) is not None


def asks_per(question: str, label: str) -> bool:
    """It asks for something of each entity of a label: `for each customer`, `which customers`.

    `each customer name` asks per name.
    """
    text = " ".join(question.lower().split())
    for match in _PER.finditer(text):
        words = match.group(1).split()
        for place in range(len(words)):
            after = words[place + 1 : place + 2]
            if after not in (["name"], ["names"], ["title"], ["titles"]) and _means(
                words[place], label
            ):
                return True
    return False


def names_a_share(name: str) -> bool:
    """The name of an output column says that it is a share: `pct_paid`, `AverageTotal`."""
    parts = re.sub(r"(?<=[a-z])(?=[A-Z])", "_", name).lower().split("_")
    shares = "share percent percentage pct ratio proportion rate fraction average avg mean"
    return not set(shares.split()).isdisjoint(parts)


def is_symmetric(type_name: str) -> bool:
    """The name of a relationship type says that it means the same both ways: `IS_MARRIED_TO`."""
    return _SYMMETRIC.match(re.sub(r"^(is|are|has|was)_?", "", type_name.lower())) is not None


def is_additive(column: str) -> bool:
    """The name of a column says that its value is a sum that belongs to its row as a whole.

    A price, an age or a length is no such sum: it may be meant once for each time it is met.
    """
    parts = re.sub(r"(?<=[a-z])(?=[A-Z])", "_", column).lower().split("_")
    units = {"per", "rate", "price", "pct", "percent", "avg", "average", "unit"}
    return not units.intersection(parts) and any(map(_ADDITIVE.fullmatch, parts))


def _means(words: str, label: str) -> bool:
    """The last word, or all of them as one, is the label in the singular or the plural."""
    last = words.split()[-1]
    named = {last, _IRREGULAR.get(last, last), words.replace(" ", "")}
    named.add(words.replace(" ", "").removesuffix(last) + _IRREGULAR.get(last, last))
    wanted = {plain(label), label.lower()}
    return any(
        wanted & {plain(name), name.removesuffix("s"), name.removesuffix("es")} for name in named
    )
