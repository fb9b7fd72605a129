"""What a sentence says beside its figures: outside claims, causes, denials, "all" and "only"."""

from __future__ import annotations

import re

from groundwire.answer.facts.ground import Ground, root, stems
from groundwire.answer.facts.names import Token, tokens
from groundwire.answer.facts.reading import DATE, NAME, NUMBER, Reading
from groundwire.answer.facts.words import (
    AGGREGATES,
    CAUSES,
    DOWN,
    GUESSES,
    HIGH,
    HIGHER,
    LOW,
    LOWER,
    NEUTRAL,
    UP,
)
from groundwire.answer.wording import MONTH_NUMBERS

__all__ = ["check_wording", "holds_nothing", "says_a_value"]

_OWN = NEUTRAL | HIGH | LOW | HIGHER | LOWER | UP | DOWN | frozenset(AGGREGATES)
_DENIAL = re.compile(
    r"\b(?:don'?t|do not|does not|doesn'?t|cannot|can'?t|could not|couldn'?t|unable|no way)\b"
    r"|\bnot (?:available|enough|sufficient|possible|provided|included|found)\b"
    r"|\bno (?:data|results?|rows?|records?|information|answer|match(?:es)?|entries)\b"
)
_NEGATIONS = frozenset({"not", "never", "neither", "nor", "nobody", "nothing", "without", "except"})
_NOT = re.compile(r"\w+n['’]t$", re.IGNORECASE)
_CAUSED = re.compile(
    r"\b(?:due to|as a result|result(?:ed|s|ing)? (?:of|from)|so that|in order to)\b"
)
_OPPOSITES = (
    ("first", "last"), ("earliest", "latest"), ("before", "after"), ("start", "end"),
    ("oldest", "newest"), ("beginning", "end"),
)  # fmt: skip


def check_wording(reading: Reading) -> None:
    """Doubt every word that neither the result nor the question brings."""
    _check_words(reading)
    _check_causes(reading)
    _check_denial(reading)
    _check_opposites(reading)
    _check_alternatives(reading)
    _check_polarity(reading)
    _check_subject(reading)
    _check_extent(reading)
    for match in re.finditer(r"\d", reading.text):
        reading.doubt(match.start(), "A figure could not be read.")
        break


# --- words -----------------------------------------------------------------------------------


def _check_words(reading: Reading) -> None:
    known = reading.ground.known
    roots = {root(word) for word in known}
    first = next(iter(tokens(reading.raw)), None)
    for token in tokens(reading.text):
        if any(character.isdigit() for character in token.text):
            reading.doubt(token.start, f"“{token.text}” is not in the result.")
            continue
        asked = all(s in known or root(s) in roots for s in token.stems)
        if asked:
            continue
        if not _is_own(token):
            reading.doubt(token.start, f"“{token.text}” is neither in the result nor the question.")
        elif token.text[0].isupper() and token.text != "I" and not _opens(reading, token, first):
            reading.doubt(token.start, f"“{token.text}” looks like a name that is not known.")


def _is_own(token: Token) -> bool:
    word = token.text.lower().replace("’", "'")
    return (
        word in _OWN
        or word in CAUSES
        or word in GUESSES
        or word in _NEGATIONS
        or bool(_NOT.search(word))
        or all(stem in _OWN for stem in token.stems)
    )


def _opens(reading: Reading, token: Token, first: Token | None) -> bool:
    """Whether the word stands where any word has a capital."""
    if first is not None and token.start == first.start:
        return True
    before = reading.text[: token.start].rstrip(" “\"'(*_-")
    return not before or before[-1] in ":;.!?\n" or token.text == "NULL"


# --- causes and denials ----------------------------------------------------------------------


def _check_causes(reading: Reading) -> None:
    asked = {word for text in reading.ground.asked for word in re.findall(r"\w+", text.lower())}
    for token in tokens(reading.text):
        word = token.text.lower()
        if word in CAUSES:
            reading.doubt(token.start, f"“{token.text}” gives a reason that no row gives.")
        elif word in GUESSES and word not in asked:
            reading.doubt(token.start, f"“{token.text}” is a guess.")
    for match in _CAUSED.finditer(reading.text.lower()):
        reading.doubt(match.start(), f"“{match[0]}” gives a reason that no row gives.")


