# Everything runs in a virtual environment of its own, and by the names in its bin/: `python -m`
# at the root would put the root first on the import path, where the folder encodings/ has no business.

PYTHON ?= python3
VENV   ?= .venv
BUILD  ?= build
export SKBUILD_BUILD_DIR ?= $(BUILD)/{wheel_tag}
# Without compiled files, each process of the tests reads all test files for 12 seconds, and with them for 6.
unexport PYTHONDONTWRITEBYTECODE
BIN    := $(VENV)/bin
PIP    := $(BIN)/pip --disable-pip-version-check --quiet

# The words of a list in pyproject.toml, which alone says what is needed to build and to test.
listed = $$($(BIN)/python -c 'import tomllib; print(*tomllib.load(open("pyproject.toml", "rb"))$(1))')

# A message passed on: thread 0 stores, thread 1 waits for it and stores, thread 2 waits for that.
DEMO_TEST := 0011-00_01012-10_0
DEMO      := $(BUILD)/demo

# Tests by file, each file in one of some processes, as many as there are processors.
# In the order of tests/conftest.py; the usual one has the files of few tests last, and those here take the longest.
SIDE_BY_SIDE := --numprocesses=$(shell getconf _NPROCESSORS_ONLN) --maxprocesses=8 \
    --dist=loadfile --no-loadscope-reorder
SANITIZED    := $(BUILD)/sanitized
SECONDS      ?= 60

# For `make dist`: what builds wheels and tries them. Those that are not there are passed over.
PYTHONS ?= $(PYTHON) python3.11 python3.12 python3.13 python3.14
DIST    ?= dist

.PHONY: help demo test test-full exhaustive mutations sanitize fuzz promote lint format types bench stubs schemas reference pictures corpora explorer dist install site clean

help: ## list the targets
	@awk -F ':.*## ' '/^[a-z-]+:.*## / { printf "  make %-11s %s\n", $$1, $$2 }' $(MAKEFILE_LIST)

demo: $(VENV)/.installed ## install into .venv, enumerate all tests of 3x4, run one as C++, and write a page of all
	@rm -rf $(DEMO) && mkdir -p $(DEMO)
	$(BIN)/synth enumerate --bounds 3x4 --out $(DEMO)/3x4.corpus
	$(BIN)/synth emit --target cpp $(DEMO_TEST) --out $(DEMO)/cpp
	$(MAKE) --no-print-directory -C $(DEMO)/cpp
	$(MAKE) --no-print-directory -C $(DEMO)/cpp run
	$(BIN)/synth explore $(DEMO)/3x4.corpus --out $(DEMO)/3x4.html
	@echo 'To look at the tests, open this address in a browser: file://$(abspath $(DEMO))/3x4.html'

test: $(VENV)/.tests ## the quick tests, two or three minutes of a processor
	$(BIN)/pytest $(SIDE_BY_SIDE)

test-full: $(VENV)/.tests $(VENV)/.kernels $(VENV)/.sources ## the slower tests: larger samples, real components, the wheel
	$(BIN)/pytest $(SIDE_BY_SIDE) -m "(full or hypothesis) and not exhaustive"

exhaustive: $(VENV)/.tests $(VENV)/.kernels $(VENV)/.sources ## the tests that take long: before a release
	$(BIN)/pytest $(SIDE_BY_SIDE) -m exhaustive

mutations: $(VENV)/.tests ## plant each fault of tests/mutations/faults.toml in a copy and see the tests catch it
	$(BIN)/python -P tests/mutations/run.py

# An environment without a pip of its own, which finds all but the package in $(VENV). The C++ library must be there when
# ASan looks for what throws; Python itself leaks, and what the core leaks tests/native asks.
sanitize: $(VENV)/.tests ## the tests of the checker, of devices and of launches with the native module under ASan and UBSan, a few minutes
	@$(BIN)/python -P -m venv --clear --without-pip $(SANITIZED)/venv
	@set -e; purelib='import sysconfig; print(sysconfig.get_path("purelib"))'; \
	site=$$($(SANITIZED)/venv/bin/python -c "$$purelib"); \
	SKBUILD_CMAKE_DEFINE=SYNTH_SANITIZE=ON SKBUILD_BUILD_DIR=$(SANITIZED)/build \
	    $(PIP) install --no-build-isolation --no-deps --target "$$site" .; \
	$(BIN)/python -c "$$purelib" > "$$site/tools.pth"; \
	grep -q __asan_init "$$site"/synth_checker/_native*.so
	LD_PRELOAD="$$($(CXX) -print-file-name=libasan.so) $$($(CXX) -print-file-name=libstdc++.so)" \
	    ASAN_OPTIONS=detect_leaks=0 $(SANITIZED)/venv/bin/python -P -m pytest tests/checker tests/devices tests/kernels/progress/test_core_space.py

fuzz: $(VENV)/.tests ## new inputs for the core and for each reader: make fuzz SECONDS=600
	FUZZ_SECONDS=$(SECONDS) $(BIN)/pytest -m '' tests/native tests/checker/test_fuzz.py tests/corpus/test_fuzz.py -k 'any or damaged'

promote: $(VENV)/.tests ## write the golden files anew; look at the difference before it is committed
	SYNTH_PROMOTE=1 $(BIN)/pytest -m '' -k golden

lint: $(VENV)/.tests ## style of the Python code, its names, and the prose
	$(BIN)/ruff check
	$(BIN)/ruff format --check
	$(BIN)/python docs/tools/lint.py
	$(BIN)/python docs/tools/names.py

