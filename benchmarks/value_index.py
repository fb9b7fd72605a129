"""How long a look-up takes in a column with a million different values, and what the index costs.

The values are made-up names of one to three words, half of them with a number. The kinds of
look-up: a value as stored, one in another case, with one and with two typing slips, without its
last word, and words from two values. `found`: the share of look-ups that bring the value which the
text was made from.
"""

from __future__ import annotations

import random
import statistics
import time
from collections.abc import Callable

from groundwire.database.value_index import ColumnValues

SIZES = (20_000, 1_000_000)
LOOK_UPS = 500
LETTERS = "bcdfghjklmnprstvw"


def main() -> None:
    """Print the time to build and the times of each kind of look-up."""
    for size in SIZES:
        values = names(size)
        started = time.perf_counter()
        index = ColumnValues(values)
        built = time.perf_counter() - started
        print(f"{len(index):,} values: built in {built:.1f} s")
        for kind, change in KINDS.items():
            rest = random.Random(size)
            pairs = [rest.choices(values, k=2) for _ in range(LOOK_UPS)]
            texts = [(value, change(value, other, rest)) for value, other in pairs]
            taken = [seconds(index, text) for _, text in texts]
            wall, processor = (sorted(of_kind) for of_kind in zip(*taken, strict=True))
            found = sum(is_found(index, value, text) for value, text in texts) / LOOK_UPS
            print(
                f"  {kind:<13} wall median {statistics.median(wall) * 1000:6.2f} ms; processor "
                f"median {statistics.median(processor) * 1000:6.2f} ms, 95 % "
                f"{processor[int(0.95 * LOOK_UPS)] * 1000:6.2f} ms, worst "
                f"{processor[-1] * 1000:6.2f} ms; found {found:.0%}"
            )


def names(size: int) -> list[str]:
    """Made-up names, all different, the same ones each time."""
    rest = random.Random(1)
    syllables = [c + v for c in [*LETTERS, "br", "ch", "st", "tr"] for v in (*"aeiou", "ar", "en")]
    words = ["".join(rest.choices(syllables, k=rest.randint(2, 4))).title() for _ in range(8_000)]
    found: dict[str, None] = {}
    while len(found) < size:
        name = " ".join(rest.choices(words, k=rest.randint(1, 3)))
        found[f"{name} {rest.randrange(1000)}" if rest.random() < 0.5 else name] = None
    return list(found)


def slip(value: str, rest: random.Random) -> str:
    """A value with one letter typed wrong."""
    place = rest.randrange(1, len(value))
    return value[:place] + rest.choice(LETTERS) + value[place + 1 :]


KINDS: dict[str, Callable[[str, str, random.Random], str]] = {
    "as stored": lambda value, other, rest: value,
    "other case": lambda value, other, rest: value.upper(),
    "one slip": lambda value, other, rest: slip(value, rest),
    "two slips": lambda value, other, rest: slip(slip(value, rest), rest),
    "word left out": lambda value, other, rest: value.rpartition(" ")[0] or value,
    "mixed words": lambda value, other, rest: f"{value.split()[0]} {other.split()[-1]}",
}


def is_found(index: ColumnValues, value: str, text: str) -> bool:
    """The value is among those that are found for the text."""
    found = index.look_up(text)
    return (found.stored and text == value) or value in (*found.same, *found.near, *found.like)


def seconds(index: ColumnValues, text: str) -> tuple[float, float]:
    """(wall time, time on the processor) of one look-up."""
    started, began = time.perf_counter(), time.thread_time()
    index.look_up(text)
    return time.perf_counter() - started, time.thread_time() - began


if __name__ == "__main__":
    main()
