"""What the drafter asks of a pack; `groundwire.packs.pack.Pack` has this shape."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Protocol

__all__ = ["Convention", "Knowledge"]


class Convention(Protocol):
    """A word of the domain with a fixed meaning; `sql` is a condition or ""."""

    @property
    def phrases(self) -> tuple[str, ...]: ...
    @property
    def meaning(self) -> str: ...
    @property
    def sql(self) -> str: ...


class Knowledge(Protocol):
    """Synonyms and conventions of one database; columns are written `TABLE.COLUMN`."""

    @property
    def name(self) -> str: ...
    @property
    def recognised_by(self) -> tuple[str, ...]: ...
    @property
    def column_synonyms(self) -> Mapping[str, str]: ...
    @property
    def value_synonyms(self) -> Mapping[str, tuple[tuple[str, str], ...]]: ...
    @property
    def conventions(self) -> Sequence[Convention]: ...
