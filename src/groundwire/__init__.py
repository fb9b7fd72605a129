"""Groundwire: ask a database in plain English; a query is admitted only on its own evidence.

    import groundwire

    database = groundwire.connect("duckdb:///crimes.duckdb")
    answer = groundwire.ask(database, "How many thefts were there in 2020?")
    print(answer.sentence, answer.query)

    verdict = groundwire.Guard(database).check("SELECT count(*) FROM crime")
    print(verdict.outcome, verdict.query)

Nothing heavy is imported until it is used.
"""

from groundwire.answer.answer import Answer, Cost
from groundwire.ask import Event, Options, aask, ask, astream, pending_question, resume
from groundwire.database import Catalog, Database, Result, connect
from groundwire.draft.exemplars import Exemplars
from groundwire.errors import GroundwireError
from groundwire.guard import Evidence, Finding, Guard, Verdict
from groundwire.session import Session
from groundwire.settings import Settings

__all__ = [
    "Answer",
    "Catalog",
    "Cost",
    "Database",
    "Event",
    "Evidence",
    "Exemplars",
    "Finding",
    "GroundwireError",
    "Guard",
    "Options",
    "Result",
    "Session",
    "Settings",
    "Verdict",
    "aask",
    "ask",
    "astream",
    "connect",
    "pending_question",
    "resume",
]
__version__ = "0.1.0"
