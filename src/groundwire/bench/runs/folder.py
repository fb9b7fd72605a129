"""The folder of a run: `run.json`, `cases.jsonl`, `records.jsonl`, `exchanges.jsonl`.

Records are added one by one and never changed, so that a run that was killed goes on where it was.
"""

from __future__ import annotations

import fcntl
import json
import os
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from groundwire.bench.case import Case, Malformed, read_cases
from groundwire.bench.runs.configuration import Configuration
from groundwire.bench.runs.journal import Journal, append_line, whole_lines
from groundwire.bench.runs.record import Record
from groundwire.errors import StorageError, UsageError

__all__ = ["RunFolder"]


class RunFolder:
    """A run on the disk. `open` reads one, `begin` makes one or goes on with it.

    Args:
        journal: the file of the paid replies; None = the folder's own. Runs that differ only in
            what is done with a reply can share one.
    """

    def __init__(
        self,
        path: Path,
        configuration: Configuration,
        cases: Sequence[Case],
        journal: Path | None = None,
    ) -> None:
        self.path = path
        self.configuration = configuration
        self.cases = tuple(cases)
        self.journal = Journal(journal or path / "exchanges.jsonl")
        self._records = {record.id: record for record in self._read_records()}

    @classmethod
    def begin(
        cls,
        path: Path,
        configuration: Configuration,
        cases: Sequence[Case],
        journal: Path | None = None,
    ) -> RunFolder:
        """Make the folder; one that holds this very run is gone on with, under its moment.

        Raises:
            UsageError: the folder holds another run; the message says what differs.
            StorageError: the folder cannot be written.
        """
        if (path / "run.json").exists():
            return cls._resume(path, configuration, cases, journal)
        try:
            path.mkdir(parents=True, exist_ok=True)
            lines = [json.dumps(case.to_json(), ensure_ascii=False) for case in cases]
            _write(path / "cases.jsonl", "\n".join(lines) + "\n")
            _write(path / "run.json", json.dumps(configuration.to_json(), indent=2) + "\n")
        except OSError as error:
            raise StorageError(f"The folder {path} cannot be written: {error.strerror}.") from error
        return cls(path, configuration, cases, journal)

    @classmethod
    def open(cls, path: Path, journal: Path | None = None) -> RunFolder:
        """Read a run.

        Raises:
            UsageError: there is no run in the folder.
        """
        file = path / "run.json"
        if not file.is_file():
            raise UsageError(
                f"There is no run in {path}.", hint="Give the folder that `bench run` has made."
            )
        try:
            configuration = Configuration.from_json(json.loads(file.read_text("utf-8")))
        except (OSError, ValueError) as error:
            raise UsageError(f"{file} cannot be read: {error}.") from error
        cases = read_cases(path / "cases.jsonl")
        broken = next((case for case in cases if isinstance(case, Malformed)), None)
        if broken is not None:
            raise UsageError(
                f"Line {broken.number} of {path / 'cases.jsonl'} is not usable: {broken.reason}."
            )
        return cls(path, configuration, [c for c in cases if isinstance(c, Case)], journal)

    @classmethod
    def _resume(
        cls,
        path: Path,
        configuration: Configuration,
        cases: Sequence[Case],
        journal: Path | None,
    ) -> RunFolder:
        found = cls.open(path, journal)
        differences = found.configuration.differences(configuration)
        if not differences and found.cases != tuple(cases):
            differences = ["the cases are not the same"]
        if differences:
            raise UsageError(
                f"The folder {path} holds another run: {'; '.join(differences)}.",
                hint="Give another --to FOLDER, or the options of that run.",
            )
        return found

    @property
    def records(self) -> tuple[Record, ...]:
        """Those of the cases that are done, in the order of the cases."""
        return tuple(self._records[case.id] for case in self.cases if case.id in self._records)

    @property
    def todo(self) -> tuple[Case, ...]:
        """The cases that are not done."""
        return tuple(case for case in self.cases if case.id not in self._records)

    def add(self, record: Record) -> None:
        """Keep a record; it is on the disk when this returns.

        Raises:
            StorageError: it cannot be written.
        """
        append_line(self.path / "records.jsonl", record.to_json())
        self._records[record.id] = record

    @contextmanager
    def held(self) -> Iterator[None]:
        """Keep other processes from working on the run.

        Raises:
            UsageError: another one does.
        """
        with (self.path / "lock").open("w") as stream:
            try:
                fcntl.flock(stream, fcntl.LOCK_EX | fcntl.LOCK_NB)
            except OSError as error:
                raise UsageError(
                    f"Another process works on the run in {self.path}.",
                    hint="Wait for it, or give another --to FOLDER.",
                ) from error
            yield

    def _read_records(self) -> Iterator[Record]:
        for line in whole_lines(self.path / "records.jsonl"):
            try:
                yield Record.from_json(line)
            except ValueError as error:
                raise UsageError(f"{self.path / 'records.jsonl'}: {error}.") from error


def _write(path: Path, text: str) -> None:
    """A whole file or none."""
    draft: Any = path.with_suffix(".part")
    with draft.open("w", encoding="utf-8") as stream:
        stream.write(text)
        stream.flush()
        os.fsync(stream.fileno())
    draft.replace(path)
