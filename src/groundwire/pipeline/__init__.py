"""The pipeline of one question: a LangGraph graph.

    rewrite → check_relevance → fetch_catalog → draft → validate → run → answer
                     ↓ a clear miss               ↓        ↓ invalid   ↓ error, or nothing found
                     └──────────────→ answer      └────→ repair ←──────┘  at most three times

The state and the nodes follow the SQL-agent paper (table 2). What can be measured again
(catalog, verdict, results) is never written into a checkpoint: a process that was killed
measures it anew. This package imports LangGraph, so it is imported when a question comes.
"""

from groundwire.pipeline.graph import answer_question, begin_work, build_graph, unanswered
from groundwire.pipeline.state import State, Work

__all__ = ["State", "Work", "answer_question", "begin_work", "build_graph", "unanswered"]
