package conformance_test

import (
	"errors"
	"net/http"
	"os"
	"path/filepath"
	"testing"

	"example.com/gatehouse/internal/conformance"
	"example.com/gatehouse/internal/conformance/probe/probetest"
	"example.com/gatehouse/internal/conformance/report"
	"example.com/gatehouse/internal/message"
	"example.com/gatehouse/internal/testutil/leaktest"
	"example.com/gatehouse/internal/testutil/testtable"
)

type row = testtable.Row

func TestMain(m *testing.M) { leaktest.Main(m) }

// only is the check that these tests are about: what the others find is for
// their own tests.
func only() []string { return []string{"C-UID"} }

// file writes a file and returns its path.
func file(t *testing.T, text string) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), "a.yaml")
	if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	return path
}

// run looks at webhooks with one check.
func run(t *testing.T, s conformance.Subject) *report.Report {
	t.Helper()
	s.Only = only()
	r, err := conformance.Run(t.Context(), s)
	if err != nil {
		t.Fatal(err)
	}
	return r
}

// kindOf says which kind of mistake an error is.
func kindOf(err error) string {
	var usage *message.UsageError
	var input *message.InputError
	switch {
	case errors.As(err, &usage):
		return "usage"
	case errors.As(err, &input):
		return "input"
	default:
		return "other"
	}
}

// byPath is a handler that does one thing for a path and another one for
// others.
func byPath(path string, there, elsewhere http.Handler) http.Handler {
	return http.HandlerFunc(func(out http.ResponseWriter, r *http.Request) {
		if r.URL.Path == path {
			there.ServeHTTP(out, r)
		} else {
			elsewhere.ServeHTTP(out, r)
		}
	})
}

// cancelling does something before it answers.
func cancelling(do func()) http.Handler {
	return http.HandlerFunc(func(out http.ResponseWriter, r *http.Request) {
		do()
		probetest.Good().ServeHTTP(out, r)
	})
}
