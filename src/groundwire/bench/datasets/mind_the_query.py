"""Mind the Query (Chauhan et al., EMNLP 2025): Cypher by a model, checked by programs and people.

Published as lists in `Automated_Validated_Datasets/GRAPH/CATEGORY_all_passed.json` (an older form
has `All_passed/CATEGORY_value_passed.json`), each entry with "NL Question", "Cypher",
"source_dataset", "original_file" and "unique_id"; in `Manually_Validated_Datasets` also with
"logical [0/1]", a person's verdict. The other form is JSON lines of `{"id", "db", "category",
"question", "cypher"}`, with "logical" and "reason" where people judged.

The graphs are Neo4j's examples: https://github.com/neo4j-graph-examples.
"""

from __future__ import annotations

from groundwire.bench.case import Case
from groundwire.bench.datasets.dataset import FromFiles, make_case
from groundwire.bench.datasets.files import Record, Unusable

__all__ = ["MIND_THE_QUERY"]

REASON = "reason/observation [reason for why the query was not logical or was incorrect]"


def _case(record: Record) -> Case:
    verdict = record.optional("logical [0/1]", "logical")
    if verdict == "0":
        reason = record.optional(REASON, "reason")
        raise Unusable(
            "a person judged its gold wrong" + (f": {reason}" if reason else ""), "judged_wrong"
        )
    return make_case(
        id=record.identity("unique_id", "id"),
        database=record.text("source_dataset", "db"),
        language="cypher",
        question=record.text("NL Question", "question"),
        queries=(record.optional("Cypher", "cypher"),),
        tier=record.optional("original_file", "category").removesuffix(".json"),
        tags=("judged right",) if verdict == "1" else (),
    )


MIND_THE_QUERY = FromFiles(
    name="mind-the-query",
    title="Mind the Query",
    language="cypher",
    needs="Automated_Validated_Datasets/GRAPH/CATEGORY_all_passed.json",
    source="https://github.com/endeavorXx/Mind-the-Query",
    licence="Apache-2.0",
    read=_case,
    files=(
        "Automated_Validated_Datasets/*/*_all_passed.json",
        "Automated_Validated_Datasets/*/All_passed/*_passed.json",
        "auto_validated_passed.jsonl*",
    ),
    prepared="GRAPH/nodes and GRAPH/relationships are loaded into a graph database",
)