format: $(VENV)/.tests ## mend what `make lint` finds, where that needs no thought
	$(BIN)/ruff check --fix
	$(BIN)/ruff format

types: $(VENV)/.tests ## static types
	$(BIN)/mypy

bench: $(VENV)/.installed ## the benchmarks
	@set -e; for script in bench/*.py; do echo "== $$script"; $(BIN)/python $$script; done

stubs: $(VENV)/.tests ## write _native.pyi anew from the built module
	$(BIN)/python -P -m nanobind.stubgen -m synth_checker._native -o checker/synth_checker/_native.pyi

schemas: $(VENV)/.installed ## write the JSON Schemas anew from the types
	$(BIN)/python -P -m synth_corpus.schema
	$(BIN)/python -P -m synth.schema

reference: $(VENV)/.installed ## write the pages that code writes, and the stubs of synth/ anew from the code
	$(BIN)/python -P docs/reference.py
	$(BIN)/python -P docs/flows.py
	$(BIN)/python -P docs/signatures.py

site: $(VENV)/.site ## all pages as a site with search, in build/site, and the man page of synth; asks the network for nothing
	$(BIN)/sphinx-build --quiet --fail-on-warning --keep-going -b html -d $(BUILD)/site-trees docs $(BUILD)/site
	$(BIN)/sphinx-build --quiet --fail-on-warning --keep-going -b man -d $(BUILD)/site-trees docs $(BUILD)/man
	@echo 'The site: file://$(abspath $(BUILD))/site/index.html'
	@echo 'The man page: man $(abspath $(BUILD))/man/synth.1'

pictures: $(VENV)/.tests ## write the pictures of README.md and of the results anew
	$(BIN)/python -P docs/pictures.py

corpora: $(VENV)/.installed ## write the corpora that ship with the package anew
	$(BIN)/python -P -m synth_search.enumeration.shipped_corpora

explorer: ## build the page of synth explore anew, with npm and what its lockfile names
	@command -v npm >/dev/null || { echo 'make explorer needs npm, which is missing: sudo apt install npm' >&2; exit 1; }
	@cd explorer/page && npm ci --ignore-scripts --no-audit --no-fund --loglevel=error && npx tsc && node build.mjs

dist: $(VENV)/.dist ## what is released, into dist/: the sdist and the wheels, checked and tried; PYTHONS='...' names Pythons
	@$(BIN)/python -P release/dist.py $(DIST) $(PYTHONS)

install: $(VENV)/.installed ## just the command, as .venv/bin/synth

clean: ## remove everything made here, the virtual environment included
	rm -rf $(VENV) $(BUILD) dist .hypothesis .mypy_cache .pytest_cache .ruff_cache
	find . -name __pycache__ -prune -exec rm -rf {} +

# $(call need,COMMAND,PACKAGE): one line, and no more, where a prerequisite is missing.
need = @$(1) >/dev/null 2>&1 || { echo 'synth needs $(2), which is missing: sudo apt install $(2)' >&2; exit 1; }

$(VENV)/.tools: pyproject.toml
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' || \
	    { echo 'synth needs Python 3.11 or newer; name one: make PYTHON=python3.12' >&2; exit 1; }
	$(call need,$(PYTHON) -c 'import ensurepip',python3-venv)
	$(call need,test -e "$$($(PYTHON) -c 'import sysconfig; print(sysconfig.get_path("include"))')/Python.h",python3-dev)
	$(call need,command -v $(CXX),g++)
	@mkdir -p $(VENV) $(BUILD) 2>/dev/null || { echo 'synth may not write into this folder; name others:' \
	    'make VENV=/tmp/synth/venv BUILD=/tmp/synth/build' >&2; exit 1; }
	@echo 'Installing into $(VENV); this takes a minute or two.'
	@$(PYTHON) -P -m venv $(VENV)
	@$(PIP) install $(call listed,["build-system"]["requires"]) cmake ninja
	@touch $@

# Apart from the package itself, which is built without isolation: a dependency that has no wheel for this Python is built
# in isolation, with the tools that it asks for.
$(VENV)/.needed: $(VENV)/.tools
	@$(PIP) install $(call listed,["project"]["dependencies"])
	@touch $@

# Editable: a change of Python code is there at once. Not isolated: a change of C++ code compiles what changed.
$(VENV)/.installed: $(VENV)/.needed CMakeLists.txt $(wildcard checker/native/*/*)
	@$(PIP) install --no-build-isolation --no-deps --editable .
	@touch $@

$(VENV)/.dist: $(VENV)/.tools
	@$(PIP) install $(call listed,["project"]["optional-dependencies"]["dist"])
	@touch $@

$(VENV)/.tests: $(VENV)/.installed
	@$(PIP) install $(call listed,["project"]["optional-dependencies"]["test"])
	@touch $@

$(VENV)/.site: $(VENV)/.installed
	@$(PIP) install $(call listed,["project"]["optional-dependencies"]["site"])
	@touch $@

# A compiler of 400 MB, which only the slower tests need.
$(VENV)/.kernels: $(VENV)/.installed
	@$(PIP) install $(call listed,["project"]["optional-dependencies"]["kernels"])
	@touch $@

# Kernels of others, from Debian. Without the network, the tests that need them are deselected.
$(VENV)/.sources: docs/measured/kernels.py | $(VENV)/.installed
	@if $(BIN)/python -P docs/measured/kernels.py fetch oclgrind; then touch $@; fi
