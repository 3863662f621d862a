.PHONY: help test slow lint format bench docs hooks shell lock packages single-file ci

help: ## tell what each of these does
	@awk -F ':.*## ' '/^[a-z-]+:.*## / { printf "  make %-13s %s\n", $$1, $$2 }' $(MAKEFILE_LIST)

test: ## run the tests
	pytest

slow: ## run the laws in full, of which `make test` tries a sample
	pytest -m slow -n auto

lint: ## look for faults: style, format, types, import contracts
	ruff check .
	ruff format --check .
	mypy
	lint-imports

format: ## put right what can be put right by itself
	ruff check --fix .
	ruff format .

bench: ## measure speed, as ratios
	python benchmarks/rules.py
	python benchmarks/interface.py
	python benchmarks/startup.py
	python benchmarks/memory.py
	python benchmarks/search.py

hooks: ## have the quick checks made before every commit
	pip install --quiet pre-commit
	pre-commit install

shell: ## make completions and the manual page, which `thud completions` prints
	python tools/shell_files.py

lock: ## renew the locked versions of what tests and builds need; needs uv
	UV_CUSTOM_COMPILE_COMMAND="make lock" uv pip compile --quiet --upgrade --universal --python-version 3.11 --generate-hashes --extra dev pyproject.toml -o requirements/dev.txt
	UV_CUSTOM_COMPILE_COMMAND="make lock" uv pip compile --quiet --upgrade --universal --python-version 3.11 --generate-hashes --extra listen --extra pictures requirements/single-file.in pyproject.toml -o requirements/single-file.txt

packages: ## build a wheel and a source archive in dist, and check them
	python -m build
	twine check --strict dist/*.whl dist/*.tar.gz

single-file: ## make dist/thud, one file that brings its own Python
	python tools/make_single_file.py

docs: ## make a site of the documents in build/site
	python -m sphinx -E -W --keep-going docs build/site

ci: ## do what the continuous integration does, in a fresh copy
	.ci/run
