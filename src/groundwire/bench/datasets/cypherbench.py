"""CypherBench (Feng et al., ACL 2025, arXiv 2412.18702): questions over graphs made of Wikidata.

Published as `test.json` (7 graphs, 2,348 questions) and `train.json` (4 graphs), each a list of
`{"qid", "graph", "gold_cypher", "nl_question", "from_template": {"match_category",
"return_pattern_id", …}}`, beside the graphs as `graphs/simplekg/GRAPH_simplekg.json`. The other
form is JSON lines of `{"idx", "graph", "question", "gold_cypher"}`.
"""

from __future__ import annotations

from collections.abc import Mapping

from groundwire.bench.case import Case
from groundwire.bench.datasets.dataset import FromFiles, make_case
from groundwire.bench.datasets.files import Record

__all__ = ["CYPHERBENCH"]


def _case(record: Record) -> Case:
    template = record.fields.get("from_template")
    shapes = template if isinstance(template, Mapping) else {}
    return make_case(
        id=record.identity("qid", "idx"),
        database=record.text("graph"),
        language="cypher",
        question=record.text("nl_question", "question"),
        queries=(record.optional("gold_cypher"),),
        tags=tuple(str(shapes.get(key, "")) for key in ("match_category", "return_pattern_id")),
    )


CYPHERBENCH = FromFiles(
    name="cypherbench",
    title="CypherBench",
    language="cypher",
    needs="test.json, or another split given as a file",
    source="https://huggingface.co/datasets/megagonlabs/cypherbench",
    licence="Apache-2.0",
    read=_case,
    files=("test.json", "test.jsonl", "test.jsonl.gz"),
    prepared="graphs/simplekg/GRAPH_simplekg.json is loaded into a graph database",
)
