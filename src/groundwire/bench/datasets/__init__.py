"""Public data sets as cases. One loader a set: it says what it needs and where to get it.

`DATASETS` holds them by name; `DATASETS["spider"].load(folder)` gives the cases. Nothing is
downloaded. `prepare` makes the databases of the sets whose databases are not files to open.
"""

from groundwire.bench.datasets.bird import BIRD, BIRD_MINI_DEV, BIRD_MINI_DEV_POSTGRES
from groundwire.bench.datasets.chicago import CHICAGO, CHICAGO_SOLVED, make_chicago
from groundwire.bench.datasets.cypherbench import CYPHERBENCH
from groundwire.bench.datasets.dataset import Dataset
from groundwire.bench.datasets.defog import DEFOG
from groundwire.bench.datasets.kaggle_dbqa import KAGGLE_DBQA
from groundwire.bench.datasets.mind_the_query import MIND_THE_QUERY
from groundwire.bench.datasets.neo4j_text2cypher import NEO4J_TEXT2CYPHER
from groundwire.bench.datasets.own import OWN
from groundwire.bench.datasets.spider import SPIDER, SPIDER_POSTGRES
from groundwire.bench.datasets.wording import asks_for_order
from groundwire.bench.datasets.zograscope import ZOGRASCOPE
from groundwire.errors import UsageError

__all__ = ["DATASETS", "Dataset", "asks_for_order", "dataset", "make_chicago"]

DATASETS: dict[str, Dataset] = {
    known.name: known
    for known in (
        CYPHERBENCH,
        NEO4J_TEXT2CYPHER,
        MIND_THE_QUERY,
        ZOGRASCOPE,
        SPIDER,
        SPIDER_POSTGRES,
        BIRD,
        BIRD_MINI_DEV,
        BIRD_MINI_DEV_POSTGRES,
        KAGGLE_DBQA,
        DEFOG,
        CHICAGO,
        CHICAGO_SOLVED,
        OWN,
    )
}


def dataset(name: str) -> Dataset:
    """A set by its name.

    Raises:
        UsageError: there is no set of that name.
    """
    if name not in DATASETS:
        raise UsageError(
            f"There is no data set {name!r}.", hint="There are " + ", ".join(DATASETS) + "."
        )
    return DATASETS[name]
