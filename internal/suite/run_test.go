package suite_test

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	admissionv1 "k8s.io/api/admission/v1"

	"example.com/gatehouse/internal/suite"
	"example.com/gatehouse/internal/testutil/reviewtest"
	"example.com/gatehouse/internal/testutil/testtable"
	"example.com/gatehouse/test/webhooktest"
)

// suites loads suites by their names, whose webhooks are all at a server. Each
// text stands between what says so and the end of the file.
func suites(t *testing.T, h http.Handler, texts map[string]string) (all []*suite.Suite, root string) {
	t.Helper()
	entry, ca := served("", webhooktest.Serve(t, h))
	files := map[string]string{"ca.crt": ca}
	for name, text := range texts {
		files[name+".yaml"] = head + "configurations: [policy.yaml]\nwebhooks:\n" + entry + text
	}
	root = folder(t, files)
	all, err := suite.Load([]string{root}, nil)
	if err != nil {
		t.Fatal(err)
	}
	return all, root
}

// cases are cases of names, all of which expect to be allowed.
func cases(names ...string) string {
	text := "cases:\n"
	for _, name := range names {
		text += caseOf(name, "{}")
	}
	return text
}

// heard is what a driver was told, in order.
type heard struct {
	mu   sync.Mutex
	said []string
	// busy detects overlapping calls.
	busy atomic.Int32
}

func (h *heard) say(format string, args ...any) {
	if h.busy.Add(1) > 1 {
		format = "AT THE SAME TIME: " + format
	}
	defer h.busy.Add(-1)
	h.mu.Lock()
	defer h.mu.Unlock()
	h.said = append(h.said, fmt.Sprintf(format, args...))
}

// options returns some that tell it everything.
func (h *heard) options() suite.Options {
	return suite.Options{
		Begin: func(s *suite.Suite, n int) { h.say("begin %s %d", s.Name, n) },
		Done:  func(r *suite.Result) { h.say("%s/%s %t", r.Suite.Name, r.Case.Name, r.Passed()) },
		End: func(r *suite.SuiteResult) {
			h.say("end %s: %d of %d failed, %d not run, %t", r.Suite.Name, r.Failed(), len(r.Results), len(r.NotRun), r.Passed())
		},
	}
}

type runRow struct {
	row
	suites map[string]string
	change func(*suite.Options)
	want   []string
	// results are the suites of the results, and how many of their cases did
	// not run.
	results []string
}

// TestRun follows what a driver is told.
func TestRun(t *testing.T) {
	t.Parallel()
	two := map[string]string{"one": cases("a", "bad", "c"), "two": cases("d")}
	testtable.Run(t, []runRow{
		{row{"all", "one suite after the other, its cases in order"}, two, func(*suite.Options) {}, []string{
			"begin one 3", "one/a true", "one/bad false", "one/c true", "end one: 1 of 3 failed, 0 not run, false",
			"begin two 1", "two/d true", "end two: 0 of 1 failed, 0 not run, true",
		}, []string{"one 0", "two 0"}},
		{row{"fail fast", "what comes after is not run, nor its webhooks started"}, two, func(o *suite.Options) { o.FailFast = true }, []string{
			"begin one 3", "one/a true", "one/bad false", "end one: 1 of 2 failed, 1 not run, false",
		}, []string{"one 1", "two 1"}},
		{row{"fail fast that does not fail", "there is no reason to end"}, map[string]string{"one": cases("a"), "two": cases("b")}, func(o *suite.Options) { o.FailFast = true }, []string{
			"begin one 1", "one/a true", "end one: 0 of 1 failed, 0 not run, true", "begin two 1", "two/b true", "end two: 0 of 1 failed, 0 not run, true",
		}, []string{"one 0", "two 0"}},
		{row{"selected", "by the names of both"}, two, func(o *suite.Options) {
			o.Select = func(s, c string) bool { return s == "one" && c != "bad" }
		}, []string{"begin one 2", "one/a true", "one/c true", "end one: 0 of 2 failed, 0 not run, true"}, []string{"one 0"}},
		{row{"nothing selected", "there is nothing to begin"}, two, func(o *suite.Options) {
			o.Select = func(string, string) bool { return false }
		}, nil, nil},
		{row{"no callbacks", "results are enough"}, two, func(o *suite.Options) { *o = suite.Options{} }, nil, []string{"one 0", "two 0"}},
	}, func(t *testing.T, r runRow) {
		all, _ := suites(t, answer(picky), r.suites)
		h := &heard{}
		o := h.options()
		r.change(&o)
		results, err := suite.Run(t.Context(), all, o)
		if err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(r.want, h.said); diff != "" {
			t.Errorf("what was said (-want +got):\n%s", diff)
		}
		var got []string
		for _, result := range results {
			got = append(got, fmt.Sprintf("%s %d", result.Suite.Name, len(result.NotRun)))
		}
		if diff := cmp.Diff(r.results, got); diff != "" {
			t.Errorf("the results (-want +got):\n%s", diff)
		}
	})
}

