"""A synthetic data set in the portal's format: `generate`."""

from __future__ import annotations

from groundwire.packs.chicago.synthetic.generator import Generated, generate

__all__ = ["Generated", "generate"]
