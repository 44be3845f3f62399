# The two commands of the README, `make demo` and `make test`, and what they need.
# They use python3, make and a C compiler; everything else is installed into .venv from requirements.lock.

PYTHON ?= python3
CORES ?= all
# Every job is a Python that starts: without compiled bytecode its imports take three times as long.
unexport PYTHONDONTWRITEBYTECODE
VENV := .venv
BIN := $(VENV)/bin
# For programs that start sslrank or others by name.
IN_VENV := PATH="$(CURDIR)/$(BIN):$$PATH"
INSTALLED := $(VENV)/.installed
BUILT := $(VENV)/.built
COMPILED := $(shell find src -name '*.pyx' -o -name '*.pxd' -o -name '*.h') setup.py pyproject.toml

FUZZ_CASES ?= 20000
FUZZ_FITS ?= 1300
FUZZ_SEED ?= 1
SEED ?= 1
N ?= 30

.PHONY: help demo test test-all lint lint-kernels lint-rules docs picture forge sanitize sanitize-threads fuzz mutants \
	wheels oldest install lock digests durations clean

help:
	@echo "make demo      run the demo study and say where its results page is"
	@echo "make test      check the style and run the tests"
	@echo "make test-all  also the tests marked exhaustive"
	@echo "make docs      build the documentation and say where its first page is"
	@echo "make picture   renew the picture on the documentation's front page (Chromium)"
	@echo "make fuzz      FUZZ_CASES mutated data files of each kind, FUZZ_FITS cases of each ranker (tests/fuzz/README.md)"
	@echo "make mutants   plant N bugs drawn by SEED in a copy of the sources, and list those that no test finds"
	@echo "make lint      only check the style"
	@echo "make sanitize  kernels with checked indices, AddressSanitizer, UBSan, and without instruction sets of their own (gcc)"
	@echo "make sanitize-threads  fits with four threads under the thread sanitizer (gcc, Linux)"
	@echo "make wheels    a wheel and a source distribution in build/wheels, tried outside of the checkout (Linux)"
	@echo "make forge     check workflows of the forge, citation, container and conda recipes"
	@echo "make oldest    the quick tests with the oldest versions that pyproject.toml allows"
	@echo "make install   only create .venv"
	@echo "make lock      renew requirements.lock and the pins in envs/ (needs the tool uv)"
	@echo "make digests   renew the digests of what methods and evaluators compute on small tables (src/sslrank/benchmark/digests.csv)"
	@echo "make durations  renew workflow/durations.csv, the walltimes of a cluster's jobs, from the archive"
	@echo "make clean     remove .venv and the compiled files; results and downloads stay"

demo: $(BUILT)
	$(BIN)/snakemake --cores $(CORES) demo
	$(BIN)/sslrank rank results/data/automobile/table.parquet --target Symboling --effort quick --out results/demo/automobile.html
	@echo "Open results/demo/report.html, and results/demo/automobile.html for one of its tables as a table of your own."

# Each worker imports everything first.
PYTEST = $(BIN)/python -m pytest -n $$(getconf _NPROCESSORS_ONLN) --dist worksteal
test: lint
	$(PYTEST)

test-all: lint
	$(IN_VENV) $(PYTEST) -m ""

lint: $(BUILT)
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	@$(MAKE) --no-print-directory --jobs 2 lint-kernels lint-rules

# cython-lint would start pycodestyle for each file; these are what it leaves out, as Cython writes them in other ways.
NOT_CYTHON := E121,E123,E126,E133,E203,E211,E225,E226,E227,E241,E242,E251,E271,E272,E275,E4,E704,E9,W5
lint-kernels:
	$(BIN)/cython-lint --no-pycodestyle src
	$(BIN)/pycodestyle --filename='*.pyx,*.pxd' --ignore=$(NOT_CYTHON) --max-line-length=120 src

lint-rules:
	$(IN_VENV) $(BIN)/snakefmt --check Snakefile workflow
	$(BIN)/snakemake --lint

