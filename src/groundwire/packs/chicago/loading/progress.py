"""What the target remembers of a load: how far it is, and what was counted so far."""

from __future__ import annotations

import json
from collections import Counter
from dataclasses import dataclass, field

from groundwire.packs.chicago.loading.cleaning import Counts
from groundwire.packs.chicago.loading.source import Source
from groundwire.packs.chicago.loading.targets import Target

__all__ = ["Run", "begin"]

_COUNTED = {"new": "inserted", "newer": "updated", "same": "already_there"}


@dataclass
class Run:
    """One load of one file, as `CHICAGO_LOAD.LOADS` has it.

    `began_empty` says that CRIMES had no row before it: then an ID that is already there is one
    that the file repeats. `tally` counts records by their fate.
    """

    number: int
    next_byte: int
    next_line: int
    began_empty: bool
    resumed: bool = False
    tally: Counter[str] = field(default_factory=Counter)

    def count(self, counts: Counts, verdicts: list[tuple[str, bool, int]]) -> None:
        """Add one piece: its counts, and how many rows had each (verdict, repeated)."""
        self.tally["lines"] += counts.records
        self.tally["blank"] += counts.blank
        self.tally["duplicates"] += counts.repeated
        for verdict, repeated, rows in verdicts:
            self.tally["duplicates" if repeated else _COUNTED[verdict]] += rows

    def save(self, target: Target, next_byte: int, next_line: int) -> None:
        """Note how far the load is; to be called in the transaction of the piece itself."""
        self.next_byte, self.next_line = next_byte, next_line
        target.execute(
            """UPDATE CHICAGO_LOAD.LOADS SET NEXT_BYTE = ?, NEXT_LINE = ?, TALLY = ?
                WHERE LOAD_ID = ?""",
            next_byte,
            next_line,
            json.dumps({"began_empty": self.began_empty, **self.tally}),
            self.number,
        )


def begin(target: Target, source: Source) -> Run:
    """Go on with an unfinished load of the same, unchanged file, else begin a new one."""
    with target.transaction():
        unfinished = target.execute(
            """SELECT LOAD_ID, NEXT_BYTE, NEXT_LINE, TALLY FROM CHICAGO_LOAD.LOADS
                WHERE STATUS = 'loading' AND FINGERPRINT = ?""",
            source.fingerprint,
        )
        if unfinished:
            number, next_byte, next_line, text = unfinished[0]
            tally = json.loads(text)
            began_empty = tally.pop("began_empty")
            return Run(number, next_byte, next_line, began_empty, True, Counter(tally))
        return _begin_anew(target, source)


def _begin_anew(target: Target, source: Source) -> Run:
    """Other unfinished loads would no longer know which rows were theirs: they start over."""
    target.execute("UPDATE CHICAGO_LOAD.LOADS SET STATUS = 'given up' WHERE STATUS = 'loading'")
    target.execute("DELETE FROM CHICAGO_LOAD.SEEN")
    target.execute(
        """DELETE FROM CHICAGO_LOAD.REJECTED WHERE LOAD_ID IN
            (SELECT LOAD_ID FROM CHICAGO_LOAD.LOADS WHERE FILE = ?)""",
        str(source.path.resolve()),
    )
    ((last,),) = target.execute("SELECT coalesce(max(LOAD_ID), 0) FROM CHICAGO_LOAD.LOADS")
    began_empty = not target.execute("SELECT ID FROM CRIMES LIMIT 1")
    run = Run(int(last) + 1, source.first_byte, 2, began_empty)
    target.execute(
        "INSERT INTO CHICAGO_LOAD.LOADS VALUES (?, ?, ?, 'loading', 0, 0, '')",
        run.number,
        str(source.path.resolve()),
        source.fingerprint,
    )
    run.save(target, run.next_byte, run.next_line)
    return run
