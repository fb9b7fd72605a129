"""A plan in words, and a decline that says what was understood."""

from __future__ import annotations

from collections.abc import Iterable

from groundwire.draft.offline.link import Linked
from groundwire.draft.offline.plan import Aggregate, Expression, Plan, Share, TimePart
from groundwire.draft.offline.resolve import Unlinked, spoken
from groundwire.draft.offline.sentence import Sentence
from groundwire.draft.offline.vocabulary import grammar_words
from groundwire.errors import NotUnderstood

__all__ = ["declined", "recognised", "understood"]

_FUNCTIONS = {
    "count": "number",
    "sum": "total",
    "avg": "average",
    "min": "least",
    "max": "greatest",
}


def understood(linked: Linked) -> tuple[str, ...]:
    """How the question was read, one sentence a part."""
    plan = linked.plan
    sentences = [f"“{phrase}” = {meaning}" for phrase, meaning in linked.notes.meanings]
    sentences.append(f"Asked for: {_asked(plan)}.")
    if plan.groups and plan.form == "rows" and plan.rank is None:
        sentences.append(f"For each {', '.join(_said(e) for e in plan.groups)}.")
    if plan.rank is not None:
        way = "greatest" if plan.rank.descending else "least"
        first = f"the {plan.rank.count} places" if plan.rank.count > 1 else "the place"
        sentences.append(
            f"Kept: {first} with the {way} {_said(plan.rank.expression)}, all ties included."
        )
    return tuple(dict.fromkeys(sentences))


def _asked(plan: Plan) -> str:
    if plan.form == "exists":
        return f"whether there is any such row of {plan.table.name}, and how many"
    if plan.form == "mean":
        return f"the average number of rows for each {', '.join(_said(e) for e in plan.groups)}"
    if plan.form == "groups counted":
        return f"how many values of {_said(plan.groups[0])} there are"
    shown = ", ".join(_said(o.expression) for o in plan.outputs)
    return f"the different {shown}" if plan.distinct else shown


def _said(expression: Expression) -> str:
    if isinstance(expression, TimePart):
        return f"{expression.unit} of {spoken(expression.field)}"
    if isinstance(expression, Share):
        return "share of rows"
    if isinstance(expression, Aggregate):
        if expression.argument is None:
            return "number of rows"
        different = "different " if expression.distinct else ""
        return f"{_FUNCTIONS[expression.function]} {different}{_said(expression.argument)}"
    return spoken(expression)


def declined(
    sentence: Sentence, problems: Iterable[Unlinked], suggestions: Iterable[str] = ()
) -> NotUnderstood:
    """What was recognised word by word, what was not, and what could be tried."""
    known, unknown = recognised(sentence)
    reasons = list(dict.fromkeys(str(problem) for problem in problems))
    parts = ["I am not sure that I understand the question, so I give no answer."]
    if known:
        parts.append("Understood: " + "; ".join(known) + ".")
    if unknown:
        parts.append("Not understood: " + ", ".join(f"“{word}”" for word in unknown) + ".")
    if reasons:
        parts.append("Reason: " + "; ".join(reasons[:3]) + ".")
    elif not unknown:
        parts.append("Each word is known, but not how they fit together.")
    tips = [*suggestions] or ["Ask one thing at a time, in the words of the tables and columns."]
    return NotUnderstood(" ".join(parts), hint=" ".join(tips))


def recognised(sentence: Sentence) -> tuple[list[str], list[str]]:
    """What each recognised phrase names, and the words that name nothing and are no grammar."""
    known: list[str] = []
    unknown: list[str] = []
    position = 0
    while position < len(sentence):
        mentions = [m for kind in sentence.mentions.get(position, {}).values() for m in kind]
        best = max(mentions, key=lambda m: m.end, default=None)
        if best is not None:
            known.append(f"“{best.text}” ({_meaning(best)})")
            position = best.end
            continue
        token = sentence.tokens[position]
        if token.word not in grammar_words() and token.number is None:
            unknown.append(token.text)
        position += 1
    return list(dict.fromkeys(known)), list(dict.fromkeys(unknown))


def _meaning(mention: object) -> str:
    from groundwire.draft.offline.mentions import Mention

    assert isinstance(mention, Mention)
    if mention.stored:
        return f"a value of {spoken(mention.stored[0].field)}"
    if mention.convention is not None:
        return mention.convention.meaning.rstrip(".")
    if mention.flags:
        return f"yes/no in {spoken(mention.flags[0])}"
    named = mention.named[0]
    return f"table {named.table.name}" if named.column is None else spoken(named.field)
