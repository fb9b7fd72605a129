"""A follow-up after a question that stands alone, made to stand alone too, without any model.

The part of the earlier question that is of the same kind is replaced (a time, a grouping, a place,
what is counted), or the new part is added. What cannot be read surely is left as it is: the
drafter then declines it and says why.
"""

from __future__ import annotations

from datetime import date

from groundwire.draft.offline.follow_up_parts import Part, Text, shifted
from groundwire.draft.offline.vocabulary import Phrases

__all__ = ["standalone"]

_OPENINGS = Phrases(
    "and what about|and how about|what about|how about|and the same for|and same for|same for"
    "|the same for|the same|same|same thing for|same question for|and for|and only|and just|and"
    "|but only|but just|but|or|only|just|now only|now just|now|then|also|ok and|okay and|ok|okay"
    "|only for|just for|only the|just the|what if|and now|and then|and also"
)
_NARROWING = {"only", "just"}
_COMPLETE = Phrases(
    "how many|how much|how often|how long|how does|how do|how did|what is|what are|what was"
    "|what were|what percentage|what share|what proportion|which|who|where|when|show|list|count"
    "|give|tell|find|name|rank|compare|is there|are there|was there|were there|did|does|is the"
    "|average|total|the number of|number of|top|percentage of|what"
)
_OF_THOSE = Phrases(
    "how many of those|how many of them|how many of these|of those|of them|of these"
)
_HOW_MANY = Phrases("how many")
_ASKS_WHICH = {"which", "what"}
_HAPPENED = Phrases("were|was|are|happened|occurred|took place|were committed|were reported")
_LED = {"led", "resulted", "ended"}


def standalone(question: str, previous: str, today: date | None = None) -> str:
    """The question as it would be asked without the previous one.

    Args:
        question: what was just asked; returned unchanged when it is complete or cannot be read.
        previous: the question before it, which stands alone.
        today: what "last year" in `previous` counts from; the day of the call if not given.
    """
    day = today or date.today()
    follow, before = Text(question, day), Text(previous, day)
    start = _OPENINGS.end(follow, 0)
    if not follow.tokens or not before.tokens:
        return question
    for change in (_of_those, _which, _asked_again, _parts, _ones, _noun):
        changed = change(follow, start, before)
        if changed is not None:
            return changed
    return question


def _of_those(follow: Text, start: int, before: Text) -> str | None:
    """`how many of those were at night?`"""
    at = _OF_THOSE.end(follow, start)
    if at == start and _HAPPENED.end(follow, start + 2) > start + 2:
        at = _HOW_MANY.end(follow, start)
    if at == start or not before.begins("how", "many"):
        return None
    if follow.word(at) in _LED:
        return before.with_added("that " + follow.slice(at, follow.end))
    verb = _HAPPENED.end(follow, at)
    changed = _parts(follow, verb, before, narrowing=True) if verb > at else None
    if changed is None and verb == follow.end - 1:
        return before.with_adjective(follow.slice(verb, follow.end))
    return changed


def _which(follow: Text, start: int, before: Text) -> str | None:
    """`and which ward?` after `Which district has the most crimes?`"""
    if not (follow.word(start) in _ASKS_WHICH and follow.end - start in {2, 3}):
        return None
    return _with_other_group(before, follow.slice(start + 1, follow.end))


def _with_other_group(before: Text, noun: str) -> str | None:
    """`Which district …` asked of another grouping; both singular, or both plural."""
    end = before.noun(1) if before.word(0) in _ASKS_WHICH else 1
    other = Text(noun, before.today)
    if end == 1 or not other.tokens or other.noun(0) < other.end:
        return None
    if other.is_plural(other.end - 1) != before.is_plural(end - 1):
        return None
    return before.replaced(1, end, noun)


def _asked_again(follow: Text, start: int, before: Text) -> str | None:
    """A question that is complete loses its `and`, and nothing else."""
    at = start if _COMPLETE.end(follow, start) > start else 0
    if _COMPLETE.end(follow, at) == at:
        return None
    if at == 0 and start > 0:
        return None
    if at == 0:
        return follow.text
    rest = follow.text[follow.tokens[at].start :]
    return rest[:1].upper() + rest[1:]


def _parts(follow: Text, start: int, before: Text, narrowing: bool = False) -> str | None:
    """Times, groupings, places and conditions, with nothing between them."""
    narrowing = narrowing or any(follow.word(n) in _NARROWING for n in range(start))
    parts: list[Part] = []
    at = start
    while at < follow.end:
        part = shifted(follow, at, before) or follow.part(at)
        if part is None:
            return None
        parts.append(part)
        at = part.end
    text: Text | None = before if parts else None
    for part in parts:
        text = _apply(part, text, narrowing) if text is not None else None
    return text.text if text is not None else None


def _apply(new: Part, before: Text, narrowing: bool) -> Text | None:
    """Replace the one part of the same kind, or add the new one; None where that is unsure."""
    same = [part for part in before.parts() if part.replaceable_by(new)]
    if len(same) > 1:
        return None
    if same and not (narrowing and same[0].kind == "area" and same[0].head != new.head):
        return before.changed(same[0], new)
    if new.kind == "group" and before.word(0) in _ASKS_WHICH:
        asked = _with_other_group(before, new.core)
        return Text(asked, before.today) if asked is not None else None
    return None if _contradicts(new, before) else Text(before.with_added(new.text), before.today)


def _contradicts(new: Part, before: Text) -> bool:
    """The new part may exclude one of another kind, so that nothing would be left."""
    kinds = {part.kind for part in before.parts()}
    if new.kind == "setting":
        # Without capitals `in austin` and `in restaurants` look alike.
        return "setting" in kinds or (
            "area" in kinds and new.head.startswith("in") and not new.many
        )
    if new.kind == "recurring" and new.head == "month" and "period" in kinds:
        period = before.period()
        return period is None or period.years is None
    return False


def _ones(follow: Text, start: int, before: Text) -> str | None:
    """`only the domestic ones`"""
    at = start + (follow.word(start) == "the")
    if start == 0 or follow.word(follow.end - 1) != "ones" or not 1 <= follow.end - 1 - at <= 2:
        return None
    return before.with_adjective(follow.slice(at, follow.end - 1))


def _noun(follow: Text, start: int, before: Text) -> str | None:
    """`what about robberies?`: what is counted is another thing."""
    end = follow.noun(start)
    counted = before.counted()
    if start == 0 or counted is None or not follow.are_things(start, end):
        return None
    changed = before.replaced(*counted, follow.slice(start, end))
    if end == follow.end:
        return changed
    return _parts(follow, end, Text(changed, before.today))
