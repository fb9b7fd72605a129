"""The small tables of facts that come with the pack, one CSV file each in `data/`.

Source of the facts: City of Chicago data portal (IUCR codes, community areas, wards and beats,
the address grid); shares and weights are our own round figures after the portal's yearly totals.
"""

from __future__ import annotations

import csv
from functools import cache
from importlib import resources

__all__ = ["read_table"]


@cache
def read_table(name: str) -> tuple[dict[str, str], ...]:
    """The rows of `data/<name>.csv` as texts by column name."""
    file = resources.files(__package__).joinpath("data", f"{name}.csv")
    return tuple(csv.DictReader(file.read_text(encoding="utf-8").splitlines()))
