"""What a declined question may have meant: stored values and names near its unknown words."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from itertools import islice

from groundwire.draft.inflect import stem
from groundwire.draft.offline.lexicon import Field
from groundwire.draft.offline.resolve import Context, spoken

__all__ = ["suggestions"]

MOST = 3


def suggestions(context: Context, unknown: Iterable[str]) -> list[str]:
    """A few sentences, the first for the first unknown word."""
    return list(islice(_all(context, unknown), MOST))


def _all(context: Context, unknown: Iterable[str]) -> Iterator[str]:
    for word in unknown:
        yield from _of_names(context, word)
        yield from _of_values(context, word)


def _of_values(context: Context, word: str) -> Iterator[str]:
    near = context.values.lookup(word, spelling=True)
    if near:
        place = spoken(Field(near[0].table, near[0].column))
        yield f"For “{word}”, did you mean {near[0].value!r} ({place})?"
        return
    if len(word) < 4:
        return
    holding = context.values.containing(word, 3)
    if holding:
        first = Field(holding[0].table, holding[0].column)
        place = spoken(first)
        here = [m.value for m in holding if Field(m.table, m.column) == first]
        shown = ", ".join(dict.fromkeys(map(repr, here)))
        yield f"“{word}” stands in values of {place}: {shown}."


def _of_names(context: Context, word: str) -> Iterator[str]:
    from difflib import get_close_matches

    lexicon = context.lexicon
    names = [*lexicon.tables, *lexicon.columns] if len(word) > 3 else []
    for name in get_close_matches(stem(word), names, n=1, cutoff=0.8):
        yield f"For “{word}”, did you mean “{name}”?"
