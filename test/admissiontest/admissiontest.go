package admissiontest

import (
	"strings"
	"testing"

	"example.com/gatehouse/admission"
	"example.com/gatehouse/dispatcher/explain"
)

// OnFailure logs the explanation of a request at the end of a failed test. The
// response must not change until then.
func OnFailure(tb testing.TB, r *admission.Response, options ...explain.Option) {
	tb.Helper()
	tb.Cleanup(func() {
		if tb.Failed() {
			tb.Logf("what admission did:\n%s", explain.Response(r, options...))
		}
	})
}

// Allowed reports an error unless the request was admitted.
func Allowed(tb testing.TB, r *admission.Response, options ...explain.Option) {
	tb.Helper()
	if !r.Allowed {
		tb.Errorf("the request was denied:\n%s", explain.Response(r, options...))
	}
}

// Denied reports an error unless the request was denied with a message that
// contains the text.
func Denied(tb testing.TB, r *admission.Response, text string, options ...explain.Option) {
	tb.Helper()
	switch {
	case r.Allowed:
		tb.Errorf("the request was admitted; want it denied with %q:\n%s", text, explain.Response(r, options...))
	case !strings.Contains(r.Status.Message, text):
		tb.Errorf("the request was denied with %q; want %q in that:\n%s", r.Status.Message, text, explain.Response(r, options...))
	}
}
