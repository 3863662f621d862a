.PHONY: help test slow lint format bench docs page hooks shell lock packages systems single-file ci

help: ## list the targets
	@awk -F ':.*## ' '/^[a-z-]+:.*## / { printf "  make %-13s %s\n", $$1, $$2 }' $(MAKEFILE_LIST)

test: ## run the tests
	pytest

slow: ## run the property tests in full; `make test` runs a sample
	pytest -m slow -n auto

lint: ## check style, format, types, import contracts and the documents' sentences
	ruff check .
	ruff format --check .
	mypy
	lint-imports
	python tools/check_sentences.py

format: ## fix what can be fixed automatically
	ruff check --fix .
	ruff format .

bench: ## measure speed, as ratios
	python benchmarks/rules.py
	python benchmarks/interface.py
	python benchmarks/startup.py
	python benchmarks/memory.py
	python benchmarks/search.py
	python benchmarks/history.py

hooks: ## run the quick checks before every commit
	pip install --quiet pre-commit
	pre-commit install

shell: ## make the completions and the manual page
	python tools/shell_files.py

lock: ## update the locked versions for tests and builds; needs uv
	UV_CUSTOM_COMPILE_COMMAND="make lock" uv pip compile --quiet --upgrade --universal --python-version 3.11 --generate-hashes --extra dev --extra ci pyproject.toml -o requirements/dev.txt
	UV_CUSTOM_COMPILE_COMMAND="make lock" uv pip compile --quiet --upgrade --universal --python-version 3.11 --generate-hashes --extra listen --extra pictures requirements/single-file.in pyproject.toml -o requirements/single-file.txt
	UV_CUSTOM_COMPILE_COMMAND="make lock" uv pip compile --quiet --upgrade --universal --python-version 3.11 --generate-hashes --extra listen --extra pictures --extra serve pyproject.toml -o requirements/packages.txt
	UV_CUSTOM_COMPILE_COMMAND="make lock" uv pip compile --quiet --upgrade --python-version 3.14 --python-platform wasm32-pyodide2025 --no-emit-package wasmtime --generate-hashes pyproject.toml -o requirements/page.txt

packages: ## build a wheel and a source archive in dist, and check them
	python -m build
	twine check --strict dist/*.whl dist/*.tar.gz

systems: ## make packages for Linux systems in dist; needs a wheel there
	python tools/packages.py dist/*.whl dist debian-12 debian-13 fedora-43 alpine-3.22 arch

single-file: ## make dist/thud, one file with its own Python
	python tools/make_single_file.py

docs: ## build the documentation site, in build/site
	python -m sphinx -E -W --keep-going -d build/doctrees docs build/site

page: ## build the page that runs the program in a browser, in build/page; needs npm
	python tools/build_page.py

ci: ## run the continuous integration in a fresh copy
	.ci/run
