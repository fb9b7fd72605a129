"""A database is a URL. This module reads one, and masks its password for every message.

The path of a file stands after the third slash, as SQLAlchemy has it:

    duckdb:///crimes.duckdb        a file beside the working directory
    duckdb:////srv/crimes.duckdb   an absolute path
    duckdb:///~/crimes.duckdb      a file in the home directory
    duckdb://                      an empty database in memory

Percent escapes in a path are decoded (`%20` is a blank). Server URLs go to their driver as
they are.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from pathlib import Path
from urllib.parse import unquote

from groundwire.errors import StorageError, UsageError

__all__ = ["DatabaseUrl", "mask", "parse"]

HOSTS = re.compile(r"[^:,]*(:\d*)?(,[^:,]*(:\d*)?)*")
SECRET_OPTION = re.compile(r"([?&][^=&]*(?:password|secret|token)[^=&]*=)[^&]*", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class DatabaseUrl:
    """`scheme` in lower case, `rest` = all behind `://`, `text` = the whole as it was given."""

    scheme: str
    rest: str
    text: str

    @property
    def masked(self) -> str:
        """The URL without its password; safe to print."""
        return mask(self.text)

    def check_password(self) -> None:
        """Refuse a password that drivers would read as a part of the host.

        Raises:
            UsageError: it holds `@`, `/` or `?`.
        """
        password = _password(self.rest)
        if password is not None and set(self.rest[password]) & set("@/?"):
            raise UsageError(
                f"The password in {self.masked} holds a character that ends it.",
                hint="Escape it: %40 for @, %2F for /, %3F for ?.",
            )

    def path(self) -> Path | None:
        """The file that the URL names; None = in memory.

        Raises:
            UsageError: a host stands where a third slash must.
        """
        if self.rest in ("", "/", "/:memory:"):
            return None
        if not self.rest.startswith("/"):
            raise UsageError(
                f"The URL {self.masked} names no file.",
                hint=f"Write three slashes: {self.scheme}:///{self.rest}",
            )
        return Path(unquote(self.rest[1:])).expanduser()

    def existing_file(self) -> Path | None:
        """As `path`, of a file that exists and may be read.

        Raises:
            StorageError: there is no such file, or it may not be read.
        """
        path = self.path()
        if path is None:
            return None
        if not path.is_file():
            what = "is a folder" if path.is_dir() else "does not exist"
            raise StorageError(
                f"The file {path} {what}.",
                hint="Check the path: three slashes are relative to the working directory, "
                f"four absolute ({self.scheme}:////srv/data/file).",
            )
        try:
            path.open("rb").close()
        except OSError as error:
            raise StorageError(
                f"The file {path} cannot be read: {error.strerror}.",
                hint="Give the user that runs Groundwire the right to read it.",
            ) from error
        return path


def parse(text: str) -> DatabaseUrl:
    """Split a database URL.

    Raises:
        UsageError: it has no `scheme://`.
    """
    text = text.strip()
    scheme, separator, rest = text.partition("://")
    if not separator or not scheme:
        raise UsageError(
            f"{mask(text)!r} is not a database URL.",
            hint="A database is a URL such as duckdb:///crimes.duckdb, sqlite:///file.db or "
            "postgresql://user@host/database.",
        )
    return DatabaseUrl(scheme.lower(), rest, text)


def mask(url: str) -> str:
    """The URL with `***` for its password, also when the password is not escaped as it should."""
    scheme, separator, rest = url.partition("://")
    if not separator:
        return url
    password = _password(rest)
    if password is not None:
        rest = f"{rest[: password.start]}***{rest[password.stop :]}"
    return scheme + separator + SECRET_OPTION.sub(r"\1***", rest)


def _password(rest: str) -> slice | None:
    """Where the password stands in what is behind `://`."""
    if rest.startswith("/"):
        return None
    before_options = rest.partition("?")[0]
    authority = before_options.partition("/")[0]
    if "@" not in authority and HOSTS.fullmatch(authority):
        authority = before_options  # `host:123/4@5` may be the password 123/4, to be safe
    elif "@" not in authority:
        authority = rest  # what follows a colon is no port: a password with / or ? in it
    user_info, at, _ = authority.rpartition("@")
    user, colon, _ = user_info.partition(":")
    return slice(len(user) + 1, len(user_info)) if at and colon else None
