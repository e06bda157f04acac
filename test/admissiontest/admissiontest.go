package admissiontest

import (
	"strings"
	"sync"
	"testing"

	"example.com/gatehouse/admission"
	"example.com/gatehouse/dispatcher/explain"
)

// OnFailure logs the explanation of a request at the end of a failed test,
// unless a check has printed it. The response must not change until then.
func OnFailure(tb testing.TB, r *admission.Response, options ...explain.Option) {
	tb.Helper()
	printed := printedOf(tb, r)
	tb.Cleanup(func() {
		if tb.Failed() && !*printed {
			tb.Logf("what admission did:\n%s", explain.Response(r, options...))
		}
	})
}

// Allowed reports an error unless the request was admitted.
func Allowed(tb testing.TB, r *admission.Response, options ...explain.Option) {
	tb.Helper()
	if !r.Allowed {
		tb.Errorf("the request was denied:\n%s", tree(tb, r, options))
	}
}

// Denied reports an error unless the request was denied with a message that
// contains the text.
func Denied(tb testing.TB, r *admission.Response, text string, options ...explain.Option) {
	tb.Helper()
	switch {
	case r.Allowed:
		tb.Errorf("the request was admitted; want it denied with %q:\n%s", text, tree(tb, r, options))
	case !strings.Contains(r.Status.Message, text):
		tb.Errorf("the request was denied with %q; want %q in that:\n%s", r.Status.Message, text, tree(tb, r, options))
	}
}

// tree returns the explanation of a response, once in a test.
func tree(tb testing.TB, r *admission.Response, options []explain.Option) string {
	printed := printedOf(tb, r)
	if *printed {
		return "(its explanation is above)"
	}
	*printed = true
	return explain.Response(r, options...).String()
}

// explanation identifies the explanation of a response in a test.
type explanation struct {
	tb testing.TB
	r  *admission.Response
}

// explanations has whether each explanation of the running tests was printed.
var explanations sync.Map

func printedOf(tb testing.TB, r *admission.Response) *bool {
	e := explanation{tb, r}
	printed, known := explanations.LoadOrStore(e, new(bool))
	if !known {
		tb.Cleanup(func() { explanations.Delete(e) })
	}
	return printed.(*bool)
}
