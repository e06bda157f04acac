# Development commands; `make help` lists them.

GO ?= go

# The number of random cases of make parity.
CASES ?= 5000

# The number of bursts of changes in make promises.
BURSTS ?= 5000

# How often make kills kills the server.
KILLS ?= 200

# The lives of plugins, and of API servers, that make life draws.
CHECKS ?= 200

# The rounds and rows of make bench; B1 includes B1/scale.
ROUNDS ?= 10
ROWS ?= .*

# The optimisations of make ablation.
ONLY ?= .*

# The time per target, the workers and the targets of make fuzz.
FUZZTIME ?= 60s
PARALLEL ?= 2
TARGETS ?= .*

# The runs per package, and the packages, of make flaky.
FLAKES ?= 20
PACKAGES ?= .

# The area of make mutants, such as client; the default is all areas, and parity.
AREA ?=

# The mode and duration of make soak; 0 runs until the mode has finished.
MODE ?= churn
DURATION ?= 10m

# The packages that make cover measures: everything below the plugins.
COVERED = ./admission ./admission/registration ./reinvocation ./matching ./audit ./metrics/... \
	./internal/cel ./internal/engine/review ./internal/engine/patch ./dispatcher/...
# Other packages whose tests run the code of COVERED.
COVERING = ./internal/offline/session ./internal/report ./internal/suite/... ./internal/whatif \
	./test/admissiontest ./test/internal/parity/policies
empty :=
comma := ,

# The stages of make nightly.
STAGES ?= .*

# The row of make profile.
ROW ?= B2

# The packages that make race runs: those that share memory between goroutines, without
# whole API servers, which take too long under the race detector, and without
# dispatcher/explain, which has no goroutines. The slowest come first. Of matching, make race
# runs only the tests whose name has Concurrent.
RACE = ./test/internal/soak/churn ./dispatcher ./dispatcher/source ./internal/suite/process \
	./audit/... ./dispatcher/client ./dispatcher/collector ./dispatcher/corpus ./dispatcher/plugin \
	./dispatcher/policy/... ./dispatcher/simulate ./dispatcher/source/... \
	./metrics/... ./reinvocation/... ./admission \
	./internal/cel ./internal/offline/crdconversion ./internal/cli/demo/server ./internal/engine/review \
	./internal/apiserver/inforce ./internal/apiserver/install \
	./internal/cli/conformance ./internal/cli/demo ./internal/offline/session ./internal/cli/test \
	./internal/suite ./internal/suite/process ./test/webhooktest \
	./internal/conformance/probe ./test/faultserver

# The packages of make test. The slowest come first, so that none of them runs alone at the
# end; go test runs each package once.
LONG = ./test/internal/parity ./test/internal/serve ./internal/cli ./examples/webhooks ./test/internal/embedding ./internal/apiserver ./test/internal/soak/... ./dispatcher/...
TESTED = $(LONG) ./...

# Tests run with -vet=off because make vet checks everything, and go test would repeat part
# of it for each build configuration. Linking without debug information saves a third of
# the time, and without the symbol table 7 % more. Stack traces and profiles need neither.
# The timeout is for tests that hang: on a machine with a load of 17 for its 2 processors,
# test/internal/parity took longer than the 10 minutes that are the default.
TEST = $(GO) test -vet=off -timeout=60m -ldflags='-w -s'

# All build tags of tests, so that one run of vet and one of staticcheck cover every file
# but those of FAILPOINTS: the tag failpoints changes the engine, and everything that uses it
# would have to be compiled for it, too.
TAGS = mutants,peers,promises
FAILPOINTS = ./internal/engine/failpoint ./dispatcher/policy ./test/internal/failpoints

# Projects with their own go.mod, which ./... does not include.
PROJECTS = $(dir $(wildcard test/envtest/go.mod test/integration/*/go.mod tools/go.mod tools/*/go.mod))

.DEFAULT_GOAL := help

.PHONY: help
help: ## List the targets.
	@awk -F ':.*## ' '/^[a-z-]+:.*## / { printf "  make %-12s %s\n", $$1, $$2 }' $(MAKEFILE_LIST)

.PHONY: build
build: ## Build the command, and the API server of its serve, into bin.
	$(GO) build -o bin/ ./cmd/...

.PHONY: dist
dist: ## Write the files of a release to dist; RELEASES=ADDRESS, PLATFORMS=linux/amd64,...
	cd tools/dist && $(GO) build -o $(CURDIR)/bin/dist .
	bin/dist $(if $(RELEASES),-url=$(RELEASES)) $(if $(PLATFORMS),-platforms=$(PLATFORMS))

.PHONY: dist-check
dist-check: ## Make a release twice, from two clones, and check it; PLATFORMS=linux/amd64,...
	cd tools/dist && $(GO) test -count=1 -v -timeout 3h . -args -platforms=$(or $(PLATFORMS),all)