def _check_denial(reading: Reading) -> None:
    ground, text = reading.ground, reading.raw.lower().replace("’", "'")
    empty = _says_nothing(reading)
    for match in _DENIAL.finditer(text):
        if not empty:
            reading.doubt(match.start(), "The sentence denies a result that is there.")
    asked = {word for question in ground.asked for word in re.findall(r"[\w']+", question.lower())}
    for token in tokens(reading.text):
        word = token.text.lower()
        negates = word in _NEGATIONS or bool(_NOT.search(word.replace("’", "'")))
        if negates and word not in asked and not empty and not _lacks_value(reading, token):
            reading.doubt(token.start, f"“{token.text}” denies something that no row shows.")


def _says_nothing(reading: Reading) -> bool:
    return holds_nothing(reading.ground)


def holds_nothing(ground: Ground) -> bool:
    """The result is empty, or its only row is all NULL."""
    rows = ground.result.rows
    return not rows or (len(rows) == 1 and all(value is None for value in rows[0]))


def _lacks_value(reading: Reading, token: Token) -> bool:
    """`without a value` where some cell is NULL."""
    rest = reading.text[token.end :].lower()
    null = any(value is None for row in reading.ground.result.rows for value in row)
    return null and bool(re.match(r"\s+(?:a|any|the)?\s*(?:date|value|name)", rest))


def _check_opposites(reading: Reading) -> None:
    """`the last order` for the first: a word that turns the question round."""
    asked = _asked(reading)
    for token in tokens(reading.text):
        word = token.text.lower()
        for one, other in (*_OPPOSITES, *((b, a) for a, b in _OPPOSITES)):
            if word == one and other in asked and one not in asked:
                reading.doubt(token.start, f"“{token.text}” turns the question round.")
    for figure in reading.figures:
        said = reading.raw[figure.start : figure.end].lower()
        if said == "first" and "last" in asked and "first" not in asked:
            reading.doubt(figure.start, "“first” turns the question round.")


def _check_alternatives(reading: Reading) -> None:
    """`THEFT or ARSON has 5` leaves open which; `520, or about 35%` says a thing twice."""
    if "or" in _asked(reading):
        return
    told = f"{NAME}{NUMBER}{DATE}"
    between = re.compile(rf"[{told}][^,;]{{0,20}}(?<!,)\s(or)\s|\s(or)\s[^,;]{{0,12}}[{told}]")
    for match in between.finditer(reading.text):
        start = match.start(match.lastindex or 0)
        if not re.match(r"or\s+(?:more|less|fewer|so|about|a value)\b", reading.text[start:]):
            reading.doubt(start, "“or” leaves open which is true.")


def _check_polarity(reading: Reading) -> None:
    """`978 tracks have a composer` for the tracks without one."""
    negations = r"\b(?:no|not|never|without|non|isn't|wasn't|weren't|didn't|don't|hasn't|haven't)\b"
    if re.search(negations, reading.raw.lower()) or reading.ground.size == 0:
        return
    words = {root(stem) for token in tokens(reading.text) for stem in token.stems}
    question = reading.ground.question.lower()
    filler = r"(?:(?:a|an|any|the|ever|been|be|yet)\s+)*"
    asked = [root(stem) for stem in stems(question)]
    for match in re.finditer(rf"{negations}\W+{filler}(\w+)", question):
        denied = [root(stem) for stem in stems(match[1])]
        if any(root in words and asked.count(root) == 1 for root in denied):
            reading.doubt(0, f"The question says “{match[0]}”, the sentence does not.")


