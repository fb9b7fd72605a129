"""The offline drafter for graphs: no model, every word accounted for, or a decline.

`lexicon` and `verbs` say what the graph's names are called in English, `values` finds stored
values, `reader` and what it imports make plans of a question, `write_cypher` writes them.
"""

from __future__ import annotations

from groundwire.draft.offline_graph.drafter import OfflineGraphDrafter

__all__ = ["OfflineGraphDrafter"]
