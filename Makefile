# Two commands do everything: `make demo` and `make test`. Both make what they need.
PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
WORKERS ?= 2

.PHONY: demo test test-fast test-long lint hosts bench clean

$(VENV)/.installed: pyproject.toml
	$(PYTHON) -m venv $(VENV)
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --editable '.[dev]'
	touch $@

demo: $(VENV)/.installed
	$(BIN)/memory-shaper verify examples/memories/MEMORY.md --cap 2200
	$(BIN)/python examples/demo.py

hosts: $(VENV)/.installed
	$(BIN)/python tests/hosts/install.py

lint: $(VENV)/.installed
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy

test: lint hosts
	$(BIN)/python -m pytest -q -n $(WORKERS) --dist worksteal

test-fast: $(VENV)/.installed
	$(BIN)/python -m pytest -q -n $(WORKERS) --dist worksteal -m 'not hosts'

# The counts that the kill, race and fuzz harnesses are meant for; a fair sample of each runs in `make test`.
test-long: hosts
	MEMORY_SHAPER_FUZZ=3000 MEMORY_SHAPER_KILLS=200 MEMORY_SHAPER_ROUNDS=200 \
	  $(BIN)/python -m pytest -q -n $(WORKERS) --dist worksteal

clean:
	rm -rf $(VENV) .cache build dist .pytest_cache .mypy_cache .ruff_cache .hypothesis
