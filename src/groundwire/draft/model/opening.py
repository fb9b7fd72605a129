"""`provider:name` to a Model, through LangChain's chat models."""

from __future__ import annotations

import os
import re
from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import cache
from importlib import import_module
from itertools import count
from typing import TYPE_CHECKING, Any

from groundwire.draft.model.base import Model
from groundwire.draft.model.chat import ChatModel
from groundwire.draft.model.reply import Method
from groundwire.draft.model.settings import ModelSettings
from groundwire.errors import DriverMissing, OperatorError, UsageError

if TYPE_CHECKING:
    import ssl

    from langchain_core.language_models import BaseChatModel

__all__ = [
    "PROVIDERS",
    "Specification",
    "api_key",
    "certificates",
    "faults_of",
    "open_model",
    "read_specification",
    "require_packages",
]

_REPLY_TOKENS = 4096


@dataclass(frozen=True, slots=True)
class Provider:
    """What differs between providers. `errors` are the packages whose exceptions it raises."""

    package: str
    key_variable: str
    methods: tuple[Method, ...]
    errors: tuple[str, ...]
    options: Callable[[ModelSettings], dict[str, Any]]


@dataclass(frozen=True, slots=True)
class Specification:
    """The parts of `provider:name@URL`."""

    provider: str
    name: str
    url: str = ""


def read_specification(text: str) -> Specification:
    """Read `provider:name`, `provider/name` or either with `@http://host:port/v1` behind it.

    Raises:
        UsageError: an unknown provider, or a part is missing.
    """
    body, url = text.strip(), ""
    match = re.search(r"@(https?://\S+)$", body)
    if match:
        body, url = body[: match.start()], match[1]
    provider, separator, name = _split(body)
    if not separator or not name:
        raise UsageError(
            f"The model {text!r} is not named as provider:name.",
            hint="Examples: openai:gpt-4o-mini, ollama:qwen2.5-coder:7b, "
            "openai:NAME@http://localhost:8080/v1.",
        )
    if provider not in PROVIDERS:
        raise UsageError(
            f"The provider {provider!r} is not known.",
            hint=f"Providers: {', '.join(PROVIDERS)}. Any OpenAI-compatible server: "
            "openai:NAME@http://host:port/v1.",
        )
    return Specification(provider, name, url)


def open_model(specification: str, settings: ModelSettings | None = None) -> Model:
    """A model by name: `openai:gpt-4o-mini`, `ollama/llama3.2`, `openai:NAME@http://host/v1`.

    Nothing is asked of the server yet.

    Args:
        specification: provider and name, a URL behind `@` counts before `settings.url`.
        settings: None = from the environment.

    Raises:
        UsageError: the name cannot be read.
        DriverMissing: the extra of the provider is not installed.
        OperatorError: no API key is there for the provider's own server.
    """
    wanted = read_specification(specification)
    settings = ModelSettings.from_environment() if settings is None else settings
    if wanted.url:
        settings = replace(settings, url=wanted.url)
    provider = PROVIDERS[wanted.provider]
    require_packages(wanted.provider)
    key = api_key(wanted.provider, settings)
    name = f"{wanted.provider}:{wanted.name}"

    def build(with_temperature: bool) -> BaseChatModel:
        return _build(wanted, provider, settings, key, with_temperature)

    faults = faults_of(wanted.provider)
    return ChatModel(name, settings, build, methods=provider.methods, faults=faults)


def _split(body: str) -> tuple[str, str, str]:
    found = re.match(r"([A-Za-z_]+)([:/])(.*)$", body)
    return (found[1].lower(), found[2], found[3].strip()) if found else (body, "", "")


def require_packages(provider_name: str) -> None:
    """See that the extra of a provider is installed.

    Raises:
        DriverMissing: it is not.
    """
    for package in ("langchain.chat_models", PROVIDERS[provider_name].package):
        try:
            import_module(package)
        except ImportError as error:
            raise DriverMissing(
                f"The package for {provider_name} models is not installed ({error}).",
                hint=f"Install it: pip install 'groundwire[{provider_name}]'",
            ) from error


