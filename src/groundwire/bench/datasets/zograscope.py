"""ZOGRASCOPE (Cazzaro et al., arXiv 2503.05268): questions on pole, the Manchester crime graph.

Published as CSV with the columns id, nl, mr (the query), nl_gold_linked, nl_bracketed, entities,
num_nodes, template_id, type and return_count; `data/zograscope_test_v1.csv` is the test set, the
train and length splits are given as files. The graph is Neo4j's example `pole`.
"""

from __future__ import annotations

from groundwire.bench.case import Case
from groundwire.bench.datasets.dataset import FromFiles, make_case
from groundwire.bench.datasets.files import Record

__all__ = ["ZOGRASCOPE"]


def _case(record: Record) -> Case:
    nodes = record.optional("num_nodes")
    return make_case(
        id=record.identity("id"),
        database="pole",
        language="cypher",
        question=record.text("nl"),
        queries=(record.optional("mr"),),
        tier=f"{nodes} nodes" if nodes else "",
        tags=(record.optional("type"),),
    )


ZOGRASCOPE = FromFiles(
    name="zograscope",
    title="ZOGRASCOPE",
    language="cypher",
    needs="data/zograscope_test_v1.csv, or another split given as a file",
    source="https://github.com/interact-erc/ZOGRASCOPE",
    licence="CC-BY-4.0",
    read=_case,
    files=("data/zograscope_test_v1.csv", "zograscope_test_v1.csv", "zograscope_train_v1.csv"),
    prepared="pole/nodes and pole/relationships are loaded into a graph database",
)
