# `make test` is all that a fresh machine with Go needs: it brings what the
# tests lack and says what it brought.

GOTESTFLAGS ?=
TOOL = go tool -modfile=internal/tools/go.mod

# What drives real programs through real seconds, one package at a time: another
# one beside it would be in what it measures.
REAL = ./conformance/... ./emit/gohttp/... ./emit/haproxy/... ./emit/nginx/... ./emit/node/... ./emit/spring/...
REST = $$(go list ./... | grep -vxF "$$(go list $(REAL))")

# Packages that run in seconds under -short, for the race detector.
FAST = $$(go list ./... | grep -v /conformance)

# Scripts of commands that read one stack, each on one goroutine: starting the
# program under the race detector is most of what they would cost.
ALONE = ^TestScripts$$/^(completion|diff|explain|help|init|policy|schema|settings|suppression|usage|version)_?

# Packages whose tests rewrite what they expect under TCHAIN_UPDATE=1.
GOLDEN = $$(grep -rlE --include='*_test.go' 'TCHAIN_UPDATE|golden\.Compare' . | xargs -n1 dirname | sort -u)

.PHONY: help build prepare test race explore mutation generate lint bench

help:
	@echo "make build     tchain, in this directory"
	@echo "make test      all tests; brings what they lack (proxies, node, Python, Ruby, chromium, a JDK) and says so"
	@echo "make race      the fast tests under the race detector"
	@echo "make explore   draw new chains for the property tests, 2000 each"
	@echo "make mutation  break every condition of the rules and see which no test catches"
	@echo "make generate  rewrite goldens and generated files"
	@echo "make lint      gofmt, vet, staticcheck, govulncheck"
	@echo "make bench     tchain against cue vet and against itself at other sizes; then the benchmarks, with memory"

build:
	go build -trimpath ./cmd/tchain

# What the conformance runs drive and what the emitted files are tried with:
# packages of the system, and what npm, pip and Maven bring into the user's cache.
prepare:
	@internal/tools/bring nginx haproxy apache2-bin caddy nodejs npm python3-pip ruby puma chromium openjdk-17-jdk-headless maven
	@conformance/node/bring
	@conformance/python/bring
	@go run ./conformance/jvm/cmd

test: prepare
	go test $(GOTESTFLAGS) $(REST)
	go test -p 1 $(GOTESTFLAGS) $(REAL)

race: prepare
	@internal/tools/bring gcc
	@# Without it the race runtime sleeps a second at the end of each package.
	GORACE=atexit_sleep_ms=10 go test -race -short -timeout 30m -skip '$(ALONE)' $(GOTESTFLAGS) $(FAST)

# What make test draws is the same each time; this draws anew, and more.
explore:
	go test $$(grep -rl --include='*_test.go' internal/repeatable . | xargs -n1 dirname | sort -u) -count=1 -timeout 60m -rapid.seed=0 -rapid.checks=2000 $(GOTESTFLAGS)

# Breaks every condition of the rules, one after the other.
mutation:
	go test ./check -run TestEveryBrokenConditionIsCaught -count=1 -v -timeout 60m -every-mutant

generate: prepare
	TCHAIN_UPDATE=1 go test $(GOTESTFLAGS) $$(echo "$(GOLDEN)" | grep -v ^./emit/)
	TCHAIN_UPDATE=1 go test -short $(GOTESTFLAGS) $$(echo "$(GOLDEN)" | grep ^./emit/)
	gofmt -w $$(git ls-files '*.go')

lint:
	@test -z "$$(gofmt -l . | tee /dev/stderr)" || { echo "lint: gofmt -w the files above"; exit 1; }
	go vet ./...
	$(TOOL) staticcheck ./...
	internal/tools/vulncheck

bench:
	go run ./internal/bench
	go test -run '^$$' -bench . -benchmem $(GOTESTFLAGS) ./...