// TestRunBroken goes on with the next suite after one whose command does not
// start.
func TestRunBroken(t *testing.T) {
	t.Parallel()
	all, _ := suites(t, answer(reviewtest.Allow), map[string]string{"two": cases("b")})
	broken := load(t, map[string]string{"one.yaml": head + "configurations: [policy.yaml]\nwebhooks:\n" + command(t, "broken", "") + cases("a")})
	h := &heard{}
	results, err := suite.Run(t.Context(), append([]*suite.Suite{broken}, all...), h.options())
	if err != nil {
		t.Fatal(err)
	}
	want := []string{
		"begin one 1", "end one: 0 of 0 failed, 1 not run, false",
		"begin two 1", "two/b true", "end two: 0 of 1 failed, 0 not run, true",
	}
	if diff := cmp.Diff(want, h.said); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
	if r := results[0]; r.Err == nil || r.Elapsed <= 0 {
		t.Errorf("got %+v", r)
	}
}

type parallelRow struct {
	row
	serial string
	update bool

	parallel int
	// most is how many webhooks answered at a time.
	most int32
}

// TestParallel counts how many cases are on their way at a time. Each waits
// until there are as many as there may be, or a while to see whether there are
// more.
func TestParallel(t *testing.T) {
	t.Parallel()
	testtable.Run(t, []parallelRow{
		{row{"one", "the option counts"}, "", false, 1, 1},
		{row{"five", "more than there are processors"}, "", false, 5, 5},
		{row{"more than cases", "there is nothing for the others to do"}, "", false, 50, 12},
		{row{"serial", "the suite knows best"}, "serial: true\n", false, 5, 1},
		{row{"update", "which case writes a golden must not be left to chance"}, "", true, 5, 1},
	}, func(t *testing.T, r parallelRow) {
		var now, most atomic.Int32
		h := answer(func(request *admissionv1.AdmissionRequest) *admissionv1.AdmissionResponse {
			n := now.Add(1)
			defer now.Add(-1)
			for m := most.Load(); n > m && !most.CompareAndSwap(m, n); m = most.Load() {
			}
			for end := time.Now().Add(20 * time.Millisecond); most.Load() < r.most || time.Now().Before(end); {
				time.Sleep(time.Millisecond)
			}
			return reviewtest.Allow(request)
		})
		var names []string
		for i := range 12 {
			names = append(names, fmt.Sprint("n", i))
		}
		all, _ := suites(t, h, map[string]string{"one": r.serial + cases(names...)})
		o := suite.Options{Parallel: r.parallel, Update: r.update}
		var order []string
		o.Done = func(r *suite.Result) { order = append(order, r.Case.Name) }
		results, err := suite.Run(t.Context(), all, o)
		if err != nil || !results[0].Passed() {
			t.Fatalf("%v, %+v", err, results[0])
		}
		if got := most.Load(); got != r.most {
			t.Errorf("%d at a time, want %d", got, r.most)
		}
		if diff := cmp.Diff(names, order); diff != "" {
			t.Errorf("the order (-want +got):\n%s", diff)
		}
	})
}

