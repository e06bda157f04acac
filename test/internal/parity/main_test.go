// Nearly every scenario makes new connections, and both sides make them alike: the key
// exchange that is safe from quantum computers would only take time.
//
//go:debug tlsmlkem=0
package parity

import (
	"flag"
	"fmt"
	"io"
	"log"
	"log/slog"
	"os"
	"runtime/debug"
	"slices"
	"strings"
	"sync"
	"testing"

	utilruntime "k8s.io/apimachinery/pkg/util/runtime"
	"k8s.io/klog/v2"

	"example.com/gatehouse/internal/testutil/testtable"
)

// row is what every row of every table has to say about itself.
type row = testtable.Row

// cases is how many generated scenarios are compared; make parity compares
// more.
var cases = flag.Int("cases", 1000, "number of generated scenarios")

// TestMain prints at the end what was compared, one line per source, and fails
// the run if something differs.
func TestMain(m *testing.M) {
	flag.Parse()
	// Both sides log what webhooks do wrong, which here is most of what they
	// do; and upstream's error handlers wait a millisecond between two errors.
	klog.SetSlogLogger(slog.New(slog.DiscardHandler))
	log.SetOutput(io.Discard)
	utilruntime.ErrorHandlers = nil
	// Comparing makes a lot of garbage and keeps nothing.
	debug.SetGCPercent(400)
	code := m.Run()
	differences := compared.report(os.Stdout)
	if code == 0 && differences > 0 {
		code = 1
	}
	os.Exit(code)
}

// compared is what the tests of this package have compared.
var compared results

// results counts scenarios and differences by source.
type results struct {
	mu      sync.Mutex
	sources []string // in order of appearance
	counts  map[string]count
	lines   []string
	// requests were compared, and together of them also with many at once.
	requests, together int
}

type count struct{ scenarios, differences int }

// add counts scenarios of a source and the differences that were found in them.
func (r *results) add(source string, scenarios, differences int) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.counts == nil {
		r.counts = map[string]count{}
	}
	if !slices.Contains(r.sources, source) {
		r.sources = append(r.sources, source)
	}
	c := r.counts[source]
	r.counts[source] = count{c.scenarios + scenarios, c.differences + differences}
}

// say adds a line to the report, such as "catalogue: covered 1 of 2".
func (r *results) say(format string, arguments ...any) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.lines = append(r.lines, fmt.Sprintf(format, arguments...))
}

// ask counts requests that were drawn, and those of them that were made with
// others at once.
func (r *results) ask(requests, together int) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.requests, r.together = r.requests+requests, r.together+together
}

// asked returns the counts of ask.
func (r *results) asked() (requests, together int) {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.requests, r.together
}

// report writes one line per source and returns the number of differences.
func (r *results) report(w io.Writer) int {
	r.mu.Lock()
	defer r.mu.Unlock()
	total := 0
	for _, source := range r.sources {
		c := r.counts[source]
		total += c.differences
		fmt.Fprintf(w, "%s: scenarios %d, differences %d\n", source, c.scenarios, c.differences)
	}
	if r.requests > 0 {
		fmt.Fprintf(w, "requests drawn: %d, of which at once with others %d (%d %%)\n", r.requests, r.together, 100*r.together/r.requests)
	}
	for _, line := range r.lines {
		fmt.Fprintln(w, line)
	}
	return total
}

func TestResults(t *testing.T) {
	t.Parallel()
	var r results
	r.add("b", 1, 0)
	r.add("a", 1, 2)
	r.add("b", 2, 1)
	r.ask(3, 1)
	r.ask(1, 0)
	r.say("catalogue: covered %d of %d", 1, 2)
	var text strings.Builder
	if got := r.report(&text); got != 3 {
		t.Errorf("want 3 differences, got %d", got)
	}
	want := "b: scenarios 3, differences 1\na: scenarios 1, differences 2\nrequests drawn: 4, of which at once with others 1 (25 %)\ncatalogue: covered 1 of 2\n"
	if text.String() != want {
		t.Errorf("want:\n%s\ngot:\n%s", want, text.String())
	}
}
