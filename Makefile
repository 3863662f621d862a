.PHONY: test slow lint format bench ci

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

ci:
	.ci/run