// TestUpdate writes the goldens of cases that pass otherwise, and of no others.
func TestUpdate(t *testing.T) {
	t.Parallel()
	text := "cases:\n" + caseOf("new", "{golden: golden/new.yaml}") + caseOf("old", "{golden: golden/old.yaml}") +
		caseOf("failing", "{golden: golden/failing.yaml, warnings: [x]}") + caseOf("bad", "{code: 403}")
	all, root := suites(t, answer(picky), map[string]string{"one": text})
	golden := func(name string) string { return filepath.Join(root, "golden", name+".yaml") }
	if err := os.MkdirAll(filepath.Dir(golden("old")), 0o755); err != nil {
		t.Fatal(err)
	}
	old := "# kept as it is\n{apiVersion: v1, kind: ConfigMap, metadata: {name: old, namespace: default}}\n"
	if err := os.WriteFile(golden("old"), []byte(old), 0o600); err != nil {
		t.Fatal(err)
	}
	run := func(update bool) []string {
		results, err := suite.Run(t.Context(), all, suite.Options{Update: update})
		if err != nil {
			t.Fatal(err)
		}
		var got []string
		for _, r := range results[0].Results {
			written, err := filepath.Rel(root, r.Golden)
			if err != nil {
				written = ""
			}
			got = append(got, fmt.Sprint(r.Case.Name, " ", len(r.Failures), " ", written))
		}
		return got
	}
	for _, step := range []struct {
		update bool
		want   []string
	}{
		{false, []string{"new 1 ", "old 0 ", "failing 2 ", "bad 0 "}},
		{true, []string{"new 0 golden/new.yaml", "old 0 ", "failing 2 ", "bad 0 "}},
		{true, []string{"new 0 ", "old 0 ", "failing 2 ", "bad 0 "}},
		{false, []string{"new 0 ", "old 0 ", "failing 2 ", "bad 0 "}},
	} {
		if diff := cmp.Diff(step.want, run(step.update)); diff != "" {
			t.Errorf("update %t (-want +got):\n%s", step.update, diff)
		}
	}
	if got, err := os.ReadFile(golden("old")); err != nil || string(got) != old {
		t.Errorf("the old file is %q, %v", got, err)
	}
	if _, err := os.Stat(golden("failing")); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("the golden file of the case that fails: %v", err)
	}
}

// TestUpdateShared has cases of two suites name one golden file, of which each
// comes to another object. The first writes it, and the others have to hear
// that they may not.
func TestUpdateShared(t *testing.T) {
	t.Parallel()
	shared := func(names ...string) string {
		text := "cases:\n"
		for _, name := range names {
			text += caseOf(name, "{golden: golden/shared.yaml}")
		}
		return text
	}
	all, root := suites(t, answer(reviewtest.Allow), map[string]string{"one": shared("a", "b"), "two": shared("c")})
	for range 2 {
		var got []string
		_, err := suite.Run(t.Context(), all, suite.Options{Update: true, Parallel: 8, Done: func(r *suite.Result) {
			got = append(got, fmt.Sprint(r.Case.Name, " ", len(r.Failures), " ", r.Golden != ""))
		}})
		if diff := cmp.Diff([]string{"a 0 true", "b 2 false", "c 2 false"}, got); diff != "" || err != nil {
			t.Errorf("%v (-want +got):\n%s", err, diff)
		}
		path := filepath.Join(root, "golden", "shared.yaml")
		text, err := os.ReadFile(path)
		if err != nil || !strings.Contains(string(text), "name: a\n") {
			t.Errorf("the file is %q, %v", text, err)
		}
		if err := os.Remove(path); err != nil {
			t.Fatal(err)
		}
	}
}

// TestInterrupt ends in the middle of a suite, with the results that there are.
func TestInterrupt(t *testing.T) {
	t.Parallel()
	ctx, interrupt := context.WithCancel(t.Context())
	all, _ := suites(t, answer(func(r *admissionv1.AdmissionRequest) *admissionv1.AdmissionResponse {
		if r.Name == "b" {
			interrupt()
		}
		return reviewtest.Allow(r)
	}), map[string]string{"one": "serial: true\n" + cases("a", "b", "c"), "two": cases("d")})
	h := &heard{}
	results, err := suite.Run(ctx, all, h.options())
	if !errors.Is(err, context.Canceled) {
		t.Errorf("got %v", err)
	}
	// The other suite has not come to its beginning.
	if diff := cmp.Diff([]string{"begin one 3", "one/a true", "end one: 0 of 1 failed, 2 not run, false"}, h.said); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
	if len(results) != 2 || len(results[0].Results) != 1 || len(results[0].NotRun) != 2 || results[0].Passed() || len(results[1].NotRun) != 1 {
		t.Errorf("got %+v", results)
	}
}
