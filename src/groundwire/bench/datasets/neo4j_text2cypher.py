"""Neo4j Text2Cypher 2024 (Ozsoy et al., 2025): questions gathered from many public sets.

Published as Parquet with the columns question, schema, cypher, data_source, instance_id and
database_reference_alias; exports to CSV and JSON lines keep these names. The alias is empty where
no database was published; the others are on Neo4j's demo server, user and password the database's
name: `neo4jlabs_demo_db_movies` is the database `movies`.
"""

from __future__ import annotations

from groundwire.bench.case import Case
from groundwire.bench.datasets.dataset import FromFiles, make_case
from groundwire.bench.datasets.files import Record

__all__ = ["NEO4J_TEXT2CYPHER"]

PREFIX = "neo4jlabs_demo_db_"


def _case(record: Record) -> Case:
    return make_case(
        id=record.identity("instance_id"),
        database=record.optional("database_reference_alias").removeprefix(PREFIX),
        language="cypher",
        question=record.text("question"),
        queries=(record.optional("cypher"),),
        tags=(record.optional("data_source"),),
    )


NEO4J_TEXT2CYPHER = FromFiles(
    name="neo4j-text2cypher",
    title="Neo4j Text2Cypher 2024",
    language="cypher",
    needs="data/test-00000-of-00001.parquet, or a test.csv or test.jsonl with its columns",
    source="https://huggingface.co/datasets/neo4j/text2cypher-2024v1",
    licence="Apache-2.0",
    read=_case,
    files=("data/test-*.parquet", "test*.parquet", "test*.csv*", "test*.json*"),
    databases=("neo4j+s://{database}:{database}@demo.neo4jlabs.com:7687/{database}",),
)
