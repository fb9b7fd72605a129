"""The offline drafter: no model, every word accounted for, or a decline.

The stages, each usable alone: `tokens` (words and numbers), `lexicon` (what the schema is called),
`mentions` (which words name something), `question` and what it imports (the grammar: words →
readings), `link` (readings → plans), `write_sql` (plan → text), `explain` (plan → sentences). What
comes before `write_sql` knows no query language.
"""

from __future__ import annotations

from groundwire.draft.offline.drafter import OfflineDrafter

__all__ = ["OfflineDrafter"]
