"""Ask every case of a drafter: the whole pipeline, as a person would use it."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field, replace
from datetime import datetime
from itertools import groupby
from typing import TYPE_CHECKING

from groundwire.answer.answer import Answer
from groundwire.ask import Options, aask
from groundwire.bench.case import Case
from groundwire.bench.runs.folder import RunFolder
from groundwire.bench.runs.grading import Given, grade
from groundwire.bench.runs.recording import RecordedModel, Request, Requests, collected
from groundwire.bench.scoring import Scorer
from groundwire.database import Database, SqlDatabase
from groundwire.draft.exemplars import Exemplars, same_question
from groundwire.errors import AccessDenied, GroundwireError, ModelUnavailable, QuotaExhausted
from groundwire.packs.pack import Pack, pack_for

if TYPE_CHECKING:
    from groundwire.bench.runs.record import Record

__all__ = ["Asked", "Asker"]

GIVE_UP = 5
"""Cases in a row for which the model's server did not answer, after which a run stops."""


@dataclass(slots=True)
class Asked:
    """What came of a run: how many cases were done now, and the requests that have no reply."""

    done: int = 0
    pending: list[Request] = field(default_factory=list)
    stopped: GroundwireError | None = None


class Asker:
    """Asks the cases of a run that are not done, several at a time, and keeps each answer.

    A case is done when its record is kept. A case for which the model's server gave no reply is
    not: the run can be begun again. The model's account being empty, or its server silent for
    several cases in a row, stops the run.

    Args:
        folder: of the run.
        scorer: with the databases of the cases.
        model: None = the offline drafter.
        exemplars: solved questions; one of a case itself is never shown.
        at_once: cases under way at most.
        on_record: told of every record.
    """

    def __init__(
        self,
        folder: RunFolder,
        scorer: Scorer,
        model: RecordedModel | None = None,
        *,
        exemplars: Exemplars | None = None,
        at_once: int = 4,
        on_record: Callable[[Record], None] = lambda record: None,
    ) -> None:
        self.folder = folder
        self.scorer = scorer
        self.model = model
        self.exemplars = exemplars
        self.at_once = at_once
        self.on_record = on_record
        self.asked = Asked()
        self._silent = 0
        self._own = {same_question(case.question) for case in folder.cases}

    async def run(self) -> Asked:
        """Ask them all, one database after the other.

        Raises:
            StorageError: a record cannot be written.
        """
        # One thread scores: a metric may hold both processors, and databases are not shared.
        with ThreadPoolExecutor(1) as scoring:
            todo = sorted(self.folder.todo, key=lambda case: case.database)
            for database, cases in groupby(todo, key=lambda case: case.database):
                if self.asked.stopped is None:
                    await self._ask_all(database, list(cases), scoring)
        return self.asked

    async def _ask_all(self, name: str, cases: Sequence[Case], scoring: ThreadPoolExecutor) -> None:
        loop = asyncio.get_running_loop()
        try:
            database = await loop.run_in_executor(scoring, self.scorer.databases.database, name)
            options = await asyncio.to_thread(self._options, database)
        except GroundwireError as error:
            for case in cases:
                given = Given("failed", self._drafter, "", "", error=error)
                self._keep(await loop.run_in_executor(scoring, grade, self.scorer, case, given))
            return
        gate = asyncio.Semaphore(self.at_once)

        async def ask(case: Case) -> None:
            async with gate:
                if self.asked.stopped is None:
                    await self._ask(case, database, options, scoring)

        async with asyncio.TaskGroup() as group:
            for case in cases:
                group.create_task(ask(case))

    async def _ask(
        self, case: Case, database: Database, options: Options, scoring: ThreadPoolExecutor
    ) -> None:
        with collected() as requests:
            try:
                answer = await aask(database, case.question, self.model, options=options)
            except GroundwireError as error:
                answer = Answer(case.question, "failed", error.message, error=error)
        if requests.pending:
            self.asked.pending += requests.pending
        elif not self._was_silent(answer):
            loop = asyncio.get_running_loop()
            given = self._given(answer, requests)
            self._keep(await loop.run_in_executor(scoring, grade, self.scorer, case, given))

    def _was_silent(self, answer: Answer) -> bool:
        """The model itself could not be asked, which says nothing of the case."""
        error = answer.error
        if isinstance(error, QuotaExhausted | AccessDenied) and self.model is not None:
            self.asked.stopped = error
            return True
        is_silent = isinstance(error, ModelUnavailable) and error.code != "MODEL_BUDGET"
        self._silent = self._silent + 1 if is_silent else 0
        if self._silent >= GIVE_UP:
            self.asked.stopped = error
        return is_silent

    def _keep(self, record: Record) -> None:
        self.folder.add(record)
        self.asked.done += 1
        self.on_record(record)

    @property
    def _drafter(self) -> str:
        return self.model.name if self.model else "offline"

    def _options(self, database: Database) -> Options:
        """How every case is asked: nothing that is solved for a case may help it."""
        configuration, pack = self.folder.configuration, self._pack(database)
        exemplars = self.exemplars
        if exemplars is not None:
            pairs = tuple(p for p in exemplars.pairs if not self._is_own(p.question))
            exemplars = replace(exemplars, pairs=pairs)
        return Options(
            schema_only=configuration.schema_only,
            prompt=configuration.prompt if database.language == "sql" else "default",
            pack=pack,
            now=datetime.fromisoformat(configuration.now) if configuration.now else None,
            narrate=configuration.narrate,
            exemplars=exemplars,
        )

    def _pack(self, database: Database) -> Pack | None:
        pack = pack_for(database.catalog()) if isinstance(database, SqlDatabase) else None
        if pack is None:
            return None
        return replace(pack, solved=tuple(p for p in pack.solved if not self._is_own(p.question)))

    def _is_own(self, question: str) -> bool:
        return same_question(question) in self._own

    def _given(self, answer: Answer, requests: Requests) -> Given:
        return Given(
            outcome=answer.outcome,
            drafter=answer.drafter or self._drafter,
            draft=answer.draft,
            query=answer.query if answer.answered else "",
            findings=answer.findings,
            choices=answer.choices,
            unchecked=answer.unchecked,
            error=answer.error,
            sentence=answer.sentence,
            cost=answer.cost,
            usd=self._usd(requests),
            exchanges=requests.keys,
        )

    def _usd(self, requests: Requests) -> float | None:
        """What the calls cost; None as soon as the price of one is not known."""
        total = 0.0
        for key in requests.keys:
            reply = self.folder.journal.find(key) or {}
            if reply.get("cost") is None:
                return None
            total += reply["cost"]
        return total
