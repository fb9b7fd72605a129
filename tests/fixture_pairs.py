"""Reads fixture pairs (draft → verdict) from text files that anyone can extend.

The format is in `guard/fixtures/README.md`.
"""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

KEYS = ("draft", "verdict", "query", "findings", "databases", "message", "question", "policy")


@dataclass(frozen=True)
class Pair:
    """One block of a fixture file."""

    file: str
    line: int
    values: dict[str, str]

    def __getattr__(self, key: str) -> str:
        if key in KEYS:
            return self.values.get(key, "")
        raise AttributeError(key)

    @property
    def name(self) -> str:
        return f"{self.file}:{self.line}"

    def is_for(self, database: str) -> bool:
        return not self.databases or database in self.databases.split()


def read_pairs(path: Path) -> list[Pair]:
    """All blocks of a file, in order."""
    pairs: list[Pair] = []
    values: dict[str, str] = {}
    key, start = "", 0
    for number, line in enumerate([*path.read_text(encoding="utf-8").splitlines(), "---"], 1):
        if line.startswith("#"):
            continue
        if line == "---":
            assert "draft" in values, f"{path.name}:{number}: a block without a draft"
            assert "verdict" in values, f"{path.name}:{number}: a block without a verdict"
            pairs.append(Pair(path.stem, start, values))
            values, key, start = {}, "", 0
        elif line.startswith((" ", "\t")) and key in ("draft", "query"):
            values[key] += "\n" + line
        elif line.strip():
            key, _, value = line.partition(": ")
            assert key in KEYS, f"{path.name}:{number}: an unknown key {key!r}"
            values[key] = value
            start = start or number
    return pairs
