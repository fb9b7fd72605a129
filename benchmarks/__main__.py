"""Run the benchmarks of this folder: each module with a `main()`, or the ones that are named."""

from __future__ import annotations

import pkgutil
import sys
from importlib import import_module
from pathlib import Path


def main(names: list[str]) -> None:
    """Run the named benchmarks, all of them where none is named."""
    known = sorted(module.name for module in pkgutil.iter_modules([str(Path(__file__).parent)]))
    unknown = set(names) - set(known)
    if unknown:
        sys.exit(f"No benchmark {', '.join(sorted(unknown))}. There are: {', '.join(known)}.")
    for name in names or known:
        run = getattr(import_module(f"benchmarks.{name}"), "main", None)
        if run is not None and name != "__main__":
            print(f"== {name}", flush=True)
            run()


if __name__ == "__main__":
    main(sys.argv[1:])
