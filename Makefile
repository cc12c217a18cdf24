# Everything a newcomer does; each target builds .venv when it is missing.
PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
STAMP := $(VENV)/.installed
export PYTHONDONTWRITEBYTECODE :=

.PHONY: demo test lint types prove faults bench clean
.DEFAULT_GOAL := test

$(STAMP): pyproject.toml constraints.txt
	test -x $(BIN)/python || $(PYTHON) -m venv $(VENV)
	$(BIN)/python -m pip install --quiet --disable-pip-version-check -c constraints.txt -e '.[test]'
	touch $@

demo: $(STAMP)  ## train, save, check, resume and compare on real digits
	$(BIN)/python -m bitproof.demo

lint: $(STAMP)
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .

types: $(STAMP)
	$(BIN)/mypy

test: lint types  ## all fast checks: lint, types, tests
	OMP_NUM_THREADS=1 $(BIN)/pytest -n 2 --dist=loadfile -m 'not slow'

prove: $(STAMP)  ## the ledger of laws, with every slow proof
	$(BIN)/python -m proofs.ledger

faults: $(STAMP)  ## fault injection that takes minutes
	$(BIN)/pytest -m slow tests

bench: $(STAMP)  ## ratios measured in one run
	$(BIN)/python -m tests.bench

clean:
	rm -rf $(VENV) build dist .mypy_cache .pytest_cache .ruff_cache .hypothesis
