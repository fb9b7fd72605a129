"""Secrets taken out of what is stored or shown.

In a module of its own, because its patterns take longer to compile than the rest of the import.
"""

from __future__ import annotations

import os
import re

__all__ = ["masked", "names_secret"]

_MASK = "***"
# Lengths are bounded so that a long text is read in linear time.
_URL_PASSWORD = re.compile(r"""\b([a-zA-Z][\w+.-]{0,30}://[^\s:/@"'<>]{0,200}):[^\s"'<>]{0,200}@""")
_SECRET_NAME = (
    r"(?:password|passwd|pwd|secret|(?:api|access|private)[_-]?key"
    r"|(?:auth|access)[_-]?token|authorization)"
)
_ASSIGNMENT = re.compile(
    rf"""({_SECRET_NAME}["']?\s*[=:]\s*(?:bearer\s+|basic\s+)?)"""
    r"""(?:'[^']*'|"[^"]*"|[^\s&,;"'})]+)""",
    re.IGNORECASE,
)
_KEY = re.compile(
    r"\b(?:sk|pk|gsk|xai|hf|ghp)[-_][A-Za-z0-9_-]{12,}|\bbearer\s+[\w.~+/-]{12,}=*", re.I
)
_SECRET_KEY = re.compile(rf"(?:^|[_-]){_SECRET_NAME}$|^token$", re.IGNORECASE)
_SECRET_VARIABLE = re.compile(r"(?:_KEY|_TOKEN|_SECRET)$")


def masked(text: str) -> str:
    """A text without secrets: URL passwords, `password=…`, API keys, secret variables' values."""
    for name, value in os.environ.items():
        if len(value) >= 16 and _SECRET_VARIABLE.search(name):
            text = text.replace(value, _MASK)
    text = _URL_PASSWORD.sub(rf"\1:{_MASK}@", text)
    text = _ASSIGNMENT.sub(rf"\1{_MASK}", text)
    return _KEY.sub(_MASK, text)


def names_secret(key: str) -> bool:
    """A key of that name holds a secret."""
    return _SECRET_KEY.search(key) is not None
