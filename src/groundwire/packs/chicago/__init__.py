"""The Chicago pack: knowledge of the city's crime data, a generator and a loader of its exports."""

from __future__ import annotations

from groundwire.packs.chicago.loading import LoadReport, load
from groundwire.packs.chicago.synthetic import Generated, generate

__all__ = ["Generated", "LoadReport", "generate", "load"]
