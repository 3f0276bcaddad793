# Two commands do everything: `make demo` and `make test`. Both make what they need.
PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
WORKERS ?= 2
# The tests write and sync thousands of small files: in memory where there is room, else where the system keeps them.
MEMORY := $(shell df -Pk /dev/shm 2>/dev/null | awk 'NR == 2 && $$4 > 2000000 { print "/dev/shm" }')
FAST := $(if $(MEMORY),TMPDIR=$(MEMORY) )
PYTEST := $(FAST)$(BIN)/python -m pytest -q -n $(WORKERS) --dist worksteal

.PHONY: demo test test-fast test-long lint hosts bench bench-quick clean

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
	$(BIN)/mypy --config-file benchmarks/mypy.ini

test: lint hosts
	$(PYTEST)

test-fast: $(VENV)/.installed
	$(PYTEST) -m 'not hosts'

# The counts that the kill, race and fuzz harnesses are meant for; a fair sample of each runs in `make test`.
test-long: hosts
	MEMORY_SHAPER_FUZZ=3000 MEMORY_SHAPER_KILLS=200 MEMORY_SHAPER_ROUNDS=200 $(PYTEST)

$(VENV)/.bench: $(VENV)/.installed
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --editable '.[bench]'
	touch $@

# Results go to benchmarks/results, and the page and the charts are made of them; optional data: MEMORY_SHAPER_DATA.
bench: $(VENV)/.bench hosts
	$(FAST)$(BIN)/python benchmarks/run.py
	$(BIN)/python benchmarks/report.py

# Fewer and smaller samples; results go to .cache/bench-quick.
bench-quick: $(VENV)/.bench hosts
	$(FAST)$(BIN)/python benchmarks/run.py --quick

clean:
	rm -rf $(VENV) .cache build dist .pytest_cache .mypy_cache .ruff_cache .hypothesis
