"""Where the data sets lie that are not part of the repository."""

from __future__ import annotations

from pathlib import Path

import pytest

GRAPHS = (
    "movies",
    "northwind",
    "star_wars",
    "wwc2019",
    pytest.param("network", marks=pytest.mark.slow),
    pytest.param("pole", marks=pytest.mark.slow),
)


def shared(name: str) -> Path:
    """A file of `../shared/data`, beside the repository; it may not exist."""
    return Path(__file__).parents[4] / "shared" / "data" / name