def api_key(provider_name: str, settings: ModelSettings) -> str:
    """The key to send; a server at a URL of one's own often wants none, but some text.

    Raises:
        OperatorError: there is none for the provider's own server.
    """
    provider = PROVIDERS[provider_name]
    key = settings.api_key or os.environ.get(provider.key_variable, "")
    if key or not provider.key_variable:
        return key
    if settings.url or os.environ.get("OPENAI_BASE_URL"):
        return "none"
    raise OperatorError(
        f"There is no API key for {provider_name}.",
        hint=f"Set {provider.key_variable}, or name a server of your own: "
        f"{provider_name}:NAME@http://host:port/v1.",
        code="API_KEY_MISSING",
    )


def _build(
    wanted: Specification,
    provider: Provider,
    settings: ModelSettings,
    key: str,
    with_temperature: bool,
) -> BaseChatModel:
    from langchain.chat_models import init_chat_model

    options = provider.options(settings)
    if settings.url:
        options["base_url"] = settings.url
    if key:
        options["api_key"] = key
    if with_temperature:
        options["temperature"] = settings.temperature
    model: BaseChatModel = init_chat_model(wanted.name, model_provider=wanted.provider, **options)
    return model


def faults_of(provider_name: str) -> tuple[type[BaseException], ...]:
    """What a failed request may raise: the packages' own errors, and what a malformed envelope
    makes LangChain stumble over (it reads replies without checking their shape)."""
    from langchain_core.exceptions import LangChainException

    named = []
    for path in PROVIDERS[provider_name].errors:
        module, _, name = path.rpartition(".")
        named.append(getattr(import_module(module), name))
    return (
        LangChainException,
        *named,
        OSError,
        TimeoutError,
        ValueError,
        LookupError,
        TypeError,
        AttributeError,
    )


def _openai_options(settings: ModelSettings) -> dict[str, Any]:
    import openai

    # Clients of our own: LangChain shares its default one between event loops, and each would
    # read the certificates again.
    timeout = openai.Timeout(settings.read_timeout, connect=settings.connect_timeout)
    return {
        "max_retries": 0,
        "timeout": timeout,
        "http_client": openai.DefaultHttpxClient(verify=certificates()),
        "http_async_client": openai.DefaultAsyncHttpxClient(verify=certificates()),
    }


@cache
def certificates() -> ssl.SSLContext:
    """The certificates that OpenAI's client trusts, read once."""
    import openai

    # The SDK's client is a subclass of its HTTP library's: httpx before openai 3, httpx2 since.
    library = openai.DefaultAsyncHttpxClient.__bases__[0].__module__
    context: ssl.SSLContext = import_module(library).create_ssl_context()
    return context


_loops = count()


def _anthropic_options(settings: ModelSettings) -> dict[str, Any]:
    # LangChain shares one HTTP client between chat models with equal time-outs, across event loops
    # too, where its open connections are of no use: a microsecond more keeps them apart.
    return {"max_retries": 0, "timeout": settings.read_timeout + next(_loops) * 1e-6}


def _groq_options(settings: ModelSettings) -> dict[str, Any]:
    groq = import_module("groq")
    timeout = groq.Timeout(settings.read_timeout, connect=settings.connect_timeout)
    client = groq.DefaultAsyncHttpxClient()
    return {"max_retries": 0, "timeout": timeout, "http_async_client": client}


def _ollama_options(settings: ModelSettings) -> dict[str, Any]:
    import httpx

    timeout = httpx.Timeout(settings.read_timeout, connect=settings.connect_timeout)
    # Ollama cuts a prompt silently at its context length, which is small unless it is set.
    context = settings.prompt_tokens + _REPLY_TOKENS
    return {"client_kwargs": {"timeout": timeout}, "num_ctx": context}


PROVIDERS: dict[str, Provider] = {
    "openai": Provider(
        "langchain_openai",
        "OPENAI_API_KEY",
        ("json_schema", "function_calling", "json_mode", "text"),
        ("openai.OpenAIError",),
        _openai_options,
    ),
    "anthropic": Provider(
        "langchain_anthropic",
        "ANTHROPIC_API_KEY",
        ("json_schema", "function_calling", "text"),
        ("anthropic.AnthropicError",),
        _anthropic_options,
    ),
    "groq": Provider(
        "langchain_groq",
        "GROQ_API_KEY",
        ("json_schema", "function_calling", "json_mode", "text"),
        ("groq.GroqError",),
        _groq_options,
    ),
    "ollama": Provider(
        "langchain_ollama",
        "",
        ("json_schema", "json_mode", "text"),
        ("ollama.RequestError", "ollama.ResponseError", "httpx.HTTPError"),
        _ollama_options,
    ),
}
