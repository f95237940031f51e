# `make` builds all games into output/; `make test` runs the tests. Both install what they need into .venv first.
PYTHON ?= python3
VENV ?= .venv
BIN = $(VENV)/bin

# File by file on each core: what tests of a file share is made once. tests/conftest.py says in which order.
XDIST = -n auto --dist loadfile --no-loadscope-reorder

.PHONY: lock all build install test slow release-check explore check format affected coverage pictures reference packs site-docs pages bench bench-engine clean

all: build

build: install
	$(BIN)/pnp build
	$(BIN)/pnp validate

install: $(VENV)/.installed

$(VENV)/.installed: pyproject.toml constraints.txt
	$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11) and "Python 3.11 or newer is needed: make PYTHON=python3.12")'
	$(PYTHON) -m venv $(VENV)
	$(BIN)/python -m pip install --quiet --require-hashes --requirement constraints.txt
	$(BIN)/python -m pip install --quiet --no-deps --no-build-isolation --editable .
	touch $@

$(VENV)/.installed-dev: $(VENV)/.installed constraints-dev.txt
	$(BIN)/python -m pip install --quiet --require-hashes --requirement constraints-dev.txt
	touch $@

test: $(VENV)/.installed-dev
	$(BIN)/python -m pytest $(XDIST) -m 'not slow' $(if $(ORDER),--random-order-seed=$(ORDER))

# One worker more than cores: tests of pages wait for browsers.
slow: $(VENV)/.installed-dev
	$(BIN)/python -m pytest $(XDIST) -n $$(($$(getconf _NPROCESSORS_ONLN) + 1)) -m 'slow and not release'

# What takes too long for every change: property tests with four times as many examples, every Python that is installed, an
# empty machine.
release-check: build
	$(MAKE) $(VENV)/.installed-dev
	.ci/verapdf --prepare
	$(BIN)/python -m pytest $(XDIST) --hypothesis-profile=thorough -m 'hypothesis or release'
	rm -rf $(VENV)/dist
	.ci/dist $(VENV)/dist $(BIN)/python
	.ci/pythons $(VENV)/dist/*.whl
	.ci/room $(VENV)/dist/*.whl

explore: $(VENV)/.installed-dev
	$(BIN)/python -m pytest $(XDIST) --hypothesis-profile=explore -m 'not slow'

check: $(VENV)/.installed-dev
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy

format: $(VENV)/.installed-dev
	$(BIN)/ruff check --fix .
	$(BIN)/ruff format .

# The first run is slow: it records which code each test runs.
affected: $(VENV)/.installed-dev
	$(BIN)/python -m pytest $(XDIST) --testmon -m 'not slow'

coverage: $(VENV)/.installed-dev
	$(BIN)/coverage run -m pytest
	$(BIN)/coverage report

# A browser (chromium) takes the picture of the table.
pictures: $(VENV)/.installed-dev
	$(BIN)/python docs/pictures.py

reference: install
	$(BIN)/python docs/reference.py

# The checksums in packs/*/pack.yaml, after a change of a starter, look or sign.
packs: install
	$(BIN)/python bench/pack_sums.py

# The documentation as a site in docs-site/; it fails if a link leads nowhere.
site-docs: $(VENV)/.installed-dev
	NO_MKDOCS_2_WARNING=1 $(BIN)/mkdocs build --strict

# Documentation and program in one folder for any static host: docs-site/, with the program in docs-site/try/.
pages: export TRY_IT = try/
pages: site-docs
	$(BIN)/pnp site --out docs-site/try --docs ../index.html

bench: $(VENV)/.installed-dev
	$(PYTHON) -m venv $(VENV)/peers
	$(VENV)/peers/bin/python -m pip install --quiet typst weasyprint skia-python
	$(BIN)/python bench/run.py --peers $(VENV)/peers/bin/python

bench-engine: $(VENV)/.installed-dev
	$(PYTHON) -m venv $(VENV)/spiel
	$(VENV)/spiel/bin/python -m pip install --quiet open_spiel
	$(BIN)/python bench/run.py --cases games --peers $(VENV)/spiel/bin/python

# New versions of what we depend on: delete the lines of constraints-dev.txt that may change, then lock.
LOCK = $(VENV)/lock/bin/uv pip compile --quiet --universal --python-version 3.11.5 --generate-hashes --no-header \
	--no-annotate --constraint $(VENV)/lock/versions.txt pyproject.toml $(VENV)/lock/build.txt

lock:
	$(PYTHON) -m venv $(VENV)/lock
	$(VENV)/lock/bin/pip install --quiet uv
	printf 'hatchling>=1.27\neditables>=0.5\n' >$(VENV)/lock/build.txt
	grep -o '^[A-Za-z0-9._-]*==[^ ]*' constraints-dev.txt >$(VENV)/lock/versions.txt
	(sed '/^[^#]/,$$d' constraints.txt; $(LOCK)) >$(VENV)/lock/constraints.txt
	(sed '/^[^#]/,$$d' constraints-dev.txt; $(LOCK) --all-extras) >$(VENV)/lock/constraints-dev.txt
	mv $(VENV)/lock/constraints.txt $(VENV)/lock/constraints-dev.txt .

clean:
	rm -rf $(VENV) site docs-site .pytest_cache .hypothesis output/*
