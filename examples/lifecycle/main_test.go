package main

import (
	"flag"
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"slices"
	"testing"
	"time"

	"go.uber.org/goleak"

	"example.com/gatehouse/test/conformance"
)

// role is the first argument of the test binary when it is the webhook.
const role = "webhook"

func TestMain(m *testing.M) {
	if len(os.Args) > 1 && os.Args[1] == role {
		if err := run(os.Args[2:], os.Stdout); err != nil {
			fmt.Fprintln(os.Stderr, err)
			os.Exit(1)
		}
		os.Exit(0)
	}
	// The tests wait for most of their time, so more of them run at once than there are
	// processors, unless the command line has -parallel.
	if err := flag.Set("test.parallel", "6"); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
	goleak.VerifyTestMain(m)
}

// times is how often each process is checked. Most of the time is spent waiting:
//
//	go test ./examples/lifecycle -times 50 -parallel 4 -timeout 2h
var times = flag.Int("times", 1, "check each process this many `times`")

// lifecycle returns the IDs of the checks of a process.
func lifecycle() []string {
	var ids []string
	for _, c := range conformance.Checks() {
		if c.Group == "lifecycle" {
			ids = append(ids, c.ID)
		}
	}
	return ids
}

// TestGood requires the process without a fault to pass all checks, those of the
// webhooks included, but for the one that needs a page of side effects.
func TestGood(t *testing.T) {
	t.Parallel()
	expect(t, examine(t, "", conformance.Subject{Calls: 10, Skip: []string{"C-SIDE-EFFECTS"}}))
}

// TestAgain requires it to pass the checks of a process each time.
func TestAgain(t *testing.T) {
	t.Parallel()
	repeat(t, *times-1, func(t *testing.T) {
		expect(t, examine(t, "", conformance.Subject{Only: lifecycle()}))
	})
}

// TestTwins requires each twin to fail its check.
func TestTwins(t *testing.T) {
	t.Parallel()
	if want, got := slices.Sorted(slices.Values(lifecycle())), twinIDs(); !slices.Equal(want, got) {
		t.Errorf("there are twins for %v, want those for %v", got, want)
	}
	for _, id := range twinIDs() {
		t.Run(id, func(t *testing.T) {
			t.Parallel()
			repeat(t, *times, func(t *testing.T) {
				expect(t, examine(t, id, conformance.Subject{Only: []string{id}}), id)
			})
		})
	}
}

// TestOthers requires each twin to pass the checks of the others. Each takes as
// long as all checks do, so a short run has none.
func TestOthers(t *testing.T) {
	t.Parallel()
	if *times == 1 {
		t.Skip("it is for -times 2 and more")
	}
	for _, id := range twinIDs() {
		t.Run(id, func(t *testing.T) {
			t.Parallel()
			expect(t, examine(t, id, conformance.Subject{Only: lifecycle(), Skip: []string{id}}))
		})
	}
}

// repeat runs a test a number of times, at once as far as -parallel allows.
func repeat(t *testing.T, n int, once func(*testing.T)) {
	t.Helper()
	for range n {
		t.Run("", func(t *testing.T) {
			t.Parallel()
			once(t)
		})
	}
}

// examine checks a twin, or the process without a fault. It is this program
// again.
func examine(t *testing.T, broken string, s conformance.Subject) *conformance.Report {
	t.Helper()
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	s.Files, s.Samples = []string{"../webhooks/webhooks.yaml"}, []string{"../webhooks/samples"}
	s.Log = t.Output()
	s.Exec = &conformance.Exec{
		Command:     []string{self, role, "-broken", broken, "-lag", "3s"},
		Timeout:     20 * time.Second,
		EndpointLag: time.Second,
		Backend:     backend(t),
		Reviews:     500,
	}
	r, err := conformance.Run(t.Context(), s)
	if err != nil {
		t.Fatal(err)
	}
	return r
}

// backend serves a backend that answers at once, and returns its address.
func backend(t *testing.T) string {
	t.Helper()
	s := httptest.NewServer(http.HandlerFunc(func(http.ResponseWriter, *http.Request) {}))
	t.Cleanup(s.Close)
	return s.Listener.Addr().String()
}

// expect requires these checks to fail, and all others to pass.
func expect(t *testing.T, r *conformance.Report, failing ...string) {
	t.Helper()
	for _, w := range r.Problems() {
		t.Errorf("%s: %s", w.Name, w.Problem)
	}
	for _, c := range r.Checks {
		want := conformance.Pass
		if slices.Contains(failing, c.ID) {
			want = conformance.Fail
		}
		if got := r.VerdictOf(c.ID); got != want {
			t.Errorf("%s: got %s, want %s\n%s", c.ID, got, want, r.Text(c.ID))
		}
	}
}
