package webhooks

import (
	"bytes"
	"context"
	"flag"
	"fmt"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"sync"
	"testing"
	"text/tabwriter"

	"example.com/gatehouse/test/conformance"
)

var table = flag.Bool("table", false, "print what was found out about each twin")

// TestGood runs all checks on the correct webhooks: each must pass, and none
// may be skipped.
func TestGood(t *testing.T) {
	t.Parallel()
	expect(t, examine(t, New(), conformance.Subject{}))
}

// TestTwins requires each check to fail on its twin, and all others to pass.
func TestTwins(t *testing.T) {
	t.Parallel()
	twins := byID(t)
	found := &findings{twins: map[string]*conformance.Report{}}
	if *table {
		found.good = examine(t, New(), conformance.Subject{Calls: few})
		t.Cleanup(func() { fmt.Print(found.table(twins)) }) // runs after all subtests
	}
	for _, c := range conformance.Checks() {
		if c.Group == "lifecycle" {
			continue // the twins of these are in examples/lifecycle
		}
		t.Run(c.ID, func(t *testing.T) {
			t.Parallel()
			twin, ok := twins[c.ID]
			if !ok {
				t.Fatal("there is no twin")
			}
			r := examine(t, twin.Server(), conformance.Subject{Calls: calls(c.ID)})
			found.add(c.ID, r)
			expect(t, r, c.ID)
		})
	}
}

// byID returns the twins by ID, and requires a check and a description for
// each.
func byID(t *testing.T) map[string]Twin {
	t.Helper()
	all := map[string]Twin{}
	known := map[string]bool{}
	for _, c := range conformance.Checks() {
		known[c.ID] = true
	}
	for _, twin := range Twins() {
		if _, twice := all[twin.ID]; twice || !known[twin.ID] {
			t.Errorf("%s: there is no such check, or there are two twins", twin.ID)
		}
		if !strings.HasSuffix(twin.Difference, ".") {
			t.Errorf("%s: the difference is no sentence: %q", twin.ID, twin.Difference)
		}
		all[twin.ID] = twin
	}
	return all
}

// few is the number of calls where neither latency nor concurrency has to fail.
const few = 10

func calls(id string) int {
	switch id {
	case "C-LATENCY":
		return 40 // one of them is slow in the twin, and hence their p99
	case "C-CONCURRENCY":
		return 0 // the default
	}
	return few
}

// examine runs all checks on a server on loopback.
func examine(t *testing.T, s *Server, subject conformance.Subject) *conformance.Report {
	t.Helper()
	running, err := s.Start("127.0.0.1:0", t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	defer func() {
		if err := running.Close(); err != nil {
			t.Error(err)
		}
		if err := <-running.Done(); err != http.ErrServerClosed {
			t.Error(err)
		}
	}()
	subject.Files, subject.Samples = []string{running.Configuration}, []string{"samples"}
	subject.CAFile, subject.Resolve = running.CAFile, running.Resolve()
	subject.Observe, subject.Log = s.observe, t.Output()
	r, err := conformance.Run(t.Context(), subject)
	if err != nil {
		t.Fatal(err)
	}
	return r
}

// observe reads the ledger.
func (s *Server) observe(ctx context.Context) ([]byte, error) {
	w := httptest.NewRecorder()
	s.Handler().ServeHTTP(w, httptest.NewRequestWithContext(ctx, http.MethodGet, "/ledger", nil))
	return w.Body.Bytes(), nil
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

// findings is the content of the table.
type findings struct {
	good *conformance.Report

	mu    sync.Mutex
	twins map[string]*conformance.Report
}

func (f *findings) add(id string, r *conformance.Report) {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.twins[id] = r
}

func (f *findings) table(twins map[string]Twin) string {
	var text bytes.Buffer
	w := tabwriter.NewWriter(&text, 0, 0, 2, ' ', 0)
	fmt.Fprintln(w, "CHECK\tLEVEL\tGOOD\tTWIN FAILS\tDIFFERENCE")
	for _, c := range f.good.Checks {
		fmt.Fprintf(w, "%s\t%s\t%s\t%s\t%s\n", c.ID, c.Level, f.good.VerdictOf(c.ID), failed(f.twins[c.ID]), twins[c.ID].Difference)
	}
	w.Flush()
	return text.String()
}

// failed returns the IDs of the checks that did not pass.
func failed(r *conformance.Report) string {
	if r == nil {
		return "?"
	}
	var ids []string
	for _, c := range r.Checks {
		switch r.VerdictOf(c.ID) {
		case conformance.Fail:
			ids = append(ids, c.ID)
		case conformance.Skip:
			ids = append(ids, c.ID+" (skipped)")
		}
	}
	if ids == nil {
		return "none"
	}
	return strings.Join(ids, ", ")
}
