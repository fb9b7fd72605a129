"""The figures of a sentence: digits, number words, shares, multiples, ordinals, with how exact."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, replace
from decimal import Decimal
from typing import Literal

__all__ = ["Bound", "Figure", "find_figures"]

Bound = Literal["", "above", "at least", "below", "at most", "nearly"]

_UNIT_WORDS = """zero one two three four five six seven eight nine ten eleven twelve thirteen
fourteen fifteen sixteen seventeen eighteen nineteen"""
_TEN_WORDS = "twenty thirty forty fifty sixty seventy eighty ninety"
_ORDINAL_WORDS = "first second third fourth fifth sixth seventh eighth ninth tenth"
_UNITS = {word: number for number, word in enumerate(_UNIT_WORDS.split())}
_TENS = {word: 10 * number for number, word in enumerate(_TEN_WORDS.split(), 2)}
_ORDINALS = {word: number for number, word in enumerate(_ORDINAL_WORDS.split(), 1)}
_SCALES = {
    "hundred": 100, "dozen": 12, "thousand": 10**3, "million": 10**6, "billion": 10**9,
    "trillion": 10**12, "k": 10**3, "m": 10**6, "mn": 10**6, "bn": 10**9, "b": 10**9,
}  # fmt: skip
_PARTS = {"half": 2, "third": 3, "quarter": 4, "fifth": 5, "tenth": 10}
_WORD = "|".join([*_UNITS, *_TENS, "hundred", "thousand", "million", "billion", "dozen"])

_DIGITS = re.compile(
    r"""(?<![\w.,/:-])(?P<sign>[-−+]|minus\s)?(?:(?P<money>[$€£¥])\s?)?
    (?P<number>\d{1,3}(?:,\d{3})+(?:\.\d+)?|\d+(?:\.\d+)?(?:e[+-]?\d+)?|\.\d+)
    (?:\s?(?P<scale>thousand|million|billion|trillion|hundred|dozen|k|mn|m|bn|b)\b)?
    (?:(?P<ordinal>st|nd|rd|th)\b|(?P<fold>-fold|x\b))?
    (?:\s?(?P<percent>%|percent(?:age\s+points?)?\b|per\s+cent\b))?
    (?![\w]|[/:]\d|,\d)""",
    re.VERBOSE | re.IGNORECASE,
)
_WORDS = re.compile(
    rf"(?<![\w-])(?:(?:a|an)\s+(?=hundred|thousand|million|billion|dozen))?"
    rf"(?P<words>(?:{_WORD})(?:(?:[\s-]+|\s+and\s+)(?:{_WORD}))*)(?![\w-])"
    rf"(?:\s(?P<percent>percent|per\s+cent)\b)?",
    re.IGNORECASE,
)
_PART = re.compile(
    r"(?<![\w-])(?:(?P<many>one|two|three|four|nine|a|an)[\s-]+)?"
    r"(?P<part>half|halves|thirds?|quarters?|fifths?|tenths?)\b(?=\s+(?:of|the|all|as)\b|-|\s)",
    re.IGNORECASE,
)
_MULTIPLE = re.compile(r"(?<![\w-])(?P<word>twice|thrice|double|triple|quadruple)\b", re.IGNORECASE)
_ORDINAL = re.compile(rf"(?<![\w-])(?P<word>{'|'.join(_ORDINALS)})\b", re.IGNORECASE)
_NONE = re.compile(r"(?<![\w-])(?:no|none)\b(?!\s+(?:one|more|other|fewer|less|longer)\b)", re.I)
_PRONOUN_BEFORE = re.compile(r"\b(?:the|this|that|each|only|no|any|every|another|which)\s+$", re.I)
_PRONOUN_AFTER = re.compile(r"\s*(?:of|for each|another|with|that|in)\b", re.IGNORECASE)

_HEDGES: tuple[tuple[str, str], ...] = (
    (r"no (?:more|higher|greater) than|at most|(?<!add )(?<!adds )(?<!added )up to"
     r"|a maximum of", "at most"),
    (r"no (?:fewer|less) than|at least|a minimum of", "at least"),
    (r"just (?:over|above)|slightly (?:over|above|more than)", "above"),
    (r"just (?:under|below)|slightly (?:under|less than|fewer than)|nearly|almost", "nearly"),
    (r"(?:more|higher|greater|larger|older|longer) than|(?:over|above)(?: the age of)?|beyond"
     r"|exceed(?:s|ed|ing)?|surpass(?:es|ed|ing)?|(?<=\s)>", "above"),
    (r"(?:fewer|less|lower|smaller|younger|shorter) than|(?:under|below)(?: the age of)?"
     r"|(?<=\s)<", "below"),
    (r"about|around|approximately|approx\.?|roughly|circa|close to|some|~|≈", "about"),
    (r"exactly|precisely", "exactly"),
)  # fmt: skip
_HEDGE = tuple(
    (re.compile(rf"(?:^|(?<=\W))(?:{words})\s*(?:a |an )?$", re.I), kind) for words, kind in _HEDGES
)
_OR_MORE = re.compile(r"(?:\s\w+)?\s+or\s+(?P<way>more|less|fewer)\b|\+")

_COMPARED = re.compile(r"\s+(?:as|more|higher|larger|greater|bigger|the|that|those)\b", re.I)


@dataclass(frozen=True, slots=True)
class Figure:
    """A number as a sentence writes it.

    `unit` is the worth of its last written digit. `kind`: `plain`, `percent` (also fractions, in
    percent), `multiple` (twice, 3 times as many), `ordinal`. `bound` says on which side of the
    figure the truth is claimed to lie; `about` and `exactly` how close.
    """

    start: int
    end: int
    value: Decimal
    unit: Decimal
    kind: Literal["plain", "percent", "multiple", "ordinal"] = "plain"
    bound: Bound = ""
    about: bool = False
    exactly: bool = False
    money: bool = False
    scaled: bool = False
    said: str = ""

    def fits(self, truth: Decimal) -> bool:
        """Whether the figure, as it is written, tells the truth."""
        if self.exactly:
            return truth == self.value
        if self.bound and self.bound != "at most":
            # "more than 10" tells little of 5,000: a bound has to lie near what it tells.
            return self.admits(truth) and abs(truth - self.value) * 3 <= abs(truth)
        if truth == self.value:
            return True
        if self.value == 0 or (truth < 0) != (self.value < 0):
            return False
        gap = abs(truth - self.value)
        whole = truth == truth.to_integral_value()
        if self.about or self.scaled:
            return gap <= min(self.unit / 2, max(abs(truth) / 20, Decimal(whole) / 2))
        return gap <= self.unit / 2 and (not whole or self.unit < 1 or self.kind != "plain")

    def admits(self, truth: Decimal) -> bool:
        """Whether a number fulfils the bound, as a condition does: `more than 100`."""
        return {
            "above": truth > self.value,
            "at least": truth >= self.value,
            "below": truth < self.value,
            "at most": truth <= self.value,
            "nearly": self.value * Decimal("0.9") <= truth < self.value,
        }[self.bound]


def find_figures(text: str) -> list[Figure]:
    """Every figure of a text, in order, none inside another."""
    found: list[Figure] = []
    for figure in (*_digits(text), *_fractions(text), *_words(text), *_others(text)):
        if all(figure.end <= other.start or other.end <= figure.start for other in found):
            found.append(_qualified(text, figure))
    return sorted(found, key=lambda figure: figure.start)


def _digits(text: str) -> Iterator[Figure]:
    for match in _DIGITS.finditer(text):
        digits = match["number"].replace(",", "")
        value = Decimal(digits)
        unit = Decimal(1).scaleb(int(value.as_tuple().exponent))
        scale = Decimal(_SCALES[match["scale"].lower()]) if match["scale"] else Decimal(1)
        if match["sign"] and match["sign"] != "+":
            value = -value
        figure = Figure(
            match.start(),
            match.end(),
            value * scale,
            unit * scale,
            money=bool(match["money"]),
            scaled=scale != 1,
            said=match["number"],
        )
        if match["percent"]:
            figure = replace(figure, kind="percent")
        elif match["ordinal"]:
            figure = replace(figure, kind="ordinal")
        elif match["fold"]:
            figure = replace(figure, kind="multiple")
        yield figure


def _words(text: str) -> Iterator[Figure]:
    for match in _WORDS.finditer(text):
        words = re.findall(r"[a-z]+", match["words"].lower())
        if words == ["one"] and _is_pronoun(text, match.start(), match.end()):
            continue
        value = _worth([word for word in words if word != "and"])
        scale = Decimal(_SCALES.get(words[-1], 1))
        scaled = scale >= 1000
        yield Figure(
            match.start(),
            match.end(),
            value,
            scale if scaled else Decimal(1),
            "percent" if match["percent"] else "plain",
            scaled=scaled,
            said=match[0],
        )


def _is_pronoun(text: str, start: int, end: int) -> bool:
    before, after = _PRONOUN_BEFORE.search(text[:start]), _PRONOUN_AFTER.match(text[end:])
    return bool(before or after)


def _worth(words: list[str]) -> Decimal:
    whole = part = 0
    for word in words:
        if word in _SCALES:
            scale = _SCALES[word]
            part = (part or 1) * scale
            if scale >= 1000:
                whole, part = whole + part, 0
        else:
            part += _UNITS.get(word, 0) + _TENS.get(word, 0)
    return Decimal(whole + part)


def _fractions(text: str) -> Iterator[Figure]:
    for match in _PART.finditer(text):
        part = match["part"].lower().rstrip("s").replace("halve", "half")
        many = (match["many"] or "").lower()
        if not many and part != "half":
            continue
        count = 1 if many in ("", "a", "an") else _UNITS[many]
        value = Decimal(100 * count) / _PARTS[part]
        if re.match(r"\s+(?:as|the number|that|those)\b", text[match.end() :]):
            yield Figure(match.start(), match.end(), value / 100, Decimal("0.05"), "multiple")
        else:
            yield Figure(match.start(), match.end(), value, Decimal(1), "percent")


def _others(text: str) -> Iterator[Figure]:
    multiples = {"twice": 2, "thrice": 3, "double": 2, "triple": 3, "quadruple": 4}
    for match in _MULTIPLE.finditer(text):
        worth = Decimal(multiples[match["word"].lower()])
        yield Figure(match.start(), match.end(), worth, Decimal("0.1"), "multiple")
    for match in _ORDINAL.finditer(text):
        worth = Decimal(_ORDINALS[match["word"].lower()])
        yield Figure(match.start(), match.end(), worth, Decimal(1), "ordinal", said=match[0])
    for match in _NONE.finditer(text):
        yield Figure(match.start(), match.end(), Decimal(0), Decimal(1), said=match[0])


def _qualified(text: str, figure: Figure) -> Figure:
    before, after = text[: figure.start], text[figure.end :]
    times = re.match(r"\s+times\b", after)
    if figure.kind == "plain" and times and _COMPARED.match(after[times.end() :]):
        end = figure.end + times.end()
        unit = figure.unit if "." in figure.said else figure.unit / 10
        figure = replace(figure, kind="multiple", end=end, unit=unit)
    for pattern, kind in _HEDGE:
        if pattern.search(before):
            return _hedged(figure, kind)
    more = _OR_MORE.match(after)
    if more and figure.kind == "plain":
        return replace(figure, bound="at least" if more["way"] in (None, "more") else "at most")
    return figure


def _hedged(figure: Figure, kind: str) -> Figure:
    if kind == "exactly":
        return replace(figure, exactly=True)
    if kind != "about":
        return replace(figure, bound=kind)  # type: ignore[arg-type]
    return replace(figure, about=True, unit=_loose_unit(figure))


def _loose_unit(figure: Figure) -> Decimal:
    """After "about", the zeros at the end of a whole number are not meant."""
    if figure.kind == "percent" and not figure.said:
        return Decimal(6)
    if figure.kind == "multiple":
        return figure.unit if "." in figure.said else figure.value / 5
    value, unit = abs(figure.value), figure.unit
    while value and unit >= 1 and value % (unit * 10) == 0:
        unit *= 10
    return unit
