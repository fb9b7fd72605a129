"""What drafting may know of a database beyond its catalog: the shape of a pack.

`groundwire.packs.pack.Pack` has this shape; drafting does not import packs.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Protocol

from groundwire.draft.offline.knowledge import Knowledge as OfflineKnowledge
from groundwire.draft.solved import Exemplar

__all__ = ["Knowledge"]


class Knowledge(OfflineKnowledge, Protocol):
    """Meanings, synonyms, conventions and questions of one database."""

    @property
    def name(self) -> str: ...
    @property
    def description(self) -> str: ...
    @property
    def tables(self) -> Mapping[str, str]: ...
    @property
    def columns(self) -> Mapping[str, str]: ...
    @property
    def questions(self) -> Sequence[str]: ...
    @property
    def off_topic(self) -> Sequence[str]: ...
    @property
    def solved(self) -> Sequence[Exemplar]: ...
