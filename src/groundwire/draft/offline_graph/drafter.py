"""The offline drafter for graphs: question in, Cypher out, with no model at all."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from datetime import date
from typing import Any
from weakref import WeakKeyDictionary

from groundwire.database.base import Database
from groundwire.database.graph import GraphDatabase
from groundwire.draft.base import Draft
from groundwire.draft.inflect import stem
from groundwire.draft.offline.tokens import is_latin, tokenize
from groundwire.draft.offline.vocabulary import grammar_words
from groundwire.draft.offline_graph.explain import assumptions, loops_back, understood
from groundwire.draft.offline_graph.lexicon import GraphLexicon
from groundwire.draft.offline_graph.plan import Plan
from groundwire.draft.offline_graph.questions import plans
from groundwire.draft.offline_graph.values import find_values
from groundwire.draft.offline_graph.words import TooManyReadings, Words
from groundwire.draft.offline_graph.write_cypher import Unwritable, write_cypher
from groundwire.errors import NotUnderstood

__all__ = ["OfflineGraphDrafter"]

MAX_TOKENS = 50

_LEXICONS: WeakKeyDictionary[GraphDatabase, GraphLexicon] = WeakKeyDictionary()


class OfflineGraphDrafter:
    """Links the words of a question to labels, types, properties and values, or declines.

    Args:
        knowledge: what is known of the graph; its names and values are enough.
        today: what "last year" counts from; the day of the call if not given.
    """

    name = "offline"

    def __init__(self, knowledge: Any = None, today: date | None = None) -> None:
        self.knowledge = knowledge
        self.today = today

    def draft(self, question: str, database: Database) -> Draft:
        """Write one query. Asks the graph at most four times for stored values.

        Raises:
            NotUnderstood: a word is left over, or the question may mean several things.
            OperatorError: the graph is out of reach while its values are read.
        """
        if not isinstance(database, GraphDatabase):
            raise NotUnderstood("This drafter writes Cypher only.", hint="Ask a graph.")
        tokens = tokenize(question)
        if not is_latin(question) or len(tokens) > MAX_TOKENS:
            raise NotUnderstood(
                "The offline drafter reads short questions in English.",
                hint="Ask in one English sentence, or configure a model.",
            )
        words = Words(tokens, _lexicon(database), self.today or date.today())
        words.values = find_values(tokens, question, database, _unknown(words))
        try:
            return self._chosen(words, plans(words))
        except TooManyReadings:
            raise _declined(words, ["the question may be read in very many ways"]) from None

    def _chosen(self, words: Words, found: Iterable[Plan]) -> Draft:
        """The reading with the fewest assumptions; no draft where two such readings differ."""
        written: dict[str, Plan] = {}
        problems: list[str] = []
        for plan in found:
            if loops_back(plan.entity, words.lexicon.stored_both_ways):
                problems.append("it is not said whether those named are to be listed too")
                continue
            try:
                text = write_cypher(plan, words.catalog)
            except Unwritable as problem:
                problems.append(str(problem))
                continue
            known = written.get(text)
            if known is None or len(assumptions(plan)) < len(assumptions(known)):
                written[text] = plan
        if not written:
            raise _declined(words, problems)
        least = min(len(assumptions(plan)) for plan in written.values())
        best = [(text, p) for text, p in written.items() if len(assumptions(p)) == least]
        if len(best) > 1:
            ways = " Or: ".join(" ".join(understood(p)) for _, p in best[:3])
            raise _declined(words, ["the question may be read in several ways"], ways)
        text, plan = best[0]
        return Draft(text, self.name, understood(plan), assumptions(plan))


def _lexicon(database: GraphDatabase) -> GraphLexicon:
    catalog = database.catalog()
    held = _LEXICONS.get(database)
    if held is None or held.catalog is not catalog:
        held = _LEXICONS[database] = GraphLexicon(catalog)
    return held


def _unknown(words: Words) -> Iterator[int]:
    """The positions of words that neither grammar nor the graph's names explain."""
    named = set(words.lexicon.words())
    roots = {verb.root for verb in words.lexicon.verbs}
    for position, token in enumerate(words.tokens):
        if token.quoted or not (
            token.number is not None
            or token.word in grammar_words()
            or stem(token.word) in named
            or words.root(position) in roots
        ):
            yield position


def _declined(words: Words, problems: list[str], ways: str = "") -> NotUnderstood:
    """What was recognised, what was not, and why."""
    unknown = set(_unknown(words))
    known: list[str] = []
    for position, token in enumerate(words.tokens):
        for stored in words.stored(position):
            unknown -= set(range(position, stored.end))
            known.append(f"“{stored.values[0]}” (a {stored.property} of {stored.label})")
        for label, role, _ in words.nouns(position):
            known.append(f"“{token.text}” ({role.type if role else label})")
        roots = [v.type for v in words.lexicon.verbs if v.root == words.root(position)]
        known.extend(f"“{token.text}” ({name})" for name in roots)
    missing = [words.tokens[position].text for position in sorted(unknown)]
    parts = ["I am not sure that I understand the question, so I give no answer."]
    if known:
        parts.append("Understood: " + "; ".join(dict.fromkeys(known)) + ".")
    if missing:
        parts.append("Not understood: " + ", ".join(f"“{word}”" for word in missing) + ".")
    if problems:
        parts.append("Reason: " + "; ".join(dict.fromkeys(problems)) + ".")
    elif not missing:
        parts.append("Each word is known, but not how they fit together.")
    hint = ways or "Ask one thing at a time, in the words of the labels, types and properties."
    return NotUnderstood(" ".join(parts), hint=hint)
