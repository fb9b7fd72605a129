"""A question as parts that a follow-up may replace: times, groupings, places, conditions."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import date
from typing import Literal

from groundwire.draft.offline.time_ranges import Period, Times, time_phrases
from groundwire.draft.offline.tokens import Token, tokenize
from groundwire.draft.offline.vocabulary import Phrases, vocabulary

__all__ = ["Part", "Text", "shifted"]

Kind = Literal["period", "recurring", "group", "area", "setting", "condition"]

_PLACE = {"in", "at", "on", "near", "inside", "around"}
_CONDITION = {"with", "without", "excluding", "except", "involving", "outside", "that"}
_STOPS = frozenset(
    re.findall(
        r"\S+",
        """
        in at on near inside around with without excluding except involving outside that from for by
        per during since before after between until through to which who where and or were was are
        is did do does has have had led resulted ended happened happen occurred occur reported
        recorded committed took there each every only over within how than of what when show , ( )
        the a an compared sorted ordered ranked not
        """,
    )
)
_NO_NAMES = frozenset(
    re.findall(
        r"\S+",
        """
        you me us it this those these them they him her i we he she why more less again please
        thanks hello hi yes no ok okay nothing everything else all any both here one ones always
        """,
    )
)
_FILLERS = {"instead", "please", "too", "then", "though", "alone", "now"}
_NO_YEAR_AFTER = {
    "than", "least", "most", "top", "over", "under", "ward", "beat", "district", "area", "code",
    "above", "below", "first", "last", "number", "block",
}  # fmt: skip
_OF_NOUNS = {"type", "types", "kind", "kinds", "day", "hour", "month", "time"}
_NO_GROUP_AFTER = {"sorted", "ordered", "ranked", "sort", "order", "rank", "committed", "followed"}
_COUNTED = Phrases(
    "how many|number of|the number of|count of|percentage of|share of|proportion of|the most"
    "|the fewest|the least|count|count all|how many of the|list all|list the"
)
_NOT_COUNTED = {
    "type", "types", "kind", "kinds", "different", "distinct", "domestic", "unsolved", "times",
    "common", "recent", "frequent", "often",
}  # fmt: skip
_BACK = Phrases(
    "the year before|year before|the previous year|previous year|the year before that",
    "the prior year|a year earlier|one year earlier",
)
_ON = Phrases(
    "the year after|year after|the next year|next year|the following year|following year",
    "a year later|one year later",
)
_ORDINAL = re.compile(r"(\d+)(?:st|nd|rd|th)")


@dataclass(frozen=True, slots=True)
class Part:
    """Tokens `start` to `end` (exclusive) of a question.

    `text` is how the part is added to another question, `core` what replaces the core of a part
    of the same kind; the core of this one begins at the token `core_start`. `head` tells parts of
    one kind apart: the word before a number (`district`), the unit of a recurring time, the
    preposition of a setting, of which `many` says that it is in the plural.
    """

    kind: Kind
    start: int
    end: int
    text: str
    core: str
    core_start: int
    head: str = ""
    many: bool = False

    def replaceable_by(self, new: Part) -> bool:
        """The new part speaks of the same thing."""
        if self.kind != new.kind:
            return False
        return self.kind in {"period", "group", "area"} or self.head == new.head


class Text:
    """A question with its tokens; `end` leaves out words such as `instead` at the end."""

    def __init__(self, text: str, today: date) -> None:
        self.text = text.strip()
        self.today = today
        self.tokens: tuple[Token, ...] = tokenize(self.text)
        self.end = len(self.tokens)
        while self.end > 1 and self.tokens[self.end - 1].word in _FILLERS:
            self.end -= 1

    def word(self, position: int) -> str:
        """The folded word, "" outside and for quoted text."""
        if 0 <= position < len(self.tokens) and not self.tokens[position].quoted:
            return self.tokens[position].word
        return ""

    def slice(self, start: int, end: int) -> str:
        """The characters of some tokens."""
        return self.text[self.tokens[start].start : self.tokens[end - 1].end]

    def begins(self, *words: str) -> bool:
        """Whether the text begins with the words."""
        return all(self.word(n) == word for n, word in enumerate(words))

    def replaced(self, start: int, end: int, new: str) -> str:
        """The text with other words for some tokens."""
        return self.text[: self.tokens[start].start] + new + self.text[self.tokens[end - 1].end :]

    def with_added(self, addition: str) -> str:
        """The text with words added before its final sign."""
        last = self.tokens[-1].end
        return f"{self.text[:last]} {addition}{self.text[last:]}"

    def with_adjective(self, adjective: str) -> str | None:
        """The text with an adjective before what is counted."""
        counted = self.counted()
        if counted is None:
            return None
        start, end = counted
        return self.replaced(start, end, f"{adjective} {self.slice(start, end)}")

    def changed(self, old: Part, new: Part) -> Text:
        """The text with a part of its own replaced."""
        whole = old.kind in {"period", "recurring", "condition"}
        start = old.start if whole else old.core_start
        return Text(self.replaced(start, old.end, new.text if whole else new.core), self.today)

    def noun(self, start: int) -> int:
        """The end of the words from `start` that may be one noun phrase."""
        at = start
        while at < self.end and (
            self.word(at) not in _STOPS
            or (self.word(at) == "of" and self.word(at - 1) in _OF_NOUNS)
        ):
            if at > start and self.time(at) is not None:
                break
            at += 1
        return at

    def are_things(self, start: int, end: int) -> bool:
        """Whether the tokens name things in the plural; a lone singular may be a place as well."""
        words = [self.word(n) for n in range(start, end)]
        plain = all(word.isalpha() and word not in _STOPS | _NO_NAMES for word in words)
        return 0 < len(words) <= 3 and plain and self.is_plural(end - 1)

    def is_plural(self, position: int) -> bool:
        """Whether the word has another singular."""
        return self.tokens[position].stem != self.tokens[position].word

    def counted(self) -> tuple[int, int] | None:
        """The tokens of what is counted, where that is one or two plain words."""
        for position in range(self.end):
            start = _COUNTED.end(self, position)
            if start == position:
                continue
            start += self.word(start) in {"the", "all"}
            end = self.noun(start)
            words = {self.word(n) for n in range(start, end)}
            known = 0 < end - start <= 2 and not words & _NOT_COUNTED
            return (start, end) if known else None
        return None

    def parts(self) -> Iterator[Part]:
        """All parts, from left to right."""
        at = 0
        while at < self.end:
            part = self.part(at)
            if part is not None:
                yield part
            at = part.end if part is not None else at + 1

    def part(self, position: int) -> Part | None:
        """The part that begins at the position."""
        return (
            self.time(position)
            or self.group(position)
            or self.area(position)
            or self.setting(position)
            or self.condition(position)
        )

    def time(self, position: int) -> Part | None:
        """A period or a recurring time."""
        if self.word(position - 1) in _NO_YEAR_AFTER:
            return None
        found = [
            (end, times)
            for times, end in time_phrases(self.tokens, position, self.today)
            if end <= self.end
        ]
        if not found:
            return None
        end, times = max(found, key=lambda each: each[0])
        kind, head = _kind_of(times)
        text = self.slice(position, end)
        if self.word(position) not in _PLACE:
            text = _preposition(self.tokens[position], end - position, kind) + text
        return Part(kind, position, end, text, text, position, head)

    def period(self) -> Period | None:
        """The period of the question, if it has exactly one."""
        found = [part for part in self.parts() if part.kind == "period"]
        if len(found) != 1:
            return None
        read = time_phrases(self.tokens, found[0].start, self.today)
        ends = {end: times for times, end in read}
        times = ends[found[0].end]
        return times[0] if len(times) == 1 and isinstance(times[0], Period) else None

    def group(self, position: int) -> Part | None:
        """`per district`, `by type of crime`, `for each month`."""
        start = vocabulary("group").end(self, position)
        if start == position or self.word(position - 1) in _NO_GROUP_AFTER:
            return None
        end = self.noun(start)
        if end == start:
            return None
        core = self.slice(start, end)
        return Part("group", position, end, self.slice(position, end), core, start)

    def area(self, position: int) -> Part | None:
        """`in district 11`, `the 11th district`, `in Rogers Park`."""
        begin = position + (self.word(position) in _PLACE | {"for"})
        start = begin + (self.word(begin) == "the")
        ordinal = _ORDINAL.fullmatch(self.word(start))
        if ordinal and start + 1 < self.end and self.word(start + 1) not in _STOPS:
            head = self.word(start + 1)
            core = f"{head} {ordinal.group(1)}"
            return Part("area", position, start + 2, f"in {core}", core, begin, head)
        for end, head in (self._numbered(start), (self._proper(start), "")):
            if end > start:
                core = self.slice(begin, end)
                return Part("area", position, end, f"in {core}", core, begin, head)
        return None

    def _numbered(self, start: int) -> tuple[int, str]:
        for end in (start + 2, start + 3):
            words = [self.word(n) for n in range(start, end)]
            if end > self.end or not all(word.isalpha() for word in words[:-1]):
                continue
            number = words[-1].isdigit() and self.time(end - 1) is None
            if number and not _STOPS.intersection(words[:-1]):
                return end, words[-2]
        return start, ""

    def _proper(self, start: int) -> int:
        end = start
        while 0 < end < self.end and _is_proper(self.tokens[end]) and self.time(end) is None:
            end += 1
        return end

    def setting(self, position: int) -> Part | None:
        """`on the street`, `in restaurants`."""
        if self.word(position) not in _PLACE:
            return None
        start = position + 1 + (self.word(position + 1) == "the")
        end = self.noun(start)
        if not 0 < end - start <= 3:
            return None
        core = self.slice(start, end)
        head = self.slice(position, start).lower()
        many = self.is_plural(end - 1)
        return Part("setting", position, end, self.slice(position, end), core, start, head, many)

    def condition(self, position: int) -> Part | None:
        """`without an arrest`, up to the next part."""
        if self.word(position) not in _CONDITION:
            return None
        end = position + 1
        while end < self.end and not (self.time(end) or self.group(end) or self.area(end)):
            end += 1
        text = self.slice(position, end)
        return Part("condition", position, end, text, text, position, self.tokens[end - 1].stem)


def shifted(follow: Text, position: int, before: Text) -> Part | None:
    """`the year before`: the period of the earlier question, one year away."""
    for phrases, years in ((_BACK, -1), (_ON, 1)):
        end = phrases.end(follow, position)
        period = before.period() if end > position else None
        if period is None or period.start is None or period.end is None:
            continue
        text = _spoken(period.start, period.end, years)
        return Part("period", position, end, text, text, position) if text else None
    return None


def _spoken(start: date, end: date, years: int) -> str:
    """A whole year or month in words, "" for another period."""
    year = start.year + years
    if (start.month, start.day, end) == (1, 1, date(start.year + 1, 1, 1)):
        return f"in {year}"
    following = date(start.year + start.month // 12, start.month % 12 + 1, 1)
    if start.day == 1 and end == following:
        return f"in {start:%B} {year}"
    return ""


def _preposition(first: Token, length: int, kind: Kind) -> str:
    """What a time lacks when it is added without its preposition: `2020`, `March 2020`."""
    if kind == "recurring" and first.stem in {"weekend", "weekday"}:
        return "on "
    if first.text[0].isdigit():
        return "in " if length == 1 and len(first.text) == 4 else "on "
    if kind == "period" and first.text[0].isupper():
        return "in " if length == 2 else "on "
    return ""


def _kind_of(times: Times) -> tuple[Kind, str]:
    first = times[0]
    return ("period", "") if isinstance(first, Period) else ("recurring", first.unit)


def _is_proper(token: Token) -> bool:
    text = token.text
    return not token.quoted and text[:1].isupper() and not (text.isupper() and len(text) > 1)