def _check_subject(reading: Reading) -> None:
    """`500 thefts` for the thefts that led to an arrest: a figure is told of what it counts."""
    ground = reading.ground
    asked = re.search(r"\bhow many\s+(\w+)(.*)", ground.question, re.IGNORECASE)
    if ground.size != 1 or not asked or not reading.groups:
        return
    rest = [t for t in tokens(asked[2]) if t.text.lower() not in _OWN and not t.text.isdigit()]
    narrowing = {root(stem) for token in rest for stem in token.stems} - {root(asked[1].lower())}
    narrowing -= {name.lower() for name in MONTH_NUMBERS}
    words = {root(stem) for token in tokens(reading.raw) for stem in token.stems}
    counted = root("".join(stems(asked[1])))
    if narrowing and counted in words and not narrowing & words:
        reading.doubt(0, f"The figure is only of “{asked[1]}{asked[2].rstrip('?. ')}”.")


# --- how much of the whole -------------------------------------------------------------------

_ALL = re.compile(r"\b(?:all|every|each|always|entire|whole|any)\b")
_ONLY = re.compile(r"\b(?:only|just|sole|solely|exclusively|alone|exactly|precisely)\b")


def _check_extent(reading: Reading) -> None:
    ground, text = reading.ground, reading.text.lower()
    for match in _ONLY.finditer(text):
        counted = re.match(rf"\s*(?:a |an |the |by |about )?[{NUMBER}{DATE}]", text[match.end() :])
        word = match[0]
        if ground.is_cut:
            reading.doubt(match.start(), f"“{word}” is not known: the result is cut.")
        elif word == "just" and re.match(r"\s+(?:over|under|above|below)\b", text[match.end() :]):
            continue
        elif not counted and not _is_single(reading) and word not in _asked(reading):
            reading.doubt(match.start(), f"“{word}” does not follow from the rows.")
    for match in _ALL.finditer(text):
        if not _all_is_meant(reading, match):
            reading.doubt(match.start(), f"“{match[0]}” does not follow from the rows.")


def _asked(reading: Reading) -> set[str]:
    return {word for text in reading.ground.asked for word in re.findall(r"\w+", text.lower())}


def _is_single(reading: Reading) -> bool:
    return (
        reading.ground.size == 1
        or len({row for mention in reading.mentions for row in mention.rows}) == reading.ground.size
    )


def _all_is_meant(reading: Reading, match: re.Match[str]) -> bool:
    """`all four types`, `one for each year`, `above 100 in all districts`, `75 each`."""
    ground, text = reading.ground, reading.text.lower()
    rest = text[match.end() :]
    if match[0] in ("each", "every") and re.search(
        r"\b(?:for|in|of|per|with)\s+$", text[: match.start()]
    ):
        return reading.is_whole
    if re.match(rf"\s+(?:of\s+)?(?:the\s+|these\s+|those\s+)?{NUMBER}", rest):
        return reading.is_whole
    if re.match(r"\s+(?:of\s+)?(?:the\s+)?(?:others?)\b", rest) and "than" in text:
        return True
    if re.search(r"\b(?:of|across|than|in|among|over)\s+$", text[: match.start()]):
        return reading.is_whole
    words = {token.text for token in tokens(text)}
    if re.match(r"\s+(?:hour|day|week|month|quarter|year)\b", rest) and words & (UP | DOWN):
        return True  # the trend is checked point by point
    if match[0] in ("all", "every", "each") and _is_level(reading):
        return True
    bounds = [figure for figure in reading.figures if figure.bound]
    if bounds and reading.is_whole:
        return any(
            all(bound.admits(n) for bound in bounds for n in ground.numbers(place))
            for place in ground.figures
            if ground.numbers(place)
        )
    return match[0] in _asked(reading) and ground.size == 1


def _is_level(reading: Reading) -> bool:
    """The sentence gives one figure to several names, and its figure is checked for each."""
    return any(
        len(run) > 1 and len(group.figures) == 1
        for group in reading.groups
        for run in group.links.values()
    ) or any(word in reading.text.lower() for word in ("same", "equal", "tie"))


def says_a_value(reading: Reading) -> bool:
    """The sentence tells something of the result: a figure, a name, a truth value."""
    if reading.mentions or reading.groups:
        return True
    words = set(stems(reading.text))
    truth = any(isinstance(value, bool) for row in reading.ground.result.rows for value in row)
    return truth and bool(words & {"yes", "no", "true", "false"})
