"""A real Neo4j 5 Community server for the test session; the product needs none of this.

Its jars come from Maven Central by `pom.xml` and are kept in the user's cache folder. Neo4j
Community is GPLv3: it is run beside the tests, never linked or shipped.
"""

from __future__ import annotations

import os
import shutil
import socket
import subprocess
import tempfile
import threading
from dataclasses import dataclass
from pathlib import Path

HERE = Path(__file__).parent
VERSION = "5.26.12"
START_SECONDS = 180.0
HINT = "Debian: apt-get install openjdk-17-jdk-headless maven"


class Missing(Exception):
    """The server cannot be had on this machine, and what would help."""


@dataclass
class Neo4jServer:
    """A running server; `url` has no password in it."""

    process: subprocess.Popen[str]
    port: int
    folder: Path

    @property
    def url(self) -> str:
        return f"bolt://127.0.0.1:{self.port}"

    def stop(self) -> None:
        """End the server and remove its files."""
        assert self.process.stdin is not None
        self.process.stdin.close()
        try:
            self.process.wait(30)
        except subprocess.TimeoutExpired:
            self.process.kill()
            self.process.wait()
        shutil.rmtree(self.folder, ignore_errors=True)


def start(*, auth: bool) -> Neo4jServer:
    """Start a server with an empty database on a free port.

    Raises:
        Missing: there is no JDK 17, or its jars can neither be found nor fetched.
    """
    java = shutil.which("java")
    if java is None or shutil.which("javac") is None:
        raise Missing(f"Neo4j needs a JDK 17 or newer. {HINT}")
    jars = _jars()
    port = _free_port()
    folder = Path(tempfile.mkdtemp(prefix="groundwire-neo4j-"))
    options = ["-Xmx512m", "-XX:+UseSerialGC", "-XX:TieredStopAtLevel=1"]
    program = [str(HERE / "Neo4jServer.java"), str(folder), str(port), str(auth).lower()]
    with (folder / "server.log").open("w") as log:
        process = subprocess.Popen(
            [java, *options, "-cp", f"{jars}/*", *program],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=log,
            text=True,
            start_new_session=True,
        )
    server = Neo4jServer(process, port, folder)
    late = threading.Timer(START_SECONDS, process.kill)
    late.start()
    try:
        assert process.stdout is not None
        if not any(line.startswith("ready") for line in process.stdout):
            log_text = (folder / "server.log").read_text()[-2000:]
            server.stop()
            raise RuntimeError(f"Neo4j did not start within {START_SECONDS} s: {log_text}")
    finally:
        late.cancel()
    threading.Thread(target=process.stdout.read, daemon=True).start()
    return server


def _jars() -> Path:
    cache = Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache")
    jars = cache / "groundwire-tests" / f"neo4j-{VERSION}"
    if jars.is_dir():
        return jars
    maven = shutil.which("mvn")
    if maven is None:
        raise Missing(f"Maven is needed once to fetch Neo4j's jars. {HINT}")
    jars.parent.mkdir(parents=True, exist_ok=True)
    fresh = Path(tempfile.mkdtemp(dir=jars.parent))
    goal = ["dependency:copy-dependencies", f"-DoutputDirectory={fresh}", "-DincludeScope=runtime"]
    done = subprocess.run(
        [maven, "-q", "-B", "-f", str(HERE / "pom.xml"), *goal], capture_output=True, text=True
    )
    if done.returncode:
        shutil.rmtree(fresh)
        raise Missing(f"Maven could not fetch Neo4j's jars: {done.stdout.strip()[-500:]}")
    try:
        fresh.rename(jars)
    except OSError:  # another test process was faster
        shutil.rmtree(fresh)
    return jars


def _free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])
