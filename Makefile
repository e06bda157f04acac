# The commands of this repository; `make help` lists them.

GO ?= go

# How many generated cases make parity compares.
CASES ?= 5000

# How many bursts of changes make promises has gatehouse take.
BURSTS ?= 5000

# How often make bench measures everything, and which rows; B1 is also B1/scale.
ROUNDS ?= 10
ROWS ?= .*

# How long make fuzz runs each target, with how many workers, and which targets.
FUZZTIME ?= 60s
PARALLEL ?= 2
TARGETS ?= .*

# How often make flaky runs each package, and which packages.
FLAKES ?= 20
PACKAGES ?= .

# Whose mutants make mutants tries, such as client; by default all, and then those of parity.
AREA ?=

# What make soak does and for how long; 0 is as long as it needs.
MODE ?= churn
DURATION ?= 10m

# What make cover measures: everything below the plugins.
COVERED = ./admission ./admission/registration ./reinvocation ./matching ./audit ./metrics/... \
	./internal/cel ./internal/engine/review ./internal/engine/patch ./dispatcher/...
empty :=
comma := ,

# Which stages make nightly runs.
STAGES ?= .*

# The row that make profile is about.
ROW ?= B2

# The packages that share memory between goroutines and are small enough to run under the
# race detector in reasonable time, the longest first. Whole API servers are not, and what
# only computes shares nothing.
RACE = ./test/internal/soak/churn ./dispatcher ./dispatcher/source ./internal/suite/process ./matching \
	./audit/... ./dispatcher/... ./matching/... ./metrics/... ./reinvocation/... ./admission ./dispatcher/plugin \
	./internal/cel ./internal/offline/crdconversion ./internal/cli/demo/server ./internal/engine/review \
	./internal/apiserver/inforce ./internal/apiserver/install \
	./internal/cli/conformance ./internal/cli/demo ./internal/offline/session ./internal/cli/test \
	./internal/suite ./internal/suite/process ./test/webhooktest \
	./internal/conformance/probe ./test/faultserver

# What make test runs. The packages that take longest come first, so that none of them is
# left over at the end; go test runs each package once.
LONG = ./test/internal/parity ./test/internal/serve ./internal/cli ./examples/webhooks ./test/internal/embedding ./internal/apiserver ./test/internal/soak/... ./dispatcher/...
TESTED = $(LONG) ./...

# Tests run with -vet=off because make vet looks at everything, and more closely: to do so
# on the way would mean to read all modules once more for each way of building them. They
# are linked without what debuggers need, which takes a third of the time.
TEST = $(GO) test -vet=off -ldflags=-w

# What build tags keep from the usual build: one run of vet and one of staticcheck look at
# everything.
TAGS = failpoints,mutants,promises

