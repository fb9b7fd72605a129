"""Names of models, keys and settings."""

from __future__ import annotations

import builtins
import subprocess
import sys
from typing import Any

import pytest

from groundwire.draft.model import ModelSettings, open_model
from groundwire.draft.model.opening import PROVIDERS, Specification, read_specification
from groundwire.errors import DriverMissing, OperatorError, UsageError

URL = "http://localhost:8080/v1"


@pytest.mark.parametrize(
    ("text", "provider", "name", "url"),
    [
        ("openai:gpt-4o-mini", "openai", "gpt-4o-mini", ""),
        ("openai/gpt-4o-mini", "openai", "gpt-4o-mini", ""),
        (" OpenAI:gpt-4o-mini ", "openai", "gpt-4o-mini", ""),
        ("ollama:qwen2.5-coder:1.5b", "ollama", "qwen2.5-coder:1.5b", ""),
        ("ollama/qwen2.5-coder:1.5b", "ollama", "qwen2.5-coder:1.5b", ""),
        ("openai:Qwen/Qwen2.5-7B@http://localhost:8080/v1", "openai", "Qwen/Qwen2.5-7B", URL),
        ("openai:@cf/meta/llama@http://localhost:8080/v1", "openai", "@cf/meta/llama", URL),
        ("anthropic:claude-x", "anthropic", "claude-x", ""),
        ("groq:llama-3.3", "groq", "llama-3.3", ""),
    ],
)
def test_a_model_is_named_by_provider_and_name(
    text: str, provider: str, name: str, url: str
) -> None:
    assert read_specification(text) == Specification(provider, name, url)


@pytest.mark.parametrize("text", ["", "gpt-4o", "openai:", "openai", URL, ":x", "wat:x"])
def test_any_other_name_is_a_usage_error_that_says_how(text: str) -> None:
    with pytest.raises(UsageError) as caught:
        read_specification(text)
    assert "openai" in caught.value.hint


def test_a_missing_key_is_said_in_words(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("OPENAI_API_KEY", raising=False)
    monkeypatch.delenv("OPENAI_BASE_URL", raising=False)
    with pytest.raises(OperatorError, match="no API key for openai") as caught:
        open_model("openai:gpt-4o-mini", ModelSettings())
    assert "OPENAI_API_KEY" in caught.value.hint


def test_a_server_of_ones_own_needs_no_key(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("OPENAI_API_KEY", raising=False)
    assert open_model(f"openai:x@{URL}", ModelSettings()).name == "openai:x"
    assert open_model("openai:x", ModelSettings(url=URL)).settings.url == URL


def test_the_url_may_come_from_the_environment(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("GROUNDWIRE_MODEL_URL", URL)
    assert open_model("openai:x").settings.url == URL


@pytest.mark.parametrize("provider", sorted(PROVIDERS))
def test_a_missing_package_names_the_extra(provider: str, monkeypatch: pytest.MonkeyPatch) -> None:
    real = builtins.__import__
    package = PROVIDERS[provider].package

    def fail(name: str, *args: Any, **kwargs: Any) -> Any:
        if name.partition(".")[0] == package:
            raise ImportError(f"No module named {name!r}")
        return real(name, *args, **kwargs)

    for name in [name for name in sys.modules if name.partition(".")[0] == package]:
        monkeypatch.delitem(sys.modules, name)
    monkeypatch.setitem(sys.modules, package, None)
    monkeypatch.setattr(builtins, "__import__", fail)
    with pytest.raises(DriverMissing) as caught:
        open_model(f"{provider}:x", ModelSettings(api_key="k"))
    assert f"pip install 'groundwire[{provider}]'" in caught.value.hint


def test_settings_come_from_the_environment() -> None:
    environment = {
        "GROUNDWIRE_MODEL_RETRIES": "4",
        "GROUNDWIRE_MODEL_READ_TIMEOUT": "7.5",
        "GROUNDWIRE_MODEL_PRICE_IN": "0.15",
        "GROUNDWIRE_MODEL_URL": URL,
    }
    settings = ModelSettings.from_environment(environment)
    assert (settings.retries, settings.read_timeout, settings.price_in) == (4, 7.5, 0.15)
    assert settings.url == URL


def test_a_setting_that_is_no_number_is_a_usage_error() -> None:
    with pytest.raises(UsageError, match="retries"):
        ModelSettings.from_environment({"GROUNDWIRE_MODEL_RETRIES": "many"})


def test_every_setting_has_a_sentence() -> None:
    assert all(sentence.endswith(".") for _, _, sentence in ModelSettings.describe())


def test_a_key_does_not_show_in_the_settings() -> None:
    assert "secret-key" not in repr(ModelSettings(api_key="secret-key"))


def test_importing_the_edge_loads_no_provider() -> None:
    code = (
        "import sys, groundwire.draft.model;"
        "sys.exit(bool({'langchain', 'langchain_core', 'openai'} & set(sys.modules)))"
    )
    assert subprocess.run([sys.executable, "-c", code], check=False).returncode == 0
