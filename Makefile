.PHONY: test slow lint format bench docs ci

test:
	pytest

slow:
	pytest -m slow -n auto

lint:
	ruff check .
	ruff format --check .
	mypy
	lint-imports

format:
	ruff check --fix .
	ruff format .

bench:
	python benchmarks/rules.py
	python benchmarks/interface.py
	python benchmarks/startup.py
	python benchmarks/memory.py
	python benchmarks/search.py

docs:
	python -m sphinx -E -W --keep-going docs build/site

ci:
	.ci/run
