"""The public surface: `__all__` is complete, sorted and importable, everything has a docstring."""

from __future__ import annotations

import importlib
import inspect
import pkgutil

import pytest

import groundwire

MODULES = [info.name for info in pkgutil.walk_packages(groundwire.__path__, "groundwire.")]


def test_all_of_groundwire_is_what_its_namespace_shows() -> None:
    shown = {
        name
        for name, value in vars(groundwire).items()
        if not name.startswith("_") and not inspect.ismodule(value)
    }
    assert set(groundwire.__all__) == shown


@pytest.mark.parametrize("name", ["groundwire", *MODULES])
def test_names_in_all_exist_and_are_documented(name: str) -> None:
    if name.endswith("__main__"):
        return
    module = importlib.import_module(name)
    assert module.__doc__ or not module.__all__, f"{name} has no docstring"
    for member in getattr(module, "__all__", ()):
        value = getattr(module, member)
        if inspect.isclass(value) or inspect.isfunction(value):
            assert inspect.getdoc(value), f"{name}.{member} has no docstring"


@pytest.mark.parametrize("name", ["groundwire", *MODULES])
def test_all_is_sorted(name: str) -> None:
    module = importlib.import_module(name)
    names = list(getattr(module, "__all__", ()))
    assert names == sorted(names, key=_isort_key), name


def _isort_key(name: str) -> tuple[int, str]:
    """Constants, then classes, then the rest, as `ruff` (RUF022) sorts them."""
    kind = 0 if name.isupper() else 1 if name[:1].isupper() else 2
    return kind, name
