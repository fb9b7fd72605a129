"""The execution loop: what goes back, what is taken, when it stops, what it may spend.

Each rule in both languages. A model that is asked once too often fails the test: its script ends.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

import pytest

import groundwire
from groundwire import Answer, Database, Exemplars, Options, Settings
from groundwire.database.graph_demo import demo_graph
from groundwire.database.graph_load import load_graph
from groundwire.draft.model import ScriptedModel
from groundwire.draft.solved import Exemplar
from groundwire.guard.taxonomy import TAXONOMY


@dataclass(frozen=True)
class World:
    """A database and queries of each kind on it.

    `misspelt` asks for a value that is not stored, `found` for the stored one. `nothing` finds
    nothing, truly. `failing` fails when it runs, `unknown` names what is not declared, and so
    does `unknown` with another number in it.
    """

    url: str
    misspelt: str
    found: str
    nothing: str
    failing: str
    unknown: str
    hopeless: str
    note: str

    def unknowns(self, count: int) -> list[str]:
        return [self.unknown.replace("1", str(number)) for number in range(2, count + 2)]


@pytest.fixture(scope="module")
def graph_url(tmp_path_factory: pytest.TempPathFactory) -> str:
    url = f"kglite:///{tmp_path_factory.mktemp('graph') / 'people.kgl'}"
    nodes, relationships = demo_graph(40)
    load_graph(nodes, relationships, url)
    return url


@pytest.fixture(params=["sql", "cypher"])
def world(request: pytest.FixtureRequest) -> World:
    if request.param == "sql":
        misspelt = "SELECT id FROM orders WHERE city LIKE 'oslo 1'"
        return World(
            url=request.getfixturevalue("shop_url"),
            misspelt=misspelt,
            found=misspelt.replace("oslo 1", "Oslo"),
            nothing="SELECT id FROM orders WHERE city = 'Oslo' AND total > 1000000",
            failing="SELECT CAST(city AS INTEGER) AS n FROM orders",
            unknown="SELECT 1 FROM invoices",
            hopeless="SELECT id FROM orders WHERE city LIKE 'Zq0' OR city LIKE 'Zq1'"
            " OR city LIKE 'Zq2' OR city LIKE 'Zq{}'",
            note="'oslo 1' is not stored as orders.city; "
            "stored values that hold 'oslo' are 'Oslo'.",
        )
    misspelt = "MATCH (t:Town) WHERE t.name STARTS WITH 'harbour' RETURN t.region"
    return World(
        url=request.getfixturevalue("graph_url"),
        misspelt=misspelt,
        found=misspelt.replace("harbour", "Harbour"),
        nothing="MATCH (t:Town) WHERE t.inhabitants > 1000000 RETURN t.name",
        failing="MATCH (t:Town) RETURN 1 / (t.inhabitants - t.inhabitants) AS n",
        unknown="MATCH (i:Invoice) RETURN 1 AS n",
        hopeless="MATCH (a:Person)-[:REPORTS_TO]->(b:Person) WHERE a.name STARTS WITH 'Zq0'"
        " OR a.name ENDS WITH 'Zq1' OR b.name CONTAINS 'Zq2' OR b.name CONTAINS 'Zq{}'"
        " RETURN a.name",
        note="'harbour' is not stored as Town.name; stored values that hold 'harbour' are"
        " 'Harbour'.",
    )


@pytest.fixture(params=["truthful", "paper"])
def policy(request: pytest.FixtureRequest) -> str:
    return str(request.param)


def fix(query: str, code: str = "ENT1") -> dict[str, str]:
    return {"code": code, "cause": "It was wrong.", "query": query}


def ask(
    world: World, *script: Any, policy: str = "truthful", **settings: Any
) -> tuple[Answer, list[str]]:
    """The answer, and the prompts that the model got."""
    model = ScriptedModel(list(script))
    with groundwire.connect(world.url, Settings(policy=policy, **settings)) as database:
        answer = groundwire.ask(database, "Which are there?", model, options=Options(narrate=False))
    return answer, ["\n".join(message.content for message in prompt) for prompt in model.prompts]


def nodes(answer: Answer) -> list[str]:
    return [step.node for step in answer.trace.steps]


def rows(answer: Answer) -> Sequence[tuple[Any, ...]]:
    assert answer.result is not None
    return answer.result.rows


# --- what goes back --------------------------------------------------------------------------


def test_a_draft_that_finds_rows_is_never_changed(world: World, policy: str) -> None:
    answer, prompts = ask(world, world.found, policy=policy)
    assert answer.query == answer.draft == world.found
    assert answer.outcome == "admitted"
    assert len(prompts) == answer.cost.executions == 1


def test_a_true_nothing_goes_back_only_by_the_paper(world: World) -> None:
    answer, prompts = ask(world, world.nothing)
    assert (answer.outcome, rows(answer), len(prompts)) == ("admitted", (), 1)
    answer, prompts = ask(world, world.nothing, fix(world.nothing), policy="paper")
    assert (answer.outcome, rows(answer), len(prompts)) == ("admitted", (), 2)
    assert "it ran and returned no rows" in prompts[1]


def test_a_value_that_is_not_stored_goes_back(world: World, policy: str) -> None:
    answer, prompts = ask(world, world.misspelt, fix(world.found), policy=policy)
    assert (answer.outcome, answer.query, answer.draft) == ("repaired", world.found, world.misspelt)
    assert rows(answer)
    assert len(prompts) == answer.cost.executions == 2


def test_an_error_of_the_run_goes_back(world: World, policy: str) -> None:
    answer, prompts = ask(world, world.failing, fix(world.found, "SYN4"), policy=policy)
    assert answer.query == world.found
    assert "it ran and returned no rows" not in prompts[1]


def test_after_an_error_an_empty_rewrite_is_told_as_empty(world: World) -> None:
    _, prompts = ask(world, world.unknown, fix(world.misspelt, "SCH1"), fix(world.found))
    assert "nvoice" in prompts[1]
    assert "What happened: it ran and returned no rows." in prompts[2]
    assert "nvoice" not in prompts[2]


# --- without a model -------------------------------------------------------------------------


def offline(url: str, query: str, policy: str) -> Answer:
    """The answer without a model; the draft is a query that was approved for this question."""
    with groundwire.connect(url, Settings(policy=policy)) as database:
        approved = Exemplar("Which are there?", query, "", database.language)
        answer = groundwire.ask(
            database, "Which are there?", options=Options(exemplars=Exemplars((approved,)))
        )
    assert answer.cost.model_calls == 0
    return answer


def test_without_a_model_an_empty_result_is_the_answer(world: World, policy: str) -> None:
    for query in (world.misspelt, world.nothing):
        answer = offline(world.url, query, policy)
        assert (answer.outcome, answer.query, rows(answer)) == ("admitted", query, ())
        assert answer.sentence.startswith("No")
        assert answer.cost.executions == 1


def test_without_a_model_what_the_evidence_repairs_is_repaired(world: World, policy: str) -> None:
    typo = world.found.replace("orders", "order_s").replace("Town", "Towm")
    answer = offline(world.url, typo, policy)
    assert (answer.outcome, answer.query) == ("repaired", world.found)
    assert rows(answer)


def test_without_a_model_a_failure_is_told(world: World, policy: str) -> None:
    for query in (world.unknown, world.failing):
        answer = offline(world.url, query, policy)
        assert answer.outcome == "failed"
        assert answer.result is None
        assert answer.error is not None
        assert answer.error.message.splitlines()[0] in answer.sentence
        assert "repair" not in nodes(answer)


# --- the prompt ------------------------------------------------------------------------------


def test_the_prompt_of_an_empty_result_holds_all_that_is_known(world: World) -> None:
    _, prompts = ask(world, world.misspelt, fix(world.found))
    for part in ("Which are there?", "it ran and returned no rows", "What is stored:", world.note):
        assert part in prompts[1]
    shown = world.misspelt.replace(">", "\\u003e").replace("<", "\\u003c")
    assert f'The query that failed, as a JSON string: "{shown}"' in prompts[1]
    assert len(TAXONOMY) == 32
    for code in TAXONOMY:
        assert f"- {code} " in prompts[1]


def test_the_prompt_of_a_refused_draft_holds_error_findings_and_evidence(world: World) -> None:
    answer, prompts = ask(world, world.unknown, fix(world.unknown))
    (finding,) = answer.findings
    assert answer.error is not None
    for part in (answer.error.code, "What the checks found:", f"- {finding.code} (fault)"):
        assert part in prompts[1]
    for sentence in (finding.message, *(evidence.sentence for evidence in finding.evidence)):
        assert sentence.split(":")[0] in prompts[1]


def test_the_prompt_shows_the_query_that_ran_and_not_the_draft_before_its_repair(
    world: World,
) -> None:
    typo = world.misspelt.replace("orders", "order_s").replace("Town", "Towm")
    _, prompts = ask(world, typo, fix(world.found))
    assert "order_s WHERE" not in prompts[1]
    assert "(t:Towm)" not in prompts[1]


# --- stopping rules --------------------------------------------------------------------------

NO_REWRITE = ["", "I cannot help with that.", fix("")]


@pytest.mark.parametrize("reply", NO_REWRITE)
def test_an_empty_rewrite_keeps_the_query_in_hand(world: World, reply: Any, policy: str) -> None:
    answer, _ = ask(world, world.misspelt, reply, policy=policy)
    assert (answer.outcome, answer.query, rows(answer)) == ("admitted", world.misspelt, ())
    failed, _ = ask(world, world.unknown, reply, policy=policy)
    assert failed.outcome == "failed"
    assert "nvoice" in failed.sentence


def test_an_unchanged_rewrite_keeps_the_query_in_hand(world: World, policy: str) -> None:
    answer, prompts = ask(world, world.misspelt, fix(world.misspelt), policy=policy)
    assert (answer.outcome, answer.query, rows(answer)) == ("admitted", world.misspelt, ())
    assert (len(prompts), answer.cost.executions) == (2, 1)


def test_a_query_that_was_tried_before_ends_the_loop(world: World, policy: str) -> None:
    first, second = world.unknowns(2)
    answer, prompts = ask(world, first, fix(second, "SCH1"), fix(first, "SCH2"), policy=policy)
    assert answer.outcome == "failed"
    assert len(prompts) == 3


def test_the_text_that_the_guard_made_of_a_draft_is_tried_too(world: World) -> None:
    typo = world.misspelt.replace("orders", "order_s").replace("Town", "Towm")
    answer, prompts = ask(world, typo, fix(world.misspelt))
    assert (answer.query, rows(answer)) == (world.misspelt, ())
    assert len(prompts) == 2


def test_the_same_code_twice_returns_the_newest_rewrite(world: World, policy: str) -> None:
    first, second = world.unknowns(2)
    answer, prompts = ask(
        world, first, fix(second, "SCH1"), fix(world.found, "SCH1"), policy=policy
    )
    assert (answer.outcome, answer.query) == ("repaired", world.found)
    first, second, third = world.unknowns(3)
    answer, prompts = ask(world, first, fix(second, "SCH1"), fix(third, "SCH1"), policy=policy)
    assert answer.outcome == "failed"
    assert len(prompts) == 3


# --- the commit gate -------------------------------------------------------------------------


def test_a_rewrite_that_the_guard_refuses_does_not_replace_a_nothing(
    world: World, policy: str
) -> None:
    fixes = [fix(query, f"SCH{n}") for n, query in enumerate(world.unknowns(3), 1)]
    answer, prompts = ask(world, world.misspelt, *fixes, policy=policy)
    assert (answer.outcome, answer.query, rows(answer)) == ("admitted", world.misspelt, ())
    assert answer.error is None
    assert len(prompts) == 4


def test_a_rewrite_that_fails_does_not_replace_a_nothing(world: World, policy: str) -> None:
    answer, _ = ask(world, world.misspelt, fix(world.failing), fix(world.failing), policy=policy)
    assert (answer.outcome, answer.query, rows(answer)) == ("admitted", world.misspelt, ())


def test_a_rewrite_that_finds_nothing_replaces_a_nothing_only_by_the_paper(world: World) -> None:
    answer, _ = ask(world, world.misspelt, fix(world.nothing))
    assert (answer.outcome, answer.query, rows(answer)) == ("admitted", world.misspelt, ())
    again = [fix(world.nothing), fix(world.nothing)]
    answer, _ = ask(world, world.misspelt, *again, policy="paper")
    assert (answer.outcome, answer.query, rows(answer)) == ("repaired", world.nothing, ())


@pytest.mark.parametrize("write", ["DROP TABLE orders", "MATCH (n) DETACH DELETE n"])
def test_a_rewrite_that_writes_is_never_taken(world: World, write: str, policy: str) -> None:
    answer, _ = ask(world, world.misspelt, fix(write), fix(write), policy=policy)
    assert (answer.outcome, answer.query, rows(answer)) == ("admitted", world.misspelt, ())


def test_a_model_that_goes_out_of_order_leaves_the_nothing(world: World, policy: str) -> None:
    gone = groundwire.errors.ModelUnavailable("The model does not answer.")
    answer, _ = ask(world, world.misspelt, gone, policy=policy)
    assert (answer.outcome, answer.query, rows(answer)) == ("admitted", world.misspelt, ())


# --- tier 1 ----------------------------------------------------------------------------------

UP = "MATCH (p:Person {name: 'Ada Abbot'})-[:REPORTS_TO]->(b:Person) RETURN b.name"
DOWN = "MATCH (p:Person {name: 'Ada Abbot'})<-[:REPORTS_TO]-(b:Person) RETURN b.name"
"""Ada Abbot leads: she reports to nobody, three report to her."""
BOSS = "To whom does Ada Abbot report?"


@pytest.fixture
def people(graph_url: str) -> Iterator[Database]:
    with groundwire.connect(graph_url) as database:
        yield database


@pytest.fixture
def people_by_the_paper(graph_url: str) -> Iterator[Database]:
    with groundwire.connect(graph_url, Settings(policy="paper")) as database:
        yield database


def test_the_paper_keeps_the_arrows_that_find_rows(people_by_the_paper: Database) -> None:
    answer = groundwire.ask(people_by_the_paper, BOSS, ScriptedModel([UP, "x"]))
    assert (answer.outcome, answer.query, len(rows(answer))) == ("repaired", DOWN, 3)
    (finding,) = answer.findings
    assert (finding.code, finding.action) == ("DIR2", "repaired")
    assert finding.evidence[0].sentence == "Turned round, it finds 3 rows."
    assert answer.cost.executions == 2
    assert "repair" not in nodes(answer)


def test_a_true_nothing_never_becomes_a_full_answer_by_itself(people: Database) -> None:
    model = ScriptedModel([UP, fix(UP, "DIR2")])
    answer = groundwire.ask(people, BOSS, model)
    assert (answer.outcome, answer.query, rows(answer)) == ("admitted", UP, ())
    (finding,) = answer.findings
    assert (finding.code, finding.severity, finding.action) == ("DIR2", "doubt", "reported")
    assert finding.evidence[0].statement == DOWN
    assert answer.cost.executions == 2
    prompt = "\n".join(message.content for message in model.prompts[1])
    assert "DIR2 (doubt)" in prompt
    assert "Turned round, it finds 3 rows." in prompt


@pytest.mark.parametrize("turned", [DOWN, DOWN.replace(" RETURN", "\nreturn")])
def test_a_model_that_only_turns_the_arrow_leaves_the_choice_to_the_person(
    people: Database, turned: str
) -> None:
    answer = groundwire.ask(people, BOSS, ScriptedModel([UP, fix(turned, "DIR2"), "x"]))
    assert (answer.outcome, answer.query, rows(answer)) == ("admitted", UP, ())
    assert [finding.code for finding in answer.findings] == ["DIR2"]
    assert [choice.query for choice in answer.choices] == [DOWN]
    assert "3 rows" in answer.choices[0].label


def test_a_rewrite_that_says_more_than_the_turned_query_is_taken(people: Database) -> None:
    other = DOWN.replace("RETURN", "WHERE p.name IS NOT NULL RETURN")
    answer = groundwire.ask(people, BOSS, ScriptedModel([UP, fix(other, "DIR2"), "x"]))
    assert (answer.outcome, answer.query) == ("repaired", other)
    assert [finding.code for finding in answer.findings] == ["DIR2"]


def test_no_arrow_is_turned_for_rows_or_for_an_error(people: Database) -> None:
    answer = groundwire.ask(people, BOSS, ScriptedModel([DOWN, "x"]))
    assert nodes(answer).count("turn") == 0
    failing = "MATCH (p:Person)-[:REPORTS_TO]->(q:Person) RETURN 1 / (size(p.name) - size(p.name))"
    answer = groundwire.ask(people, BOSS, ScriptedModel([failing, fix(DOWN), "x"]))
    assert nodes(answer).count("turn") == 0


def test_arrows_whose_turning_finds_nothing_leave_no_finding(people: Database) -> None:
    nobody = "MATCH (p:Person {name: 'Ada Abbot'})-[:MARRIED_TO]->(p) RETURN p.name"
    answer = groundwire.ask(people, BOSS, ScriptedModel([nobody]))
    assert (answer.outcome, answer.query, answer.findings) == ("admitted", nobody, ())
    assert answer.cost.executions == 2


@pytest.mark.parametrize(("policy", "count"), [("truthful", 0), ("paper", 3)])
def test_without_a_model_the_arrows_are_turned_as_well(
    graph_url: str, policy: str, count: int
) -> None:
    answer = offline(graph_url, UP, policy)
    assert len(rows(answer)) == count
    assert [finding.code for finding in answer.findings] == ["DIR2"]
    assert answer.cost.executions == 2


# --- the budget ------------------------------------------------------------------------------


@pytest.mark.parametrize("narrate", [False, True])
def test_the_worst_model_stays_within_the_budget(world: World, policy: str, narrate: bool) -> None:
    """It never repeats itself, names another code each time, and finds nothing, ever."""
    codes = iter(TAXONOMY)
    numbers = iter(range(10, 1000))

    def worst(messages: Any) -> dict[str, str]:
        return fix(world.hopeless.format(next(numbers)), next(codes))

    model = ScriptedModel(worst)
    executed: list[str] = []
    with groundwire.connect(world.url, Settings(policy=policy)) as database:
        _spy(database, executed)
        options = Options(narrate=narrate)
        answer = groundwire.ask(database, "Which are there?", model, options=options)
    assert rows(answer) == ()
    assert len(model.prompts) == answer.cost.model_calls == 1 + 3
    assert answer.cost.embeddings <= 1
    iterations = 1 + 3
    per_iteration = 2 if answer.language == "cypher" else 1
    run = [text for text in executed if "Zq0" in text and "Zq1" in text]
    assert len(run) == answer.cost.executions == iterations * per_iteration
    grounded = [step for step in answer.trace.steps if step.node == "ground"]
    assert [step.detail["probes"] for step in grounded] == [6, 6, 6]
    for step in grounded:
        assert sum(child.node == "probe" for child in step.children) == 6


@pytest.mark.parametrize("limit", [0, 1, 2])
def test_the_number_of_repairs_is_a_setting(world: World, policy: str, limit: int) -> None:
    fixes = [fix(query, f"SCH{n}") for n, query in enumerate(world.unknowns(4), 1)]
    answer, prompts = ask(world, world.unknown, *fixes, policy=policy, max_repairs=limit)
    assert answer.outcome == "failed"
    assert len(prompts) == 1 + limit


def _spy(database: Database, executed: list[str]) -> None:
    execute = database.execute

    def spy(statement: str, *arguments: Any, **named: Any) -> Any:
        executed.append(statement)
        return execute(statement, *arguments, **named)

    database.execute = spy  # type: ignore[method-assign]
