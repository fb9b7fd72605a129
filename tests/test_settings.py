"""Settings come from the environment, and a wrong one is said."""

from __future__ import annotations

import pytest

from groundwire.errors import UsageError
from groundwire.settings import Settings


@pytest.mark.parametrize(
    ("name", "text"),
    [("GROUNDWIRE_POLICY", "nonsense"), ("GROUNDWIRE_POLICY", ""), ("GROUNDWIRE_MAX_ROWS", "many")],
)
def test_a_wrong_setting_is_told_to_the_person(name: str, text: str) -> None:
    with pytest.raises(UsageError) as raised:
        Settings.from_environment({name: text})
    assert raised.value.hint


def test_each_policy_and_number_is_read() -> None:
    for policy in ("paper", "truthful"):
        assert Settings.from_environment({"GROUNDWIRE_POLICY": policy}).policy == policy
    assert Settings.from_environment({"GROUNDWIRE_MAX_ROWS": "7"}).max_rows == 7