.PHONY: site
site: ## Write the documentation as static pages to bin/site.
	rm -rf bin/site
	cd tools/site && $(GO) run . -source=$(CURDIR) -o=$(CURDIR)/bin/site

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
parity: ## Compare with kube-apiserver's own plugins; CASES=N random cases.
	$(GO) test -c -o bin/parity ./test/internal/parity
	cd test/internal/parity && ../../../bin/parity -punctual -cases=$(CASES)
	$(GO) test -c -o bin/policies ./test/internal/parity/policies
	cd test/internal/parity/policies && ../../../../bin/policies -worlds=$$(($(CASES) / 150 + 1)) -requests=150 -test.v -test.timeout=0

.PHONY: parity-live
parity-live: ## Compare all faults on sockets and in real time, in half an hour.
	$(GO) test -c -o bin/parity ./test/internal/parity
	cd test/internal/parity && ../../../bin/parity -punctual -live -test.v -test.run 'Fault|Timeout|LargeAnswers'

.PHONY: conformance
conformance: ## Run every check on correct webhooks, and on one that fails it.
	$(GO) test -c -o bin/conformance ./examples/webhooks
	cd examples/webhooks && ../../bin/conformance -test.run 'TestGood|TestTwins' -table

.PHONY: soak
soak: ## Run the engine under load, faults and change; DURATION=10m, MODE=churn, wide, policies, punctual or bombs.
	$(GO) build -o bin/soak ./test/internal/soak
	$(if $(filter bombs,$(MODE)),GOMEMLIMIT=256MiB) bin/soak -mode=$(MODE) -duration=$(DURATION)

.PHONY: promises
promises: ## Check the promises, and that each check detects its fault; BURSTS=N.
	$(GO) test -count=1 -v -vet=off -tags promises -timeout 20m -run TestSwitches ./test/internal/soak/calibration -args -bursts=$(BURSTS)

.PHONY: self
self: ## Compare a set of webhooks with itself over 100,000 requests.
	$(GO) test -vet=off -timeout 60m -run '^$$' -bench Self -benchtime 100000x ./internal/whatif

.PHONY: kills
kills: ## Kill gatehouse serve at random moments and check its data; KILLS=N.
	$(GO) test -count=1 -v -vet=off -timeout 60m -run 'TestKilled$$' ./test/internal/serve -args -kills=$(KILLS)

.PHONY: life
life: ## Draw lives of plugins, under the race detector, and faults of API servers; CHECKS=N.
	$(GO) test -count=1 -v -vet=off -race -timeout 60m -run TestLife ./dispatcher/plugin -args -rapid.checks=$(CHECKS)
	$(GO) test -count=1 -v -vet=off -timeout 60m ./test/internal/informers -args -rapid.checks=$(CHECKS)
	$(GO) test -count=1 -v -vet=off -timeout 60m -run TestInformers ./test/internal/soak/calibration -args -chance

.PHONY: mutants
mutants: ## Inject small faults and check that tests fail; AREA=client, for example.
	$(GO) test -count=1 -v -vet=off -tags mutants -timeout 60m -run 'TestMutants/$(AREA)' ./test/internal/mutants
	$(if $(AREA),,$(GO) test -count=1 -v -vet=off -tags mutants -timeout 60m -run TestMutants ./test/internal/parity)

# This takes ten minutes: it builds the tests of the packages twice.
.PHONY: peers
peers: build ## Run controller-runtime's own specs against the API server.
	GATEHOUSE_COMMAND=$(CURDIR)/bin/gatehouse $(GO) test -count=1 -v -vet=off -tags peers -timeout 60m ./test/internal/peers

.PHONY: failpoints
failpoints: ## Inject cancellation, panics and delays at every failpoint.
	$(TEST) -tags failpoints $(FAILPOINTS)

# A row below its gate fails the target, but only after benchstat has compared the same
# samples.
.PHONY: bench
bench: ## Measure against kube-apiserver's own plugins; ROUNDS=N, ROWS=REGEXP.
	$(GO) build -o bin/benchmark ./test/internal/benchmark
	@bin/benchmark -rounds=$(ROUNDS) -rows='$(ROWS)' -out=bin/bench; code=$$?; \
	$(GO) tool -modfile=tools/go.mod benchstat upstream=bin/bench/upstream.txt gatehouse=bin/bench/gatehouse.txt; \
	exit $$code

# This takes an hour.
.PHONY: ablation
ablation: ## Measure what each optimisation buys; ONLY=REGEXP of their names.
	$(GO) run ./test/internal/ablation -go='$(GO)' -only='$(ONLY)'

.PHONY: bench-serve
bench-serve: ## Measure gatehouse serve: start to ready and resident memory, medians of 10.
	$(GO) test -run '^$$' -bench Command -benchtime 10x ./test/internal/serve

# It downloads the modules that go mod tidy asks for.
.PHONY: weight
weight: ## Measure what the plugins add to an API server, beside upstream's: packages, bytes, modules.
	@GO='$(GO)' sh test/internal/embedding/weight.sh $(CURDIR)