# Projects with a go.mod of their own, which ./... does not see.
PROJECTS = $(dir $(wildcard test/integration/*/go.mod))

.DEFAULT_GOAL := help

.PHONY: help
help: ## List the targets.
	@awk -F ':.*## ' '/^[a-z-]+:.*## / { printf "  make %-12s %s\n", $$1, $$2 }' $(MAKEFILE_LIST)

.PHONY: build
build: ## Build the command into bin/gatehouse.
	$(GO) build -o bin/gatehouse ./cmd/gatehouse

.PHONY: demo
demo: ## Run the demonstration.
	$(GO) run ./cmd/gatehouse demo

.PHONY: test
test: build ## Run all tests, without the race detector.
	GATEHOUSE_COMMAND=$(CURDIR)/bin/gatehouse $(TEST) $(TESTED)

# For .ci/run, which runs the others under the race detector only.
.PHONY: unraced
unraced: ## List the packages that make race does not run.
	@$(GO) list $(TESTED) | awk '!seen[$$0]++' | grep -vxF "$$($(GO) list $(RACE))"

.PHONY: parity
parity: ## Compare with kube-apiserver's own plugins; CASES=N generated cases.
	$(GO) test -c -o bin/parity ./test/internal/parity
	cd test/internal/parity && ../../../bin/parity -punctual -cases=$(CASES)

.PHONY: parity-live
parity-live: ## Compare all faults on sockets and in real time; takes half an hour.
	$(GO) test -c -o bin/parity ./test/internal/parity
	cd test/internal/parity && ../../../bin/parity -punctual -live -test.v -test.run 'Fault|Timeout|LargeAnswers'

.PHONY: conformance
conformance: ## Run every check on good webhooks, and on a twin that fails it.
	$(GO) test -c -o bin/conformance ./examples/webhooks
	cd examples/webhooks && ../../bin/conformance -test.run 'TestGood|TestTwins' -table

.PHONY: soak
soak: ## Soak the engine in load, faults and change; DURATION=10m, MODE=churn, wide, punctual or bombs.
	$(GO) build -o bin/soak ./test/internal/soak
	$(if $(filter bombs,$(MODE)),GOMEMLIMIT=256MiB) bin/soak -mode=$(MODE) -duration=$(DURATION)

.PHONY: promises
promises: ## See that promises are kept, and that those broken on purpose are noticed; BURSTS=N.
	$(GO) test -count=1 -v -vet=off -tags promises -timeout 20m -run TestSwitches ./test/internal/soak/calibration -args -bursts=$(BURSTS)

.PHONY: mutants
mutants: ## Break gatehouse in small ways and see that tests notice; AREA=client, for example.
	$(GO) test -count=1 -v -vet=off -tags mutants -timeout 60m -run 'TestMutants/$(AREA)' ./test/internal/mutants
	$(if $(AREA),,$(GO) test -count=1 -v -vet=off -tags mutants -timeout 60m -run TestMutants ./test/internal/parity)

.PHONY: failpoints
failpoints: ## Cancel, panic and dawdle at every point of the engine.
	$(TEST) -tags failpoints ./internal/engine/failpoint ./test/internal/failpoints

# A row below its floor fails the target, but not before benchstat has had its
# say about the same samples.
.PHONY: bench
bench: ## Measure against kube-apiserver's own plugins; ROUNDS=N, ROWS=REGEXP.
	$(GO) build -o bin/benchmark ./test/internal/benchmark
	@bin/benchmark -rounds=$(ROUNDS) -rows='$(ROWS)' -out=bin/bench; code=$$?; \
	$(GO) tool -modfile=tools/go.mod benchstat upstream=bin/bench/upstream.txt gatehouse=bin/bench/gatehouse.txt; \
	exit $$code

.PHONY: bench-serve
bench-serve: ## Measure gatehouse serve: start to ready and resident memory, medians of 10.
	$(GO) test -run '^$$' -bench Command -benchtime 10x ./test/internal/serve

.PHONY: bench-suites
bench-suites: ## Measure 1,000 cases of a suite, with the webhook in process and over TLS.
	$(GO) test -run '^$$' -bench Thousand -benchtime 5x ./test/webhooktest

.PHONY: fuzz
fuzz: ## Fuzz every target in turn; FUZZTIME=60s, PARALLEL=N, TARGETS=REGEXP.
	$(GO) build -o bin/fuzz ./test/internal/fuzz
	bin/fuzz -go='$(GO)' -time=$(FUZZTIME) -parallel=$(PARALLEL) -targets='$(TARGETS)'

# It takes half a night.
.PHONY: nightly
nightly: ## Run what takes hours and write its figures to docs/figures.md; STAGES=REGEXP.
	$(GO) run ./test/internal/nightly -stages='$(STAGES)'

.PHONY: flaky
flaky: ## Run all tests often, in random order, beside busy loops; FLAKES=20, PACKAGES=REGEXP.
	$(GO) build -o bin/flaky ./test/internal/flaky
	bin/flaky -go='$(GO)' -runs=$(FLAKES) -packages='$(PACKAGES)' . $(PROJECTS)

# Packages count as covered by each other's tests, as the vocabulary is by all.
.PHONY: cover
cover: ## Measure which lines of the engine tests run; 90 % of each package is the floor.
	rm -rf bin/cover && mkdir -p bin/cover
	$(GO) test -vet=off -cover -coverpkg=$(subst $(empty) $(empty),$(comma),$(COVERED)) $(COVERED) ./dispatcher/plugin ./test/admissiontest ./internal/suite \
		-args -test.gocoverdir=$(CURDIR)/bin/cover
	$(GO) tool covdata percent -i=bin/cover | awk '{ print } $$3 + 0 < 90 { low = 1 } END { exit low || NR == 0 }'

.PHONY: profile
profile: ## Write CPU and heap profiles of one row; ROW=B2.
	$(GO) build -o bin/benchmark ./test/internal/benchmark
	bin/benchmark -profile='$(ROW)' -out=bin/bench

.PHONY: check
check: format race failpoints integration static ## Everything that CI checks beyond make test.

.PHONY: static
static: format vet lint tidy ## Check what needs no test to run.

.PHONY: format
format: ## Report files that gofmt would change.
	@files=$$(gofmt -l $$(git ls-files '*.go')); if [ -n "$$files" ]; then echo "gofmt would change:"; echo "$$files"; exit 1; fi

.PHONY: vet
vet: ## Run go vet, also on what tags keep from it.
	$(GO) vet -tags $(TAGS) ./...
	@set -e; for d in $(PROJECTS); do (set -x; cd $$d; $(GO) vet ./...); done
	cd test/integration/controllerruntime && $(GO) test -vet=off -tags envtest -c -o /dev/null ./...

.PHONY: lint
lint: ## Run staticcheck at the version that tools/go.mod pins.
	$(GO) tool -modfile=tools/go.mod staticcheck -tags $(TAGS) ./...
	@set -e; for d in $(PROJECTS); do (set -x; cd $$d; $(GO) tool -modfile=$(CURDIR)/tools/go.mod staticcheck ./...); done

.PHONY: tidy
tidy: ## Report what go mod tidy would change.
	$(GO) mod tidy -diff
	cd tools && $(GO) mod tidy -diff
	@set -e; for d in $(PROJECTS); do (set -x; cd $$d; $(GO) mod tidy -diff); done

.PHONY: structure
structure: ## Check imports, documentation and sizes.
	$(GO) test -count=1 ./test/internal/structure

.PHONY: integration
integration: build ## Run the projects under test/integration, each with its own go.mod.
	@set -e; for d in $(PROJECTS); do (set -x; cd $$d; GATEHOUSE_COMMAND=$(CURDIR)/bin/gatehouse $(TEST) ./...); done

.PHONY: report-screenshots
report-screenshots: ## Write pictures of HTML reports in a browser to bin/screenshots.
	cd test/integration/report && $(GO) test -count=1 . -args -screenshots=$(CURDIR)/bin/screenshots

.PHONY: race
race: ## Run the tests of the small packages under the race detector.
	$(TEST) -race $(RACE)
