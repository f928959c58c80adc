# Every target makes its own environment first. `make help` lists them.
PYTHON ?= python3
MINUTES ?= 10
VENV ?= .venv
BIN = $(VENV)/bin
PIP = $(BIN)/python -m pip install --quiet --disable-pip-version-check
COMPILE = build/hashes/bin/uv pip compile --quiet --universal --python-version 3.11 --generate-hashes --no-annotate --no-header
SOURCES = subdrift linter rules spark_jobs tests

.PHONY: help demo test quick lint check format lowest validate golden screenshots hostile fuzz faults hashes sbom audit bench bench-real ecosystem oracle broker-test mutants bundle clean

help:  ## list the targets
	@sed -n 's/^\([a-z-]*\):.*## /\1\t/p' $(MAKEFILE_LIST) | expand -t 14

$(VENV)/bin/python:
	$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11) and "Python 3.11 or newer is needed")'
	$(PYTHON) -m venv $(VENV)

$(VENV)/.demo: pyproject.toml constraints.txt | $(VENV)/bin/python
	$(PIP) --constraint constraints.txt --editable .
	@touch $@

$(VENV)/.dev: pyproject.toml hashes.txt | $(VENV)/bin/python
	$(PIP) --require-hashes --requirement hashes.txt
	$(PIP) --no-deps --no-build-isolation --editable .
	@touch $@ $(VENV)/.demo

demo: $(VENV)/.demo  ## check the sample organisation and explain what is found (no Java needed)
	@$(BIN)/subdrift check --org fixtures/orgs/shop --no-cache --fail-on never
	@$(BIN)/subdrift explain divergent-tags

test: $(VENV)/.dev  ## run every test; those on Spark need Java 17
	$(BIN)/python -m pytest -n 2 --dist loadfile -m 'not spark'
	$(BIN)/python -m pytest -m spark

quick: $(VENV)/.dev  ## lint, and the tests of the rooms that differ from main: about a minute
	@$(BIN)/python -m tests.quick

lint: $(VENV)/.dev  ## format, lint, types, import contracts
	$(BIN)/ruff format --check $(SOURCES)
	$(BIN)/ruff check $(SOURCES)
	$(BIN)/mypy
	$(BIN)/lint-imports

check: lint test  ## the whole gate

format: $(VENV)/.dev  ## format the sources
	$(BIN)/ruff format $(SOURCES)
	$(BIN)/ruff check --fix $(SOURCES)

lowest:  ## the tests with the lowest release of each dependency, and with other Pythons: make lowest PYTHONS='python3.12 …'
	$(PYTHON) -m tests.lowest $(PYTHONS)

validate: $(VENV)/.dev  ## the reports before the tools that are to read them (needs npm; Go for reviewdog, chromium for the page)
	$(BIN)/python -m tests.validate

golden: $(VENV)/.dev  ## rewrite the expected outputs; read each changed line
	SUBDRIFT_GOLDEN=write $(BIN)/python -m pytest -q -m 'not spark' tests/test_golden.py tests/test_docs.py tests/report tests/broker/test_rollout.py \
	  tests/broker/test_predictions.py

screenshots: $(VENV)/.dev  ## the pictures of the page in docs/ (needs chromium and chromedriver)
	$(BIN)/python -m tests.report.screenshots > /dev/null

hostile: $(VENV)/.dev  ## the robustness suite: files, streams, signals, faults (minutes)
	SUBDRIFT_HOSTILE=1 $(BIN)/python -m pytest -n 2 --dist worksteal -m 'not spark' tests/hostile tests/fuzz tests/adopt/test_histories.py
	SUBDRIFT_HOSTILE=1 $(BIN)/python -m pytest tests/spark/test_publishing.py

fuzz: $(VENV)/.dev  ## mutate every kind of input for MINUTES (10)
	$(BIN)/python -m tests.fuzz --minutes $(MINUTES) $(ARGS)

faults: $(VENV)/.dev  ## damage and kill at random what runs go by, for MINUTES (10), and compare each answer (Spark needs Java 17)
	$(BIN)/python -m tests.faults --minutes $(MINUTES) $(ARGS)

bundle: $(VENV)/.dev  ## dist/subdrift, a folder that needs no Python, tested, with Maven and Gradle where they are installed
	$(PYTHON) -m venv build/bundle
	build/bundle/bin/python -m pip install --quiet --disable-pip-version-check --require-hashes --requirement .ci/bundle/requirements.txt
	build/bundle/bin/python -m pip install --quiet --disable-pip-version-check --no-deps --no-build-isolation --force-reinstall .
	build/bundle/bin/pyinstaller --noconfirm --log-level WARN --workpath build/pyinstaller .ci/bundle/subdrift.spec
	SUBDRIFT_BUNDLE=$(CURDIR)/dist/subdrift/subdrift $(BIN)/python -m pytest tests/adopt/test_bundle.py
	tar -C dist -czf dist/subdrift-$$(dist/subdrift/subdrift --version | cut -d ' ' -f 2)-$$(uname -s | tr A-Z a-z)-$$(uname -m).tar.gz subdrift

