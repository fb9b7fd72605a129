"""What decides the outcome of a run. A run goes on only under the one that it began with."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict, dataclass, fields
from typing import Any

from groundwire.errors import UsageError
from groundwire.settings import COMPONENTS

__all__ = ["Configuration"]


@dataclass(frozen=True, slots=True)
class Configuration:
    """Written to `run.json`.

    Args:
        set: the name of a data set, or the file of the cases.
        drafter: `offline`, `provider:model`, or `recorded` for a replay.
        prompt: the named prompt (`default`, `paper-v1`, `paper-v2`).
        without: components that are switched off (`settings.COMPONENTS`).
        limit: cases at most, drawn with `seed`; 0 = all.
        seed: of the draw.
        now: the moment that "today" means, ISO 8601 with its zone: it stands in every prompt.
        policy: of the guard.
        schema_only: no stored value is sent to the model.
        narrate: the model words the sentence; False = the template does.
        version: of Groundwire.
    """

    set: str
    drafter: str
    prompt: str = "default"
    without: tuple[str, ...] = ()
    limit: int = 0
    seed: int = 0
    now: str = ""
    policy: str = "truthful"
    schema_only: bool = False
    narrate: bool = False
    version: str = ""

    def to_json(self) -> dict[str, Any]:
        """Every field."""
        return asdict(self) | {"without": list(self.without)}

    @classmethod
    def from_json(cls, entry: Mapping[str, Any]) -> Configuration:
        """From `run.json`; what another version wrote beside is passed over.

        Raises:
            UsageError: it is not the configuration of a run.
        """
        known = {item.name for item in fields(cls)}
        try:
            given = {name: value for name, value in entry.items() if name in known}
            return cls(**given | {"without": tuple(given.get("without", ()))})
        except (AttributeError, TypeError) as error:
            raise UsageError(f"This is not the configuration of a run: {error}.") from error

    def differences(self, other: Configuration) -> list[str]:
        """What keeps two runs from being one, as sentences. The moment and version do not."""
        found = []
        for item in fields(self):
            mine, theirs = getattr(self, item.name), getattr(other, item.name)
            if item.name not in ("now", "version") and mine != theirs:
                found.append(f"{item.name} was {mine!r} and is {theirs!r}")
        return found

    @property
    def label(self) -> str:
        """One line for a table: the drafter, the prompt, what is off."""
        parts = [self.drafter]
        if self.prompt != "default":
            parts.append(self.prompt)
        if set(self.without) == set(COMPONENTS):
            parts.append("zero-shot")
        else:
            parts += [f"no {name}" for name in self.without]
        return ", ".join(parts)
