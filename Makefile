# `make demo` and `make test` each do their own set-up on a machine with Python 3.11+ and make.
PYTHON ?= python3
VENV ?= .venv
BIN := $(VENV)/bin
RUN_STAMP := $(VENV)/.run-installed
DEV_STAMP := $(VENV)/.dev-installed

.PHONY: demo test test-slow lint bench bench-smoke clean

$(BIN)/python:
	$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11) and "Groundwire needs Python 3.11 or newer")'
	$(PYTHON) -m venv $(VENV)

$(RUN_STAMP): pyproject.toml | $(BIN)/python
	$(BIN)/python -m pip install --quiet --disable-pip-version-check -e '.[charts,embed,kglite]'
	touch $@

$(DEV_STAMP): pyproject.toml | $(BIN)/python
	$(BIN)/python -m pip install --quiet --disable-pip-version-check -e '.[dev]'
	touch $(RUN_STAMP) $@

demo: $(RUN_STAMP)
	$(BIN)/groundwire demo

lint: $(DEV_STAMP)
	$(BIN)/ruff check src tests benchmarks
	$(BIN)/ruff format --check src tests benchmarks
	$(BIN)/mypy

# Types are checked beside the tests, since one of two processes ends first; both are always told.
test: $(DEV_STAMP)
	$(BIN)/ruff check src tests benchmarks
	$(BIN)/ruff format --check src tests benchmarks
	@report=$$(mktemp); $(BIN)/mypy >$$report 2>&1 & types=$$!; \
	$(BIN)/pytest -n 2 --dist loadgroup -m 'not slow'; tests=$$?; \
	wait $$types; typed=$$?; echo "mypy:"; cat $$report; rm -f $$report; \
	exit $$((tests || typed))

test-slow: $(DEV_STAMP)
	GROUNDWIRE_TEST_THOROUGH=1 $(BIN)/pytest -m 'slow or thorough'

bench-smoke: $(DEV_STAMP)
	$(BIN)/pytest tests/bench/test_smoke.py

bench: $(DEV_STAMP)
	$(BIN)/python -m benchmarks

clean:
	rm -rf $(VENV) .pytest_cache .mypy_cache .ruff_cache .hypothesis demo
