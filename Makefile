# The commands of Footnote. Each sets up what it needs; `make` alone lists them.
PYTHON ?= /usr/bin/python3
WORKERS ?= 2
SETS ?= xquad cross_topic
BOOTSTRAP = $(PYTHON) config/bootstrap.py
BIN = .venv/bin
# What a production installation would set; nothing is contacted.
LINT_SETTINGS = SECRET_KEY=$$(head -c 48 /dev/urandom | base64) ALLOWED_HOSTS=footnote.example \
	DATABASE_URL=postgres://footnote_app@db.example/footnote REDIS_URL=redis://broker.example/0
COMPILE = pip-compile -q --generate-hashes --no-emit-index-url --no-emit-find-links \
	--no-emit-trusted-host --no-header --strip-extras --allow-unsafe -o

.PHONY: help run stop status test e2e eval bench lint format messages lock

help:
	@sed -n 's/^\([a-z0-9]*\):.*## /  make \1	/p' Makefile

run: ## set everything up and run it, until Ctrl-C or make stop
	@exec $(BOOTSTRAP) config.launch run

stop: ## end what make run started
	@test ! -x $(BIN)/python || exec $(BIN)/python -m config.launch stop

status: ## what runs, and where
	@exec $(BOOTSTRAP) config.launch status

test: ## all tests, on services of their own
	@exec $(BOOTSTRAP) --dev pytest -n $(WORKERS) $(ARGS)

e2e: ## only the tests in a browser
	@exec $(BOOTSTRAP) --dev pytest tests/e2e $(ARGS)

eval: ## labelled questions of SETS, from FOOTNOTE_DATA, on services of their own
	@exec $(BOOTSTRAP) bench.own_services eval manage evaluate $(SETS) $(ARGS)

bench: ## speed of asking and of taking in pages, into docs/benchmarks.md
	@exec $(BOOTSTRAP) --dev bench.own_services bench bench.benchmarks $(ARGS)

lint: ## style, types, direction of imports, templates, production settings
	@$(BOOTSTRAP) --dev
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(LINT_SETTINGS) $(BIN)/mypy config kb memory bench
	$(BIN)/lint-imports
	$(BIN)/djlint templates --check --lint
	$(LINT_SETTINGS) $(BIN)/python manage.py check --deploy --fail-level WARNING

format: ## let ruff and djlint rewrite what they can
	@$(BOOTSTRAP) --dev
	$(BIN)/ruff check --fix-only .
	$(BIN)/ruff format .
	$(BIN)/djlint templates --reformat --quiet

messages: ## collect and compile the translations in locale; needs gettext
	@$(BOOTSTRAP) --dev
	$(LINT_SETTINGS) $(BIN)/python manage.py makemessages --all --no-wrap --no-obsolete --add-location file \
		--ignore .venv --ignore 'tests/*'
	$(LINT_SETTINGS) $(BIN)/python manage.py compilemessages --ignore .venv

lock: ## lock requirements.in and requirements-dev.in anew, with the oldest Python
	@$(BOOTSTRAP) --dev
	$(BIN)/$(COMPILE) requirements.txt requirements.in
	$(BIN)/$(COMPILE) requirements-dev.txt requirements-dev.in
