"""Question in, draft out: the contract of every drafter."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Protocol

from groundwire.database.base import Database

__all__ = ["Draft", "Drafter"]


@dataclass(frozen=True, slots=True)
class Draft:
    """A candidate query and where it came from.

    `drafter` is `offline`, `provider:model` or `approved`. `understood` says in words how the
    question was read, one sentence a part; `assumptions` are readings that the person should see
    beside the answer (what "night" was taken to mean).
    """

    text: str
    drafter: str
    understood: tuple[str, ...] = ()
    assumptions: tuple[str, ...] = ()


class Drafter(Protocol):
    """Anything that writes a query for a question."""

    name: str

    def draft(self, question: str, database: Database) -> Draft:
        """Write one query.

        Raises:
            NotUnderstood: the drafter declines and says what it did understand.
            DraftError: no usable statement came back.
            OperatorError: the drafter's own service is out of order.
        """
        ...
