"""ZOGRASCOPE (Cazzaro et al., arXiv 2503.05268): questions on pole, the Manchester crime graph.

Published as CSV with the columns id, nl, mr (the query), nl_gold_linked, nl_bracketed, entities,
num_nodes, template_id, type and return_count; `data/zograscope_test_v1.csv` is the test set, the
train and length splits are given as files. `ids_iid_test.txt` and `ids_compositional_test.txt`
beside it say to which part of the test a case belongs: a tag. The graph is Neo4j's example `pole`.
"""

from __future__ import annotations

from functools import lru_cache
from pathlib import Path

from groundwire.bench.case import Case
from groundwire.bench.datasets.dataset import FromFiles, make_case
from groundwire.bench.datasets.files import Record

__all__ = ["ZOGRASCOPE"]


PARTS = ("iid", "compositional")


@lru_cache(maxsize=8)
def _parts(folder: Path) -> dict[str, str]:
    """By the id of a case of the test: the part that it belongs to."""
    found: dict[str, str] = {}
    for part in PARTS:
        file = folder / f"ids_{part}_test.txt"
        if file.is_file():
            found.update(dict.fromkeys(file.read_text(encoding="utf-8").split(), part))
    return found


def _case(record: Record) -> Case:
    parts = _parts(record.path.parent) if "test" in record.file else {}
    nodes = record.optional("num_nodes")
    return make_case(
        id=record.identity("id"),
        database="pole",
        language="cypher",
        question=record.text("nl"),
        queries=(record.optional("mr"),),
        tier=f"{nodes} nodes" if nodes else "",
        tags=(record.optional("type"), parts.get(record.identity("id"), "")),
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
