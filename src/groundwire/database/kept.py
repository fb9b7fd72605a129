"""What has been measured of each database, kept while its catalog stands and it is not too old."""

from __future__ import annotations

import time
from collections.abc import Hashable
from typing import Any
from weakref import WeakKeyDictionary

from groundwire.database.base import SqlDatabase
from groundwire.database.catalog import Catalog

__all__ = ["KeptFacts", "kept_facts"]

MOST = 10_000
"""Facts of one database; beyond that all are forgotten."""


class KeptFacts:
    """Facts by key, each with the time at which it was measured."""

    def __init__(self, version: str, age: float) -> None:
        self.version = version
        self._age = age
        self._facts: dict[Hashable, tuple[float, Any]] = {}

    def get(self, key: Hashable) -> Any:
        """The fact, None where there is none that is young enough."""
        held = self._facts.get(key)
        return held[1] if held is not None and time.monotonic() - held[0] <= self._age else None

    def put(self, key: Hashable, fact: Any) -> None:
        """Keep a fact that was measured now."""
        if len(self._facts) >= MOST:
            self._facts.clear()
        self._facts[key] = (time.monotonic(), fact)


_KEPT: WeakKeyDictionary[SqlDatabase, KeptFacts] = WeakKeyDictionary()


def kept_facts(database: SqlDatabase, catalog: Catalog) -> KeptFacts:
    """The facts that are kept of a database; none of those measured under another catalog."""
    version = catalog.version
    kept = _KEPT.get(database)
    if kept is None or kept.version != version:
        kept = _KEPT[database] = KeptFacts(version, database.settings.statistics_age)
    return kept
