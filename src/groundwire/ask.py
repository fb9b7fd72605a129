"""Ask a database a question: `ask`, `aask`, and `astream` for what happens on the way.

The pipeline itself, a LangGraph graph, is in `pipeline/`; it is imported when the first
question comes, so that `import groundwire` stays quick.
"""

from __future__ import annotations

from collections.abc import AsyncGenerator, Coroutine
from contextlib import aclosing
from dataclasses import dataclass, field
from datetime import datetime
from typing import TYPE_CHECKING, Any, Literal, TypeVar

from groundwire.answer.answer import Answer
from groundwire.database import Database, connect
from groundwire.errors import QuestionError

if TYPE_CHECKING:
    from groundwire.draft.exemplars import Exemplars
    from groundwire.draft.model import Model
    from groundwire.packs.pack import Pack
    from groundwire.session import Session

__all__ = ["Event", "Options", "aask", "ask", "astream", "pending_question", "resume"]

T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class Options:
    """How a question is asked.

    Args:
        schema_only: send no stored value to a model.
        prompt: the named prompt configuration (`default`, `paper-v1`, `paper-v2`).
        pack: knowledge of the database; None = the pack that recognises it, if any.
        now: the moment that "today" means, with its time zone; None = now, here.
        narrate: let a model word the sentence (checked); False = the template.
        exemplars: solved questions; those of the pack come on top of them.
    """

    schema_only: bool = False
    prompt: str = "default"
    pack: Pack | None = None
    now: datetime | None = None
    narrate: bool = True
    exemplars: Exemplars | None = None


@dataclass(frozen=True, slots=True)
class Event:
    """Something that happened on the way to an answer.

    `kind` is `step` (a node has ended; `data` names it and says what came of it), `text` (a piece
    of the sentence) or `answer` (the last one; `answer` is there).
    """

    kind: Literal["step", "text", "answer"]
    data: dict[str, Any] = field(default_factory=dict)
    answer: Answer | None = None


def ask(
    database: Database | str,
    question: str,
    model: Model | str | None = None,
    *,
    session: Session | None = None,
    options: Options | None = None,
) -> Answer:
    """Ask a question and wait for the answer.

    Never raises for what happens on the way: an answer that could not be given says why in its
    `error`, with the outcome `refused`, `asked` or `failed`.

    Args:
        database: a Database, or a URL (opened and closed here).
        question: in plain words.
        model: `provider:name`, a Model, or None for the offline drafter.
        session: a conversation; follow-ups are understood, and it can be resumed.
        options: see `Options`.

    Raises:
        QuestionError: the question is empty, too long or not text.
        UsageError: the URL, the model's name or an option is wrong.
        OperatorError: there is no database at the URL.
    """
    return run(aask(database, question, model, session=session, options=options))


def resume(
    database: Database | str,
    session: Session,
    model: Model | str | None = None,
    *,
    options: Options | None = None,
) -> Answer:
    """Go on with the question that a stopped process left in a session (`pending_question`).

    Raises:
        As `ask`.
    """
    return run(aask(database, None, model, session=session, options=options))


async def aask(
    database: Database | str,
    question: str | None,
    model: Model | str | None = None,
    *,
    session: Session | None = None,
    options: Options | None = None,
) -> Answer:
    """As `ask`, for an event loop. Cancelling it stops the model and the query on the server.

    Args:
        question: None as in `resume`.
    """
    events = astream(database, question, model, session=session, options=options)
    async with aclosing(events):
        async for event in events:
            if event.answer is not None:
                return event.answer
    raise AssertionError("the pipeline ended without an answer")


async def astream(
    database: Database | str,
    question: str | None,
    model: Model | str | None = None,
    *,
    session: Session | None = None,
    options: Options | None = None,
) -> AsyncGenerator[Event, None]:
    """As `aask`, with every step and every piece of the sentence as it comes.

    Args:
        question: None as in `resume`.
    """
    if isinstance(database, str):
        import asyncio

        opened = await asyncio.to_thread(connect, database)
        with opened:
            again = astream(opened, question, model, session=session, options=options)
            async with aclosing(again) as events:
                async for event in events:
                    yield event
        return
    from groundwire.pipeline import answer_question, begin_work

    if question is not None:
        question = checked_question(question, database.settings.max_question_length)
    chat = _open(model)
    try:
        work = await begin_work(database, chat, options or Options())
        async with aclosing(answer_question(work, question, session)) as events:
            async for event in events:
                yield event
    finally:
        if chat is not None and chat is not model:
            await chat.aclose()


def pending_question(session: Session) -> str | None:
    """The question that a stopped process left unanswered in a session, if any.

    Raises:
        OperatorError: the store of the session cannot be read.
    """
    from groundwire.pipeline import unanswered

    return run(unanswered(session))


def checked_question(question: str, longest: int) -> str:
    """The question without space around it.

    Raises:
        QuestionError: it is empty, too long or not text.
    """
    question = question.strip()
    if not any(letter.isalnum() for letter in question):
        raise QuestionError("The question is empty.", hint="Ask something in words.")
    if len(question) > longest:
        raise QuestionError(
            f"The question has {len(question):,} characters; {longest:,} are read at most.",
            hint="Ask in a few sentences.",
        )
    if "\x00" in question or any("\ud800" <= letter <= "\udfff" for letter in question):
        raise QuestionError("The question is not text.", hint="Ask in words.")
    return question


def run(work: Coroutine[Any, Any, T]) -> T:
    """Run a coroutine to its end, also from code that is itself inside an event loop."""
    import asyncio

    try:
        asyncio.get_running_loop()
    except RuntimeError:
        return asyncio.run(work)
    from concurrent.futures import ThreadPoolExecutor

    with ThreadPoolExecutor(1, "groundwire-ask") as pool:
        return pool.submit(asyncio.run, work).result()


def _open(model: Model | str | None) -> Model | None:
    if not isinstance(model, str):
        return model
    from groundwire.draft.model import open_model

    return open_model(model)
