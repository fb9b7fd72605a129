"""How many examples a property test tries: few in `make test`, many in `make test-slow`."""

from __future__ import annotations

import os
from collections.abc import Callable

import pytest
from hypothesis import HealthCheck, settings

THOROUGH = os.environ.get("GROUNDWIRE_TEST_THOROUGH") == "1"


def examples(few: int, many: int) -> Callable[[Callable[..., None]], Callable[..., None]]:
    """Stands above `@given` where one example takes long; has the test run in both sets."""

    def decorate(test: Callable[..., None]) -> Callable[..., None]:
        count = many if THOROUGH else few
        # A busy machine is no fault of the test.
        slowly = settings(
            max_examples=count, deadline=None, suppress_health_check=[HealthCheck.too_slow]
        )
        return pytest.mark.thorough(slowly(test))

    return decorate
