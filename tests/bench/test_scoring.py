"""Cases and predictions in, verdicts out: every mark, and what a prediction that fails is worth."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from groundwire.bench import Case, Databases, Prediction, Scorer, score_all
from groundwire.bench.case import Malformed
from groundwire.bench.metrics import METRICS, OF_EVERY_PREDICTION, Pair, choose
from groundwire.bench.running import MAX_ROWS
from groundwire.database.writing import open_for_writing
from groundwire.errors import ConnectionLost, UsageError
from groundwire.settings import Settings
from tests.bench.test_running import FOREVER, TEN_MILLION

GOLD = "SELECT name FROM person WHERE age > 20"
CASE = Case("1", "people", "sql", "Who is older than 20?", (GOLD,))
NO_SCORE = {"ordered", "cypherbench_ex", "psjs", "test_suite"}
"""Without a value for any prediction of this case."""


@pytest.fixture
def databases(tmp_path: Path) -> Iterator[Databases]:
    with open_for_writing(f"sqlite:///{tmp_path / 'people.sqlite'}") as connection:
        connection.execute("CREATE TABLE person (name TEXT, age INTEGER)")
        connection.execute("INSERT INTO person VALUES ('Ann', 30), ('Bob', 20), ('Cyd', 41)")
    settings = replace(Settings(), max_rows=MAX_ROWS, query_timeout=5.0)
    with Databases(str(tmp_path), settings) as found:
        yield found


@pytest.fixture
def scorer(databases: Databases) -> Scorer:
    return Scorer(databases)


def has_none(values: Any) -> set[str]:
    return {name for name, value in values.items() if value is None}


def test_gold_as_prediction_is_1_and_an_empty_one_0(scorer: Scorer) -> None:
    right = scorer.score(CASE, f"  {GOLD}\n")
    assert has_none(right.values) == NO_SCORE
    assert {right.values[name] for name in METRICS if name not in NO_SCORE | {"both_empty"}} == {1}
    empty = scorer.score(CASE, "")
    assert {value for value in empty.values.values() if value is not None} == {0}
    assert has_none(empty.values) == NO_SCORE
    assert empty.why == "There is no prediction."
    assert right.mark == empty.mark == ""


def test_a_line_has_the_id_every_metric_and_the_reason(scorer: Scorer) -> None:
    line = scorer.score(CASE, GOLD).to_json()
    assert list(line) == ["id", *METRICS, "why"]


@pytest.mark.parametrize(
    ("prediction", "executable", "why"),
    [
        ("SELECT nme FROM person", 0.0, "The prediction fails: "),
        ("DROP TABLE person", 0.0, "The prediction fails: "),
        (FOREVER, 0.0, "The prediction fails: "),
        (TEN_MILLION, 1.0, "The prediction has more than 100,000 rows: it was not compared."),
    ],
)
def test_a_prediction_that_fails_or_is_cut_is_worth_nothing(
    scorer: Scorer, prediction: str, executable: float, why: str
) -> None:
    scored = scorer.score(CASE, prediction)
    assert scored.values["executable"] == executable
    rest = {value for name, value in scored.values.items() if name != "executable"}
    assert rest == {0.0, None}
    assert scored.why.startswith(why)
    assert scored.mark == ""


@pytest.mark.parametrize(
    ("gold", "why"),
    [
        ("SELECT nme FROM person", "The gold query fails: "),
        (FOREVER, "The gold query fails: "),
        (TEN_MILLION, "The gold query has more than 100,000 rows, which are too many to compare."),
    ],
)
def test_a_gold_that_cannot_be_used_marks_its_case(scorer: Scorer, gold: str, why: str) -> None:
    scored = scorer.score(replace(CASE, queries=(gold,)), GOLD)
    assert scored.mark == "gold"
    assert scored.why.startswith(why)
    assert set(scored.values.values()) == {None}
    assert scored.to_json()["mark"] == "gold"


def test_a_database_that_is_not_there_marks_its_case_and_the_run_goes_on(scorer: Scorer) -> None:
    lost = replace(CASE, id="2", database="nowhere")
    found = list(score_all(scorer, [lost, CASE], [Prediction("1", GOLD), Prediction("2", GOLD)]))
    assert [(one.id, one.mark) for one in found] == [("2", "database"), ("1", "")]
    assert "There is no database 'nowhere'" in found[0].why
    assert set(found[0].values.values()) == {None}
    assert found[1].values["permuted"] == 1.0


def test_a_connection_lost_at_the_prediction_is_its_fault_and_at_the_gold_is_not(
    scorer: Scorer, databases: Databases, monkeypatch: pytest.MonkeyPatch
) -> None:
    kind = type(databases.database("people"))
    execute = kind.execute

    def fails(database: Any, text: str, *rest: Any, **more: Any) -> Any:
        if "crash" in text:
            raise ConnectionLost("The server went away.")
        return execute(database, text, *rest, **more)

    monkeypatch.setattr(kind, "execute", fails)
    scored = scorer.score(CASE, "SELECT crash")
    assert (scored.mark, scored.values["executable"]) == ("", 0.0)
    assert "The server went away." in scored.why
    assert scorer.score(replace(CASE, queries=("SELECT crash",)), GOLD).mark == "gold"


def test_the_gold_that_a_metric_likes_best_counts(scorer: Scorer) -> None:
    case = replace(CASE, queries=("SELECT broken", "SELECT name FROM person", GOLD))
    scored = scorer.score(case, "SELECT name FROM person WHERE age <> 20")
    assert scored.values["multiset"] == 1.0
    assert scored.why == "The rows are the same."
    text = scorer.score(case, "SELECT name FROM person")
    assert text.why == "The prediction is the gold query."


@pytest.mark.parametrize(("query", "right"), [("", 1.0), ("  ", 1.0), ("SELECT 1", 0.0)])
def test_the_right_answer_to_what_cannot_be_answered_is_none(
    scorer: Scorer, query: str, right: float
) -> None:
    scored = scorer.score(Case("1", "nowhere", "sql", "Why?", (), answerable=False), query)
    assert scored.mark == ""
    assert scored.values["multiset"] == scored.values["bird_ex"] == right
    assert has_none(scored.values) == {
        "executable", "ordered", "both_empty", "cypherbench_ex", "psjs", "test_suite",
    }  # fmt: skip
    assert "the question cannot be answered" in scored.why


def test_the_order_counts_where_the_case_says_so(scorer: Scorer) -> None:
    case = replace(CASE, queries=(f"{GOLD} ORDER BY age",), order_matters=True)
    reverse = scorer.score(case, f"{GOLD} ORDER BY age DESC")
    assert (reverse.values["ordered"], reverse.values["multiset"]) == (0.0, 1.0)
    assert reverse.why == ("The rows are the same, in another order than the question asks for.")
    assert scorer.score(case, f"{GOLD} ORDER BY age, name").values["ordered"] == 1.0


def test_lines_that_cannot_be_used_are_marked_and_the_run_goes_on(scorer: Scorer) -> None:
    cases = [
        CASE,
        Malformed(2, "2", "reason A"),
        Malformed(3, "", "reason B"),
        replace(CASE, id="4"),
    ]
    predictions = [
        Prediction("1", GOLD),
        Prediction("2", GOLD),
        Malformed(3, "", "reason C"),
        Malformed(4, "4", "reason D"),
        Malformed(5, "1", "the id 1 stands twice"),
        Prediction("stray", GOLD),
    ]
    found = [(one.id, one.mark, one.why) for one in score_all(scorer, cases, predictions)]
    assert found == [
        ("1", "", "The prediction is the gold query."),
        ("2", "case", "Line 2 of the cases is not usable: reason A."),
        ("", "case", "Line 3 of the cases is not usable: reason B."),
        ("4", "prediction", "Line 4 of the predictions is not usable: reason D."),
        ("", "prediction", "Line 3 of the predictions is not usable: reason C."),
        ("1", "prediction", "Line 5 of the predictions is not usable: the id 1 stands twice."),
        ("stray", "prediction", "There is no case of this id."),
    ]


def test_a_line_that_cannot_be_used_does_not_hide_a_later_good_one(scorer: Scorer) -> None:
    lines = [Malformed(1, "1", "reason"), Prediction("1", GOLD)]
    good, bad = score_all(scorer, [CASE], lines)
    assert (good.mark, good.values["multiset"]) == ("", 1.0)
    assert (bad.id, bad.mark) == ("1", "prediction")


def test_a_gold_at_fault_is_the_mark_also_where_the_prediction_is_no_line(scorer: Scorer) -> None:
    case = replace(CASE, queries=("SELECT nothing FROM nowhere",))
    (found,) = score_all(scorer, [case], [Malformed(7, "1", "reason")])
    assert (found.mark, found.values["multiset"]) == ("gold", None)
    assert found.why.startswith("The gold query fails: ")
    assert found.why.endswith("Line 7 of the predictions is not usable: reason.")


def test_a_case_without_a_prediction_scores_0(scorer: Scorer) -> None:
    (found,) = score_all(scorer, [CASE], [])
    assert (found.values["multiset"], found.why) == (0.0, "There is no prediction.")
    assert found.case is CASE


def test_without_a_case_there_is_nothing_to_score(scorer: Scorer) -> None:
    with pytest.raises(UsageError, match="no case"):
        list(score_all(scorer, [], [Prediction("1", GOLD)]))


def test_the_answer_in_words_comes_to_the_metrics(databases: Databases) -> None:
    seen: list[str] = []

    def words(pair: Pair) -> float:
        seen.append(pair.answer)
        return 1.0

    scorer = Scorer(databases, {"words": words})
    list(score_all(scorer, [CASE], [Prediction("1", GOLD, "Ann and Cyd.")]))
    assert seen == ["Ann and Cyd."]


def test_metrics_of_words_look_at_a_prediction_that_failed(databases: Databases) -> None:
    scorer = Scorer(databases, choose("executable,sq,faithfulness,ex"))
    assert set(scorer.metrics) - {"ex"} <= OF_EVERY_PREDICTION
    values = scorer.score(CASE, "SELECT broken", "It is 7.").values
    assert values == {"executable": 0.0, "sq": 1.0, "faithfulness": None, "ex": 0.0}