# Sphinx and its extensions are installed at the first `make docs` only.
TOOLS := $(VENV)/.tools
docs: $(BUILT) $(TOOLS)
	$(IN_VENV) $(BIN)/python -m sphinx -W --keep-going --quiet -j auto -d build/docs src/docs results/docs
	$(BIN)/python -m pytest -q -p no:cacheprovider tests/docs/test_site.py
	@echo "Open results/docs/index.html in a browser."

# The page of the tour's first command. It is renewed by hand, as every browser draws other bits.
picture: $(BUILT)
	$(IN_VENV) $(BIN)/python src/docs/picture.py

$(TOOLS): envs/tools.lock $(INSTALLED)
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --no-compile --require-hashes -r envs/tools.lock
	@touch $@

# Files that only a forge, a container builder or conda-forge runs.
forge: $(TOOLS)
	$(BIN)/actionlint .github/workflows/*.yml
	$(BIN)/check-jsonschema --builtin-schema vendor.github-workflows .github/workflows/*.yml
	$(BIN)/check-jsonschema --builtin-schema vendor.citation-file-format CITATION.cff
	$(BIN)/hadolint --ignore DL3008 envs/Dockerfile
	$(BIN)/python -c 'import rattler_build as r; r.Stage0Recipe.from_yaml(open("envs/recipe/recipe.yaml").read())'
	$(BIN)/rocrate-validator --no-interactive validate --no-paging --profile-identifier workflow-ro-crate .

fuzz: $(BUILT)
	FUZZ_CASES=$(FUZZ_CASES) FUZZ_SEED=$(FUZZ_SEED) $(PYTEST) tests/fuzz/test_readers.py
	FUZZ_CASES=$(FUZZ_FITS) FUZZ_SEED=$(FUZZ_SEED) $(PYTEST) tests/fuzz/test_rankers.py

mutants: $(BUILT) $(TOOLS)
	$(BIN)/python tests/mutants.py --seed $(SEED) -n $(N)

# A copy of the sources is compiled apart. The library of the sanitizer must be loaded before Python. 24 cases of each
# ranker are some 2,200 fits.
SANITIZED := build/sanitized
SANITIZER = LD_PRELOAD="$$(gcc -print-file-name=libasan.so) $$(gcc -print-file-name=libubsan.so)" \
  ASAN_OPTIONS=detect_leaks=0 PYTHONPATH=$(CURDIR)/$(SANITIZED)/src $(CURDIR)/$(BIN)/python
KERNEL_TESTS := tests/rankers/trees tests/rankers/relief tests/rankers/graph tests/evaluation/test_curves.py \
  tests/models
sanitize: $(BUILT)
	rm -rf $(SANITIZED) && mkdir -p $(SANITIZED)
	cp -r src setup.py pyproject.toml README.md $(SANITIZED)
	find $(SANITIZED)/src \( -name '*.so' -o -name '*.c' \) -delete
	cd $(SANITIZED) && SSLRANK_DEBUG_CYTHON=1 CC=gcc LDFLAGS="-fsanitize=address,undefined" \
	  CFLAGS="-g1 -fsanitize=address,undefined -fno-sanitize-recover=undefined -DSSLRANK_NO_CLONES -Wno-psabi" \
	  $(CURDIR)/$(BIN)/python setup.py -q build_ext --inplace
	FUZZ_CASES=24 FUZZ_SEED=$(FUZZ_SEED) $(SANITIZER) -m pytest -q -p no:cacheprovider tests/fuzz/test_rankers.py
	$(SANITIZER) -m pytest -q -p no:cacheprovider -m "not slow and not exhaustive" $(KERNEL_TESTS)
	cd tests && $(SANITIZER) -m fuzz.digest > ../$(SANITIZED)/plain.txt
	cd tests && PYTHONPATH=../src ../$(BIN)/python -m fuzz.digest > ../$(SANITIZED)/usual.txt
	@diff $(SANITIZED)/plain.txt $(SANITIZED)/usual.txt && echo "Instruction sets decide no bit."

# Neither Python nor BLAS is compiled for the thread sanitizer, so BLAS runs on one thread: its threads would be reported
# as races.
THREADED := build/threaded
sanitize-threads: $(BUILT)
	rm -rf $(THREADED) && mkdir -p $(THREADED)
	cp -r src setup.py pyproject.toml README.md $(THREADED)
	find $(THREADED)/src \( -name '*.so' -o -name '*.c' \) -delete
	cd $(THREADED) && CC=gcc LDFLAGS="-fsanitize=thread" \
	  CFLAGS="-g1 -fsanitize=thread -DSSLRANK_NO_CLONES -Wno-psabi" $(CURDIR)/$(BIN)/python setup.py -q build_ext --inplace
	LD_PRELOAD="$$(gcc -print-file-name=libtsan.so)" TSAN_OPTIONS=halt_on_error=1 OPENBLAS_NUM_THREADS=1 \
	  PYTHONPATH=$(CURDIR)/$(THREADED)/src:$(CURDIR)/tests setarch -R $(BIN)/python -m fuzz.digest --jobs 4

# A wheel for every Linux with glibc, made from the source distribution. All tests but those of the documents run with it
# where there are no sources and no compiler, only what a user of the workflow has.
WHEELS := build/wheels
OUTSIDE := $(WHEELS)/outside
AWAY := env -u PYTHONPATH CC=false PATH="$(CURDIR)/$(WHEELS)/venv/bin:$$PATH"
wheels: $(BUILT)
	rm -rf $(WHEELS) && mkdir -p $(OUTSIDE)/results
	cp -r tests workflow profiles envs config.yaml Snakefile pyproject.toml requirements.lock README.md $(OUTSIDE)
	cp -r results/README.md results/archive results/summaries $(OUTSIDE)/results
	$(BIN)/python -m build --no-isolation --outdir $(WHEELS)
	$(IN_VENV) $(BIN)/auditwheel repair --strip --wheel-dir $(WHEELS)/repaired $(WHEELS)/*.whl
	$(PYTHON) -m venv $(WHEELS)/venv
	$(AWAY) pip install --quiet --require-hashes -r requirements.lock
	$(AWAY) pip install --quiet --no-deps --no-index $(WHEELS)/repaired/*.whl
	cd $(OUTSIDE) && $(AWAY) python -m pytest -q -n logical --dist worksteal --ignore tests/docs
	cd tests && PYTHONPATH=../src ../$(BIN)/python -m fuzz.digest > ../$(WHEELS)/checkout.txt
	cd $(OUTSIDE)/tests && $(AWAY) python -m fuzz.digest > $(CURDIR)/$(WHEELS)/wheel.txt
	@diff $(WHEELS)/checkout.txt $(WHEELS)/wheel.txt && echo "The wheel gives the same bits as the checkout."

# The library and its tests with the oldest versions that pyproject.toml allows, the build tools' included.
OLDEST := build/oldest
oldest:
	rm -rf $(OLDEST) && $(PYTHON) -m venv $(OLDEST)
	$(OLDEST)/bin/python -m pip install --quiet --disable-pip-version-check --require-hashes -r envs/oldest.lock
	$(OLDEST)/bin/python -m pip install --quiet --disable-pip-version-check --no-build-isolation --no-deps .
	$(OLDEST)/bin/python -m pytest -q -p no:cacheprovider -m "not slow and not exhaustive" \
	  $(addprefix tests/,core stats metrics model_selection models rankers evaluation plotting tabular)

install: $(BUILT)

# The lock file pins every package with its hashes, the build tools included, so nothing else is fetched. Python
# compiles what it imports, at its first import; pip would compile all of it. The C compiler needs three of the packages,
# and works while the others are installed; where it fails, the next rule says why.
PIP_INSTALL = $(BIN)/python -m pip install --quiet --disable-pip-version-check
COMPILE = $(BIN)/python setup.py --quiet build_ext --inplace
$(INSTALLED): requirements.lock
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' 2>/dev/null || \
	  { echo "sslrank needs Python 3.11 or newer; '$(PYTHON)' is $$($(PYTHON) -V 2>&1). Name another one with: make PYTHON=python3.12" >&2; exit 1; }
	@rm -rf $(VENV)
	@$(PYTHON) -m venv $(VENV) >/dev/null || \
	  { rm -rf $(VENV); echo "'$(PYTHON) -m venv' does not work here; install Python's venv module (on Debian and Ubuntu: the package python3-venv)." >&2; exit 1; }
	@awk '/^[a-z]/ { wanted = /^(cython|numpy|setuptools)==/ } wanted' requirements.lock >$(VENV)/compiler.lock
	$(PIP_INSTALL) --no-compile --require-hashes -r $(VENV)/compiler.lock
	@$(COMPILE) >$(VENV)/compiler.log 2>&1 & echo "$(PIP_INSTALL) --no-compile --require-hashes -r requirements.lock"; \
	  $(PIP_INSTALL) --no-compile --require-hashes -r requirements.lock; installed=$$?; wait; exit $$installed
	@touch $@

$(BUILT): $(INSTALLED) $(COMPILED)
	@cc=$$($(BIN)/python -c 'import os, sysconfig; print((os.environ.get("CC") or sysconfig.get_config_var("CC") or "cc").split()[0])'); \
	  command -v "$$cc" >/dev/null || \
	  { echo "sslrank compiles a part of itself and needs the C compiler '$$cc', which is not there; install one (on Debian and Ubuntu: the package gcc) or name yours with CC=..." >&2; exit 1; }
	@test -f "$$($(BIN)/python -c 'import sysconfig; print(sysconfig.get_path("include"))')/Python.h" || \
	  { echo "sslrank compiles a part of itself and needs the header Python.h, which is not there; install Python's development files (on Debian and Ubuntu: the package python3-dev)." >&2; exit 1; }
	$(COMPILE)
	SSLRANK_COMPILED=1 $(PIP_INSTALL) --no-build-isolation --no-deps --no-index -e .
	@# Python compiles here what commands import, as the first command would wait eight seconds for it.
	@$(BIN)/python -c "import matplotlib.figure, pyarrow.csv, snakemake.cli, sslrank.tabular.ranking"
	@touch $@

lock:
	sed -n '/^requires = /s/.*\[\(.*\)\]/\1/p' pyproject.toml | tr -d '"' | sed 's/, \([a-z]\)/\n\1/g' > build-requirements.in
	uv pip compile --quiet --universal --python-version 3.11 --generate-hashes --no-header --no-annotate \
	  --all-extras pyproject.toml build-requirements.in --output-file requirements.lock
	uv pip compile --quiet --python-version 3.11 --resolution lowest-direct --generate-hashes --no-header --no-annotate \
	  --extra plots --extra readers --extra som --extra test pyproject.toml build-requirements.in \
	  --output-file envs/oldest.lock
	rm build-requirements.in
	uv pip compile --quiet --universal --python-version 3.11 --generate-hashes --no-header --no-annotate \
	  --group docs --group forge --group mutants --constraints requirements.lock --output-file envs/tools.lock
	sed -i "s/^# requirements.lock .*/# requirements.lock $$(sha256sum <requirements.lock | cut -c1-64)/" envs/sslrank.post-deploy.sh

digests: $(BUILT)
	OMP_NUM_THREADS=1 OPENBLAS_NUM_THREADS=1 $(BIN)/python -m sslrank.benchmark.digests

durations: $(BUILT)
	$(BIN)/python tests/measurements/durations.py

clean:
	rm -rf $(VENV) build
	find src -name '*.so' -delete
