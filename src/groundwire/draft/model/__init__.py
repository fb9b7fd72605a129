"""The model edge: any chat model, asked well and survived.

model = open_model("openai:gpt-4o-mini")
reply = await model.complete([Message("user", "Hello")])
"""

from groundwire.draft.model.base import Model
from groundwire.draft.model.drafter import ModelDrafter
from groundwire.draft.model.faults import ContextOverflow
from groundwire.draft.model.opening import open_model
from groundwire.draft.model.reply import (
    Attempt,
    Call,
    Ledger,
    Message,
    Reply,
    StreamEvent,
    estimate_tokens,
)
from groundwire.draft.model.scripted import ScriptedModel
from groundwire.draft.model.settings import ModelSettings

__all__ = [
    "Attempt",
    "Call",
    "ContextOverflow",
    "Ledger",
    "Message",
    "Model",
    "ModelDrafter",
    "ModelSettings",
    "Reply",
    "ScriptedModel",
    "StreamEvent",
    "estimate_tokens",
    "open_model",
]