hashes:  ## write the files of hashes anew, as constraints.txt pins: of everything, of what runs, and of what is bundled, for any platform
	$(PYTHON) -m venv build/hashes
	build/hashes/bin/python -m pip install --quiet --disable-pip-version-check uv==0.13.9
	$(COMPILE) --output-file hashes.txt constraints.txt
	echo setuptools > build/hashes/build.in
	$(COMPILE) --constraint constraints.txt --output-file requirements.txt pyproject.toml build/hashes/build.in
	echo pyinstaller==6.22.3 > build/hashes/bundle.in
	$(COMPILE) --constraint constraints.txt --output-file .ci/bundle/requirements.txt pyproject.toml build/hashes/build.in build/hashes/bundle.in

sbom:  ## write dist/sbom.json, what a release is made of, as CycloneDX
	$(PYTHON) -m venv build/sbom
	build/sbom/bin/python -m pip install --quiet --disable-pip-version-check cyclonedx-bom==7.5.0
	mkdir -p dist
	build/sbom/bin/cyclonedx-py requirements constraints.txt --pyproject pyproject.toml --output-reproducible --of JSON -o dist/sbom.json

audit:  ## known vulnerabilities of what constraints.txt pins, where the registry answers
	.ci/audit

bench: $(VENV)/.dev  ## a table of budgets and what was measured: make bench TREES='path …' ARGS='--only start hook' (needs ripgrep; Java 17 for Spark)
	$(BIN)/python -m tests.bench $(TREES) $(ARGS)

bench-real: $(VENV)/.dev  ## what cold runs over real repositories cost: make bench-real CHECKOUTS=DIR ARGS='--base TREE'
	$(BIN)/python -m tests.bench.real $(ARGS) $(CHECKOUTS)

ecosystem: $(VENV)/.dev  ## score real repositories: make ecosystem CHECKOUTS=DIR
	$(BIN)/python -m tests.ecosystem $(CHECKOUTS)

oracle: $(VENV)/.dev  ## score generated programs whose truth is their run (needs a JDK 17), and recorded ones with knowledge taken away: make oracle ARGS='--seed 1 --exact 0.98'
	$(BIN)/python -m tests.oracle --programs 2000 --jobs 2 $(ARGS)
	$(BIN)/python -m tests.oracle.ablation --jobs 2
	$(BIN)/python -m tests.oracle.sequences
	$(BIN)/python -m tests.oracle.bombs

broker-test: $(VENV)/.dev  ## compare the model with real brokers (minutes; needs Java 17, Maven, a network namespace)
	$(BIN)/python -m tests.brokertest $(ARGS)

MUTANTS ?= 60
mutants: $(VENV)/.dev  ## change one thing at a time, and count what the tests notice (not part of the gate)
	$(BIN)/python -m tests.mutants linter/report/cost.py tests/report/test_cost.py --most $(MUTANTS)
	$(BIN)/python -m tests.mutants linter/broker/selector/outcomes.py tests/broker/test_selector_outcomes.py tests/test_cases.py --most $(MUTANTS)
	$(BIN)/python -m tests.mutants linter/stages/verdicts.py tests/stages tests/rules tests/test_cases.py --most $(MUTANTS)
	$(BIN)/python -m tests.mutants linter/stages/examples.py tests/stages/test_examples.py --most $(MUTANTS)
	$(BIN)/python -m tests.mutants linter/stages/membership.py tests/stages/test_membership.py --most $(MUTANTS)
	$(BIN)/python -m tests.mutants linter/resolve/owners.py tests/resolve/test_owners.py --most $(MUTANTS)
	for one in closed_form topic_form partition shape; do $(BIN)/python -m tests.mutants linter/broker/$$one.py \
	  tests/broker/test_predictions.py tests/broker/test_partition.py tests/broker/test_closed_form.py tests/broker/test_members.py \
	  tests/broker/test_predict.py tests/report/test_cost.py tests/broker/test_crowd.py tests/broker/test_simulation_agreement.py --most $(MUTANTS) || exit 1; done

clean:  ## remove the environment and caches
	rm -rf $(VENV) .mypy_cache .ruff_cache .pytest_cache .hypothesis .import_linter_cache build dist
