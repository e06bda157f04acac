package test

import (
	"bytes"
	"context"
	"errors"
	"regexp"
	"strings"
	"testing"
	"time"

	"example.com/gatehouse/internal/suite"
	"example.com/gatehouse/internal/testutil/suitetest"
)

// shownBy runs a suite and returns what a form prints about it.
func shownBy(t *testing.T, s *suite.Suite, o *options, out interface{ Write([]byte) (int, error) }) error {
	t.Helper()
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	f := o.form(&printer{out: out, progress: newProgress(out, time.Now()), cancel: cancel})
	// How it ended is the command's business.
	results, _ := suite.Run(ctx, []*suite.Suite{s}, suite.Options{Parallel: 1, Done: f.see, End: f.end})
	return f.finish(results)
}

// TestManyFailures: only the first explanations are in full.
func TestManyFailures(t *testing.T) {
	t.Parallel()
	var out bytes.Buffer
	if err := shownBy(t, suitetest.Load(t, 1, fullExplanations+5), &options{format: textForm, explain: explainFull}, &out); err != nil {
		t.Fatal(err)
	}
	text := out.String()
	if got := strings.Count(text, "--- FAIL: "); got != fullExplanations+5 {
		t.Errorf("%d failures are shown, want %d", got, fullExplanations+5)
	}
	if got := strings.Count(text, "hint: "); got != fullExplanations {
		t.Errorf("%d explanations have hints, want %d", got, fullExplanations)
	}
	if got := strings.Count(text, "CREATE namespaces/a"); got != fullExplanations+5 {
		t.Errorf("%d cases are explained, want %d", got, fullExplanations+5)
	}
	if !strings.Contains(text, "26 cases in 1 suite: 1 passed, 25 failed, in ") {
		t.Errorf("there is no sum in\n%s", text)
	}
}

// stuck takes a number of writes, and no more.
type stuck struct{ left int }

var errStuck = errors.New("no more")

func (s *stuck) Write(text []byte) (int, error) {
	if s.left--; s.left < 0 {
		return 0, errStuck
	}
	return len(text), nil
}

// TestUnwritable: a run whose output fails is cancelled with an error.
func TestUnwritable(t *testing.T) {
	t.Parallel()
	for _, format := range []string{textForm, githubForm, "json", junitForm} {
		for left := range 3 {
			documents := format == "json" || format == junitForm
			err := shownBy(t, suitetest.Load(t, 0, 3), &options{format: format, selects: regexp.MustCompile("")}, &stuck{left})
			if want := !documents || left == 0; errors.Is(err, errStuck) != want {
				t.Errorf("-o %s, %d writes: got %v, want an error: %t", format, left, err, want)
			}
		}
	}
}
