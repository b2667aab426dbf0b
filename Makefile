# Two commands do everything on a fresh Debian or Ubuntu machine: make run, make test.
SHELL := /bin/bash
.SHELLFLAGS := -eu -o pipefail -c
.DEFAULT_GOAL := help

BIN       := bin
WINDOW    := desktop,production,webkit2_41
GO_FILES  := $(shell git ls-files '*.go' go.mod go.sum app capability inventory surface weak 2>/dev/null)
WEB_FILES := $(shell git ls-files frontend ':!frontend/e2e' 2>/dev/null)
NPM       := npm --prefix frontend
XVFB      := build/xvfb.sh

.PHONY: help run web build page setup-run setup-test check fmt gen test test-go test-page test-window test-examples e2e-web e2e-window bench bench-surfaces clean

help: ## Show what can be made
	@grep -hE '^[a-z0-9-]+:.*## ' $(MAKEFILE_LIST) | sed -E 's/:.*## /\t/' | expand -t16

run: setup-run build ## Set up, build and open the app with the embedded demo agent
	@if [ -n "$${DISPLAY:-}$${WAYLAND_DISPLAY:-}" ] && $(BIN)/lineup has-window; \
	then exec $(BIN)/lineup; else echo "No display: serving the web host." >&2; exec $(BIN)/lineup web; fi

web: setup-run build ## Serve the same host to a browser on this computer
	@exec $(BIN)/lineup web

test: setup-test check test-examples page test-go test-page build test-window e2e-web e2e-window ## Set up and run every test

setup-run:
	@build/setup.sh run

setup-test:
	@build/setup.sh test

# --- building -----------------------------------------------------------------

frontend/node_modules/.package-lock.json: frontend/package-lock.json frontend/package.json
	$(NPM) ci --no-audit --no-fund
	@touch $@

frontend/dist/index.html: frontend/node_modules/.package-lock.json $(WEB_FILES)
	$(NPM) run build
	@touch $@

page: frontend/dist/index.html ## Build the host page

build: page $(BIN)/lineup ## Build the program (with its window where GTK is there)

$(BIN)/lineup: $(GO_FILES) frontend/dist/index.html
	@mkdir -p $(BIN)
	@if pkg-config --exists webkit2gtk-4.1 gtk+-3.0; then tags="-tags $(WINDOW)"; else tags=""; echo "webkit2gtk-4.1 is not there: building without the window" >&2; fi; \
	go build $$tags -o $@ .

# Two programs for tests only: one with a driver, and one of which a test can switch defences off.
$(BIN)/lineup-driver: $(GO_FILES) frontend/dist/index.html
	go build -tags $(WINDOW),lineup_driver -o $@ .
$(BIN)/lineup-weak: $(GO_FILES) frontend/dist/index.html
	@if pkg-config --exists webkit2gtk-4.1 gtk+-3.0; then tags="$(WINDOW),lineup_driver,"; else tags=""; fi; \
	go build -tags $${tags}lineup_weak -o $@ .

# --- checking -----------------------------------------------------------------

check: frontend/node_modules/.package-lock.json ## Format, vet, lint, types, generated files
	@test -z "$$(gofmt -l $$(git ls-files '*.go'))" || { gofmt -l $$(git ls-files '*.go'); echo "run make fmt" >&2; exit 1; }
	go vet ./...
	go vet -tags $(WINDOW),lineup_driver,lineup_weak ./app/desktop ./weak
	go mod verify >/dev/null
	$(NPM) run lint
	$(NPM) run check
	$(NPM) run gen:check

fmt: frontend/node_modules/.package-lock.json ## Format Go and TypeScript
	gofmt -w $$(git ls-files '*.go')
	$(NPM) run format

gen: frontend/node_modules/.package-lock.json ## Generate TypeScript types from Go
	$(NPM) run gen

# --- testing ------------------------------------------------------------------

test-go: ## Go tests, with the race detector
	go test -race ./...

test-page: frontend/node_modules/.package-lock.json ## Tests of the page's own code
	$(NPM) test

test-examples: ## Set up the example agents
	npm --prefix examples/node-agent ci --no-audit --no-fund

test-window: ## Tests of the window alone, sealed and with its walls left out
	$(XVFB) go test -tags $(WINDOW),lineup_driver ./app/desktop
	LINEUP_WEAKEN=channel,links,proxy,guard $(XVFB) go test -tags $(WINDOW),lineup_driver,lineup_weak -run TestHostileFrame ./app/desktop

e2e-web: frontend/dist/index.html $(BIN)/lineup $(BIN)/lineup-weak ## End to end in Chromium against the web host
	cd frontend && npx playwright test --project=web

e2e-window: frontend/dist/index.html $(BIN)/lineup $(BIN)/lineup-driver $(BIN)/lineup-weak ## End to end in the real window under Xvfb
	$(XVFB) bash -c 'cd frontend && npx playwright test --project=window'

bench: ## Benchmarks of the Go parts that take seconds (docs/BENCHMARKS.md)
	go test -run xxx -bench . -benchtime 20000x ./app/conversation
	go test -run xxx -bench . -benchtime 200x ./app/envelope

bench-surfaces: setup-test frontend/dist/index.html $(BIN)/lineup-driver ## Benchmarks of surfaces in Chromium and in the window: some minutes on a quiet machine
	@mkdir -p artifacts && rm -f artifacts/bench.md
	cd frontend && npx playwright test --project=bench-web
	$(XVFB) bash -c 'cd frontend && npx playwright test --project=bench-window'
	@cat artifacts/bench.md

clean: ## Remove what was built
	rm -rf $(BIN) artifacts frontend/dist/assets frontend/dist/index.html
