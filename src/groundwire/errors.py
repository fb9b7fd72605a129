"""Everything that can go wrong, split by who must act next.

    GroundwireError                 code, message, hint, who
    ├── AskerError                  who = "asker": ask or call differently
    │   ├── QuestionError           the question is empty, too long or not text
    │   ├── UsageError              a wrong URL, file, option or argument
    │   └── NotUnderstood           the offline drafter declines, and says what it did understand
    ├── ModelError                  who = "model": the draft is wrong, another one may be right
    │   ├── DraftError              no usable statement in the reply of a model
    │   └── QueryError              the database refused or failed the statement
    │       ├── UnknownName         a table, column, label or function does not exist
    │       ├── ReadOnlyError       the statement is not a single read
    │       └── QueryTimeout        the time limit of a query passed
    ├── OperatorError               who = "operator": the set-up has to change
    │   ├── DriverMissing           the extra that brings a driver is not installed
    │   ├── Unreachable             no database answers at the URL
    │   ├── AccessDenied            the database refuses the user or the password
    │   ├── ConnectionLost          the database went away in the middle
    │   ├── StorageError            a disk is full, a file is not writable or not a database
    │   ├── ModelUnavailable        the model's server does not answer in its budget
    │   └── QuotaExhausted          the model's account has nothing left to spend
    ├── Cancelled                   who = "asker": the person stopped it
    └── InternalError               who = "us": a defect of Groundwire

`code` is a stable upper-case word for programs, or the database's own code (an SQLSTATE, a
`Neo.ClientError…`) where it gave one. `message` says what happened, `hint` what can be done.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import ClassVar, Literal

__all__ = [
    "AccessDenied",
    "AskerError",
    "Cancelled",
    "ConnectionLost",
    "DraftError",
    "DriverMissing",
    "GroundwireError",
    "InternalError",
    "ModelError",
    "ModelUnavailable",
    "NotUnderstood",
    "OperatorError",
    "QueryError",
    "QueryTimeout",
    "QuestionError",
    "QuotaExhausted",
    "ReadOnlyError",
    "StorageError",
    "UnknownName",
    "Unreachable",
    "UsageError",
    "Who",
    "restore",
]

Who = Literal["asker", "model", "operator", "us"]


class GroundwireError(Exception):
    """The root: `message` says what happened, `hint` what to do, `who` has to do it."""

    who: ClassVar[Who] = "us"
    default_code: ClassVar[str] = "ERROR"

    def __init__(self, message: str, *, hint: str = "", code: str = "") -> None:
        super().__init__(message)
        self.message = message
        self.hint = hint
        self.code = code or self.default_code

    def __str__(self) -> str:
        return f"{self.message} {self.hint}".rstrip()

    def to_json(self) -> dict[str, str]:
        """The one JSON shape of an error: `{code, message, hint, who}`."""
        return {"code": self.code, "message": self.message, "hint": self.hint, "who": self.who}


def restore(described: Mapping[str, str]) -> GroundwireError:
    """An error from its JSON shape: of the branch that says who must act, with code and words."""
    branches: dict[str, type[GroundwireError]] = {
        "asker": AskerError,
        "model": ModelError,
        "operator": OperatorError,
    }
    kind = branches.get(described["who"], InternalError)
    return kind(described["message"], hint=described["hint"], code=described["code"])


class AskerError(GroundwireError):
    """The person who asks or calls has to change something."""

    who = "asker"
    default_code = "ASKER"


class QuestionError(AskerError):
    """The question is empty, too long or not text."""

    default_code = "BAD_QUESTION"


class UsageError(AskerError):
    """A URL, a file, an option or an argument is wrong."""

    default_code = "USAGE"


class NotUnderstood(AskerError):
    """The offline drafter declines; the message says what it did and did not understand."""

    default_code = "NOT_UNDERSTOOD"


class ModelError(GroundwireError):
    """The draft is wrong; another draft may be right."""

    who = "model"
    default_code = "MODEL"


class DraftError(ModelError):
    """A model's reply holds no usable statement."""

    default_code = "NO_DRAFT"


class QueryError(ModelError):
    """The database refused the statement or failed to run it."""

    default_code = "QUERY_FAILED"


class UnknownName(QueryError):
    """A table, column, label, property or function that does not exist."""

    default_code = "UNKNOWN_NAME"


class ReadOnlyError(QueryError):
    """The text is not one statement that only reads."""

    default_code = "NOT_READ_ONLY"


class QueryTimeout(QueryError):
    """The server stopped the query at its time limit."""

    default_code = "TIMEOUT"


class OperatorError(GroundwireError):
    """The person who runs the set-up has to change it."""

    who = "operator"
    default_code = "OPERATOR"


class DriverMissing(OperatorError):
    """A database driver or another optional package is not installed."""

    default_code = "DRIVER_MISSING"


class Unreachable(OperatorError):
    """No database answers at the URL."""

    default_code = "UNREACHABLE"


class AccessDenied(OperatorError):
    """The database refuses the user or the password."""

    default_code = "ACCESS_DENIED"


class ConnectionLost(OperatorError):
    """The database went away while it was being used."""

    default_code = "CONNECTION_LOST"


class StorageError(OperatorError):
    """A disk is full, or a file cannot be read, written or understood."""

    default_code = "STORAGE"


class ModelUnavailable(OperatorError):
    """The model's server gave no usable answer within its budget."""

    default_code = "MODEL_UNAVAILABLE"


class QuotaExhausted(OperatorError):
    """The model's account has nothing left to spend; waiting does not help."""

    default_code = "QUOTA_EXHAUSTED"


class Cancelled(GroundwireError):
    """The person stopped the work."""

    who = "asker"
    default_code = "CANCELLED"


class InternalError(GroundwireError):
    """A defect of Groundwire itself."""

    default_code = "INTERNAL"
