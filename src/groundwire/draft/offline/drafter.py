"""The offline drafter: question in, SQL out, with no model at all."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import date
from weakref import WeakKeyDictionary

from groundwire.database.base import Database, SqlDatabase
from groundwire.draft.base import Draft
from groundwire.draft.inflect import fold
from groundwire.draft.offline.explain import declined, recognised, understood
from groundwire.draft.offline.gaps import check_gaps
from groundwire.draft.offline.joins import JoinGraph
from groundwire.draft.offline.knowledge import Knowledge
from groundwire.draft.offline.lexicon import Lexicon
from groundwire.draft.offline.link import Linked, link
from groundwire.draft.offline.mentions import find_mentions
from groundwire.draft.offline.question import readings
from groundwire.draft.offline.resolve import TIE, Context, Unlinked
from groundwire.draft.offline.sentence import Sentence
from groundwire.draft.offline.suggest import suggestions
from groundwire.draft.offline.tokens import is_latin, tokenize
from groundwire.draft.offline.write_sql import write_sql
from groundwire.draft.values import ValueIndex
from groundwire.errors import NotUnderstood

__all__ = ["OfflineDrafter"]

MAX_TOKENS = 80


@dataclass(frozen=True)
class _Held:
    """What is made once for a database and a pack."""

    values: ValueIndex
    lexicon: Lexicon
    graph: JoinGraph


_HELD: WeakKeyDictionary[SqlDatabase, _Held] = WeakKeyDictionary()


class OfflineDrafter:
    """Links the words of a question to the catalog and writes SQL, or declines.

    Args:
        pack: synonyms and conventions of the database; without one, names and values are enough.
        today: what "last year" counts from; the day of the call if not given.
    """

    name = "offline"

    def __init__(self, pack: Knowledge | None = None, today: date | None = None) -> None:
        self.pack = pack
        self.today = today

    def draft(self, question: str, database: Database) -> Draft:
        """Write one query.

        Raises:
            NotUnderstood: a word is left over, or the question may mean several things.
            OperatorError: the database is out of reach while its values are read.
        """
        if not isinstance(database, SqlDatabase):
            raise NotUnderstood(
                "The offline drafter writes SQL only.", hint="Configure a model for this database."
            )
        tokens = tokenize(question)
        if not is_latin(question) or len(tokens) > MAX_TOKENS:
            raise NotUnderstood(
                "The offline drafter reads short questions in English.",
                hint="Ask in one English sentence, or configure a model.",
            )
        context = self._context(database)
        mentions = find_mentions(tokens, context.lexicon, context.values)
        place = fold(self.pack.name) if self.pack is not None else ""
        sentence = Sentence(tokens, mentions, context.today, place, context.lexicon.table_verbs)
        linked, problems = link(context, readings(sentence))
        written = self._written(context, linked, database.dialect, problems)
        if not written:
            unknown = recognised(sentence)[1]
            raise declined(sentence, problems, suggestions(context, unknown))
        try:
            check_gaps(written[0][1].plan, context, database)
        except Unlinked as problem:
            raise declined(sentence, [problem]) from None
        return self._chosen(sentence, written)

    def _context(self, database: SqlDatabase) -> Context:
        values = ValueIndex.build(database)
        held = _HELD.get(database)
        if held is None or held.values is not values or held.lexicon.pack is not self.pack:
            catalog = database.catalog()
            held = _Held(values, Lexicon(catalog, values, self.pack), JoinGraph(catalog))
            _HELD[database] = held
        return Context(held.lexicon, values, held.graph, self.today or date.today())

    def _written(
        self, context: Context, linked: list[Linked], dialect: str, problems: list[Unlinked]
    ) -> list[tuple[str, Linked]]:
        """Different texts, the cheapest reading of each; no further than a tie with the best."""
        written: dict[str, Linked] = {}
        for found in linked:
            if written and found.cost > min(f.cost for f in written.values()) + TIE:
                break
            try:
                written.setdefault(write_sql(found.plan, context, dialect), found)
            except Unlinked as problem:
                problems.append(problem)
        return list(written.items())

    def _chosen(self, sentence: Sentence, written: list[tuple[str, Linked]]) -> Draft:
        if len(written) > 1:
            ways = [f"{n}. {' '.join(understood(f))}" for n, (_, f) in enumerate(written[:3], 1)]
            raise declined(sentence, [Unlinked("the question may be read in several ways")], ways)
        text, found = written[0]
        return Draft(text, self.name, understood(found), tuple(found.notes.assumptions))
