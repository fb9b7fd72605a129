"""Conversations that survive their process.

A session is a LangGraph thread: after every node its state is checkpointed, so that a follow-up
knows what came before and a killed process goes on where it was. SQLite keeps them by default,
PostgreSQL serves many servers. What is stored: questions, drafts, sentences and errors; never
rows, never a password.
"""

from __future__ import annotations

import os
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from groundwire.errors import DriverMissing, StorageError, Unreachable, UsageError

if TYPE_CHECKING:
    from langchain_core.runnables import RunnableConfig
    from langgraph.checkpoint.base import BaseCheckpointSaver
    from langgraph.checkpoint.postgres.aio import AsyncPostgresSaver
    from langgraph.checkpoint.serde.jsonplus import JsonPlusSerializer

__all__ = ["Session", "default_store"]

_LOCK = 7_140_226_153
"""The advisory lock of the set-up; any number that others are not likely to take."""


def default_store() -> str:
    """The URL of the person's own store: `$GROUNDWIRE_SESSIONS` or a file in the home folder."""
    given = os.environ.get("GROUNDWIRE_SESSIONS")
    return given or f"sqlite:///{Path.home() / '.groundwire' / 'sessions.sqlite'}"


@dataclass(frozen=True, slots=True)
class Session:
    """A named conversation in a store.

    Args:
        name: two sessions of different names never see each other.
        store: `sqlite:///file` (a relative path as it stands, `sqlite:////absolute/file`) or
            `postgresql://…`; "" = `default_store()`.
    """

    name: str
    store: str = ""

    def __post_init__(self) -> None:
        if not self.name.strip():
            raise UsageError("A session needs a name.")

    @property
    def config(self) -> RunnableConfig:
        """LangGraph's address of the conversation."""
        return {"configurable": {"thread_id": self.name}}

    @asynccontextmanager
    async def saver(self) -> AsyncIterator[BaseCheckpointSaver[Any]]:
        """The open checkpointer, its tables made when they are missing.

        Raises:
            UsageError: a store of another kind.
            StorageError: the file cannot be written.
            Unreachable: no PostgreSQL answers.
            DriverMissing: the extra `postgres` is not installed.
        """
        store = self.store or default_store()
        scheme, _, place = store.partition("://")
        if scheme == "sqlite":
            async with _sqlite(place) as saver:
                yield saver
        elif scheme in ("postgresql", "postgres"):
            async with _postgres(store) as saver:
                yield saver
        else:
            raise UsageError(
                f"Sessions cannot be kept in {scheme or store!r}.",
                hint="Use sqlite:///file or postgresql://…",
            )


def _serializer() -> JsonPlusSerializer:
    from langgraph.checkpoint.serde.jsonplus import JsonPlusSerializer

    return JsonPlusSerializer(allowed_msgpack_modules=[("groundwire.draft.base", "Draft")])


@asynccontextmanager
async def _sqlite(place: str) -> AsyncIterator[BaseCheckpointSaver[Any]]:
    import sqlite3

    import aiosqlite
    from langgraph.checkpoint.sqlite.aio import AsyncSqliteSaver

    path = Path(place.removeprefix("/"))
    try:
        path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
        async with aiosqlite.connect(path) as connection:
            saver = AsyncSqliteSaver(connection, serde=_serializer())
            await saver.setup()
            yield saver
    except (OSError, sqlite3.Error) as error:
        raise StorageError(
            f"The sessions cannot be kept in {path}: {error}.",
            hint="Give a file that can be written, with --store or GROUNDWIRE_SESSIONS.",
        ) from error


async def _make_tables(saver: AsyncPostgresSaver) -> None:
    """One process at a time: LangGraph's own set-up fails when two make the tables at once.

    Polled, because a session that waits inside a statement would hold up the set-up's
    CREATE INDEX CONCURRENTLY.
    """
    import asyncio

    connection: Any = saver.conn
    while True:
        cursor = await connection.execute("SELECT pg_try_advisory_lock(%s) AS mine", (_LOCK,))
        if (await cursor.fetchone())["mine"]:
            break
        await asyncio.sleep(0.05)
    try:
        await saver.setup()
    finally:
        await connection.execute("SELECT pg_advisory_unlock(%s)", (_LOCK,))


@asynccontextmanager
async def _postgres(url: str) -> AsyncIterator[BaseCheckpointSaver[Any]]:
    try:
        import psycopg
        from langgraph.checkpoint.postgres.aio import AsyncPostgresSaver
    except ImportError as error:
        raise DriverMissing(
            "The driver for PostgreSQL is not installed.",
            hint="Install it with: pip install 'groundwire[postgres]'",
        ) from error
    try:
        async with AsyncPostgresSaver.from_conn_string(url, serde=_serializer()) as saver:
            await _make_tables(saver)
            yield saver
    except psycopg.OperationalError as error:
        raise Unreachable(
            f"The store of the sessions does not answer: {error}.",
            hint="Look at the URL in --store or GROUNDWIRE_SESSIONS.",
        ) from error
