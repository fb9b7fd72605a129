"""Every code block of the README and the docs is run, and what it shows is what comes.

`console` blocks: a line `$ groundwire …` is a command (`# exit N` behind it is its exit code), the
lines below it what it prints; `…` stands for any text. Commands share a folder, in the order of the
text. `python` blocks run in that folder. `sh` blocks name targets of the Makefile.
"""

from __future__ import annotations

import json
import re
import shlex
import shutil
import subprocess
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import pytest
from typer.testing import CliRunner

from groundwire import Settings
from groundwire.draft.model import ModelSettings
from tests.examples import THOROUGH
from tests.model_server import ModelServer, says

ROOT = Path(__file__).parents[2]
PAGES = [ROOT / "README.md", *sorted((ROOT / "docs").glob("*.md"))]
BLOCK = re.compile(r"^```(\w+)\n(.*?)^```", re.MULTILINE | re.DOTALL)
WIDTH = "90"
STARTED = ("chicago", "doctor")
"""Commands that have a process of their own in `make test` too."""


@dataclass(frozen=True)
class Command:
    line: str
    code: int
    shown: str


def blocks(page: Path, language: str) -> list[str]:
    return [body for name, body in BLOCK.findall(page.read_text("utf-8")) if name == language]


def commands(block: str) -> Iterator[Command]:
    for part in re.split(r"^\$ ", block, flags=re.MULTILINE)[1:]:
        line, _, shown = part.partition("\n")
        line, _, code = line.partition("  # exit ")
        yield Command(line, int(code or 0), shown)


@pytest.fixture
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder in which the pages' commands are run, with the files that they name."""
    made = tmp_path_factory.mktemp("docs")
    pair = {
        "question": "How many thefts ended in an arrest?",
        "query": "SELECT count(*) AS n FROM crimes"
        " WHERE primary_type = 'THEFT' AND arrest = 'true'",
    }
    (made / "examples.jsonl").write_text(json.dumps(pair), "utf-8")
    for name in ("cases.jsonl", "predictions.jsonl"):
        shutil.copy(Path(__file__).parent / name, made)
    return made


@pytest.fixture
def model_server() -> Iterator[ModelServer]:
    with ModelServer() as server:
        yield server


@pytest.fixture
def run(
    folder: Path,
    request: pytest.FixtureRequest,
    model_server: ModelServer,
    monkeypatch: pytest.MonkeyPatch,
):
    monkeypatch.chdir(folder)
    for name, value in (("COLUMNS", WIDTH), ("OPENAI_API_KEY", "none"), ("NO_COLOR", "1")):
        monkeypatch.setenv(name, value)

    def run(command: Command) -> str:
        line = command.line
        if "postgresql://" in line:
            url = request.getfixturevalue("postgres_url")
            line = re.sub(r"postgresql://\S+", shlex.quote(url), line)
        if "localhost:8080" in line:
            line = line.replace("http://localhost:8080/v1", model_server.url)
            model_server.play(
                says('{"query": "SELECT count(*) FROM crime_reports", "assumptions": []}'),
                says(
                    '{"code": "SCH1", "cause": "No such table.",'
                    ' "query": "SELECT count(*) AS n FROM crimes"}'
                ),
                says("There are 20,000 crimes."),
            )
        words = shlex.split(line)
        assert words[0] == "groundwire", line
        code, printed = (started if THOROUGH or words[1] in STARTED else called)(words[1:])
        assert code == command.code, printed
        return printed

    return run


def called(words: list[str]) -> tuple[int, str]:
    """The exit code and what is printed, in this process: a new one takes seconds to begin."""
    from groundwire.cli.app import app

    ran = CliRunner().invoke(app, words, prog_name="groundwire", catch_exceptions=False)
    return ran.exit_code, ran.output


def started(words: list[str]) -> tuple[int, str]:
    """The same of a process of its own, as a user starts it."""
    program = [sys.executable, "-c", "from groundwire.cli import main; main()"]
    ran = subprocess.run(
        [*program, *words],
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        timeout=120,
    )
    return ran.returncode, ran.stdout


def matches(shown: str, printed: str) -> bool:
    def squeezed(text: str) -> str:
        return re.sub(r"\s+", " ", text).strip()

    pattern = ".*".join(re.escape(squeezed(part)) for part in shown.split("…"))
    return re.fullmatch(pattern, squeezed(printed), re.DOTALL) is not None


@pytest.mark.thorough
def test_every_block_of_the_pages_runs_and_shows_what_comes(run, folder: Path) -> None:
    # One test, because the later pages use what the README's commands have made.
    for page in PAGES:
        for block in blocks(page, "console"):
            for command in commands(block):
                printed = run(command)
                assert matches(command.shown, printed), f"$ {command.line}\n{printed}"
    for page in PAGES:
        for block in blocks(page, "python"):
            ran = subprocess.run(
                [sys.executable, "-c", block],
                cwd=folder,
                stderr=subprocess.PIPE,
                text=True,
                timeout=120,
            )
            assert ran.returncode == 0, ran.stderr


def test_the_make_targets_of_the_pages_exist() -> None:
    makefile = (ROOT / "Makefile").read_text("utf-8")
    for page in PAGES:
        for block in blocks(page, "sh"):
            for line in block.splitlines():
                program, target = line.split()
                assert program == "make"
                assert re.search(rf"^{target}:", makefile, re.MULTILINE), line


def test_every_block_says_what_it_is() -> None:
    for page in PAGES:
        fences = re.findall(r"^```(.*)$", page.read_text("utf-8"), re.MULTILINE)
        for opening in fences[::2]:
            assert opening in ("console", "python", "sh"), f"{page.name}: ```{opening}"


@pytest.mark.parametrize("settings", [Settings, ModelSettings])
def test_every_setting_is_documented_with_its_default(
    settings: type[Settings] | type[ModelSettings],
) -> None:
    page = (ROOT / "docs" / "settings.md").read_text("utf-8")
    for name, default, sentence in settings.describe():
        assert f"| `{name}` | `{default!r}` | {sentence} |" in page


def test_links_between_the_pages_lead_somewhere() -> None:
    for page in PAGES:
        for target in re.findall(r"\]\(([^)#:]+)\)", page.read_text("utf-8")):
            assert (page.parent / target).exists(), f"{page.name} links to {target}"
