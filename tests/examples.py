"""How many examples a property test tries: few in `make test`, many in `make test-slow`."""

from __future__ import annotations

import os
from collections.abc import Callable

import pytest
from hypothesis import settings

THOROUGH = os.environ.get("GROUNDWIRE_TEST_THOROUGH") == "1"


def examples(few: int, many: int) -> Callable[[Callable[..., None]], Callable[..., None]]:
    """Stands above `@given` where one example takes long; has the test run in both sets."""

    def decorate(test: Callable[..., None]) -> Callable[..., None]:
        count = many if THOROUGH else few
        return pytest.mark.thorough(settings(max_examples=count)(test))

    return decorate
