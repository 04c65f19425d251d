# `make` lists what there is. `make check` is what continuous integration runs.
.DEFAULT_GOAL := help
PYTHON ?= python3
VENV ?= .venv
BIN := $(VENV)/bin
PROVE_SECONDS ?= 300
PROVE_SEED ?= 7
PROVE_CASES ?= 1000
DATA ?= ../shared/data
RUST := $(wildcard Cargo.toml Cargo.lock crates/*/Cargo.toml crates/*/src/*.rs crates/*/src/*/*.rs)
SOURCES := pyproject.toml $(RUST) $(wildcard python/paretree/*.py python/paretree/*.pyi)

help:  ## list the targets
	@grep -E '^[a-z]+:.*##' Makefile | sed -E 's/:.*## /\t/' | expand -t 10

dev: $(VENV)/installed  ## install the package and its tools into .venv

$(VENV)/installed: $(SOURCES)
	test -x $(BIN)/python || $(PYTHON) -m venv $(VENV)
	$(BIN)/python -m pip install --quiet --upgrade pip
	$(BIN)/python -m pip install --quiet '.[dev]'
	touch $@

demo: dev  ## install into .venv and print the front of a data set that ships with scikit-learn
	$(BIN)/python examples/breast_cancer.py

fmt: dev  ## format and fix the Python and Rust sources
	$(BIN)/ruff check --fix python tests benchmarks examples
	$(BIN)/ruff format python tests benchmarks examples
	cargo fmt --all

lint: dev  ## check style
	$(BIN)/ruff check python tests benchmarks examples
	cargo clippy --workspace --all-targets --release --quiet -- -D warnings

test: dev  ## run all tests
	cargo test --workspace --release --quiet
	$(BIN)/python -m pytest

check: lint test  ## lint and test: what continuous integration runs

prove: dev  ## compare with the oracle for PROVE_SECONDS, then on the slow data sets
	cargo run --release --quiet --example prove $(PROVE_SECONDS) $(PROVE_SEED)
	PARETREE_CASES=30000 PARETREE_SEED=$(PROVE_SEED) cargo test --release --quiet --test windows --test questions
	PARETREE_CASES=2000 PARETREE_SEED=$(PROVE_SEED) cargo test --release --quiet --test kernels --test stairs --test fronts
	cargo test --release --test data -- --include-ignored --nocapture
	PARETREE_CASES=$(PROVE_CASES) PARETREE_SEED=$(PROVE_SEED)000 $(BIN)/python -m pytest tests/test_best.py tests/test_bounds.py tests/test_levels.py

bench: dev  ## measure fronts and best trees beside the rivals: benchmarks/README.md
	$(BIN)/python -m pip install --quiet '.[bench]'
	$(BIN)/python -m benchmarks.fronts --data $(DATA)
	$(BIN)/python -m benchmarks.metrics --data $(DATA)

docs: dev  ## run the code of the README
	$(BIN)/python -m pytest tests/test_readme.py

clean:  ## remove what was built
	rm -rf $(VENV) target .pytest_cache .ruff_cache

.PHONY: help dev demo fmt lint test check prove bench docs clean
