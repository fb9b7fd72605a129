"""How long a process takes to be ready: the import, and the command line's help.

Aims: `import groundwire` under 0.2 s, `groundwire --help` under 0.4 s.
"""

from __future__ import annotations

import resource
import statistics
import subprocess
import sys
import time

RUNS = 15
COMMANDS = {
    "python alone": [sys.executable, "-c", "pass"],
    "import groundwire": [sys.executable, "-c", "import groundwire"],
    "groundwire --help": [
        sys.executable,
        "-c",
        "import sys; sys.argv = ['groundwire', '--help']; from groundwire.cli import main; main()",
    ],
}


def main() -> None:
    """Print wall and CPU seconds of each command: median and least of the runs."""
    for name, command in COMMANDS.items():
        walls, processor = [], []
        for _ in range(RUNS):
            before = resource.getrusage(resource.RUSAGE_CHILDREN)
            started = time.perf_counter()
            subprocess.run(command, check=True, stdout=subprocess.DEVNULL)
            walls.append(time.perf_counter() - started)
            after = resource.getrusage(resource.RUSAGE_CHILDREN)
            processor.append(after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime)
        print(
            f"{name}: wall {statistics.median(walls):.3f} s (least {min(walls):.3f}),"
            f" CPU {statistics.median(processor):.3f} s (least {min(processor):.3f})"
        )


if __name__ == "__main__":
    main()
