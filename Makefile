.PHONY: check format test

check:
	ruff format --check .
	ruff check .
	mypy
	pytest -q

format:
	ruff format .
	ruff check --fix .

test:
	pytest -q