.PHONY: bench-suites
bench-suites: ## Measure 1,000 cases of a suite, with the webhook in process and over TLS.
	$(GO) test -run '^$$' -bench Thousand -benchtime 5x ./test/webhooktest

.PHONY: fuzz
fuzz: ## Fuzz every target in turn; FUZZTIME=60s, PARALLEL=N, TARGETS=REGEXP.
	$(GO) build -o bin/fuzz ./test/internal/fuzz
	bin/fuzz -go='$(GO)' -time=$(FUZZTIME) -parallel=$(PARALLEL) -targets='$(TARGETS)'

# This takes half a night.
.PHONY: nightly
nightly: ## Run the long stages and write docs/figures.md; STAGES=REGEXP.
	$(GO) run ./test/internal/nightly -stages='$(STAGES)'

.PHONY: flaky
flaky: ## Run all tests repeatedly, in random order, beside busy loops; FLAKES=20, PACKAGES=REGEXP.
	$(GO) build -o bin/flaky ./test/internal/flaky
	bin/flaky -go='$(GO)' -runs=$(FLAKES) -packages='$(PACKAGES)' . $(PROJECTS)

# The tests of all listed packages count for each package.
.PHONY: cover
cover: ## Measure the test coverage of the engine; the floor is 90 % of each package.
	rm -rf bin/cover && mkdir -p bin/cover
	$(GO) test -vet=off -cover -coverpkg=$(subst $(empty) $(empty),$(comma),$(COVERED)) $(COVERED) $(COVERING) \
		-args -test.gocoverdir=$(CURDIR)/bin/cover
	$(GO) tool covdata percent -i=bin/cover | awk '{ print $$1, $$3 } $$3 + 0 < 90 { low = 1 } END { exit low || NR == 0 }'

.PHONY: profile
profile: ## Write CPU and heap profiles of one row; ROW=B2.
	$(GO) build -o bin/benchmark ./test/internal/benchmark
	bin/benchmark -profile='$(ROW)' -out=bin/bench

.PHONY: check
check: format race failpoints integration static ## Run everything that CI checks beyond make test.

.PHONY: static
static: format vet platforms lint tidy ## Run the checks that need no tests.

.PHONY: format
format: ## Report files that gofmt would change.
	@files=$$(gofmt -l $$(git ls-files '*.go')); if [ -n "$$files" ]; then echo "gofmt would change:"; echo "$$files"; exit 1; fi

.PHONY: vet
vet: ## Run go vet, with all build tags.
	$(GO) vet -tags $(TAGS) ./...
	$(GO) vet -tags failpoints $(FAILPOINTS)
	@set -e; for d in $(PROJECTS); do (set -x; cd $$d; $(GO) vet ./...); done
	cd test/integration/controllerruntime && $(GO) vet -tags envtest ./...

# go vet would compile all dependencies for each system, which takes minutes.
.PHONY: platforms
platforms: ## Check the types of all packages and tests for darwin and windows.
	cd tools && $(GO) build -o $(CURDIR)/bin/platforms ./platforms
	bin/platforms -tags=$(TAGS) darwin windows

# With GOGC=400 staticcheck takes 73 s of processor time in place of 101, and 1 GB of memory.
.PHONY: lint
lint: export GOGC = 400
lint: ## Run staticcheck at the version that tools/go.mod pins.
	$(GO) tool -modfile=tools/go.mod staticcheck -tags $(TAGS) ./...
	$(GO) tool -modfile=tools/go.mod staticcheck -tags failpoints $(FAILPOINTS)
	@set -e; for d in $(PROJECTS); do (set -x; cd $$d; $(GO) tool -modfile=$(CURDIR)/tools/go.mod staticcheck ./...); done

.PHONY: tidy
tidy: ## Report changes that go mod tidy would make.
	$(GO) mod tidy -diff
	@set -e; for d in $(PROJECTS); do (set -x; cd $$d; $(GO) mod tidy -diff); done

.PHONY: structure
structure: ## Check imports, documentation, sizes and the list of exported names.
	$(GO) test -count=1 ./test/internal/structure

.PHONY: integration
integration: build ## Run the projects with their own go.mod.
	@set -e; for d in $(PROJECTS); do (set -x; cd $$d; GATEHOUSE_COMMAND=$(CURDIR)/bin/gatehouse $(TEST) ./...); done

.PHONY: report-screenshots
report-screenshots: ## Write screenshots of HTML reports to bin/screenshots.
	cd test/integration/report && $(GO) test -count=1 . -args -screenshots=$(CURDIR)/bin/screenshots

.PHONY: picture
picture: ## Take the picture of the README again, in a browser.
	cd test/integration/report && $(GO) test -count=1 -run TestReport/quickstart/1280 . -args -screenshots=$(CURDIR)/bin
	mv bin/quickstart-1280.png docs/images/explanation.png

.PHONY: race
race: ## Run the packages that share memory under the race detector.
	$(TEST) -race $(RACE)
	$(TEST) -race -run Concurrent ./matching
