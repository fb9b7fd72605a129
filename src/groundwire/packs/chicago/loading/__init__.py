"""Loading an export of the city portal: `load`."""

from __future__ import annotations

from groundwire.packs.chicago.loading.loader import load
from groundwire.packs.chicago.loading.report import LoadReport

__all__ = ["LoadReport", "load"]
