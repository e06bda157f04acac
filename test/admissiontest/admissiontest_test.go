package admissiontest_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"example.com/gatehouse/admission"
	"example.com/gatehouse/internal/testutil/testtable"
	"example.com/gatehouse/test/admissiontest"
)

type row = testtable.Row

// notes is a test that takes note of what it is told.
type notes struct {
	testing.TB
	failed   bool
	said     string
	cleanups []func()
}

// Helper implements testing.TB.
func (n *notes) Helper() {}

// Failed implements testing.TB.
func (n *notes) Failed() bool { return n.failed }

// Cleanup implements testing.TB.
func (n *notes) Cleanup(f func()) { n.cleanups = append(n.cleanups, f) }

// Logf implements testing.TB.
func (n *notes) Logf(format string, args ...any) { n.said += fmt.Sprintf(format, args...) }

// Errorf implements testing.TB.
func (n *notes) Errorf(format string, args ...any) {
	n.failed = true
	n.Logf(format, args...)
}

// response is that to a pod which one webhook was not called for.
func response(allowed bool) *admission.Response {
	w := &admission.Webhook{Phase: admission.Validating, Configuration: "policies", Name: "images.example.com", UID: "1"}
	r := &admission.Response{
		Request: &admission.Request{Operation: "CREATE", Name: "web"}, Allowed: allowed,
		Matches: []admission.Match{{Webhook: w, Stage: admission.StageRules, Rule: -1}},
	}
	if !allowed {
		r.Status = &metav1.Status{Code: 403, Reason: metav1.StatusReasonForbidden, Message: "no latest"}
	}
	return r
}

func TestChecks(t *testing.T) {
	t.Parallel()
	allowed := func(tb testing.TB, r *admission.Response) { admissiontest.Allowed(tb, r) }
	denied := func(text string) func(testing.TB, *admission.Response) {
		return func(tb testing.TB, r *admission.Response) { admissiontest.Denied(tb, r, text) }
	}
	type test struct {
		row
		check   func(testing.TB, *admission.Response)
		allowed bool
		// want is how the failure begins; empty for none.
		want string
	}
	testtable.Run(t, []test{
		{row{"allowed", "all is well"}, allowed, true, ""},
		{row{"not allowed", "the explanation says what denied it"}, allowed, false, "the request was denied:\nCREATE"},
		{row{"denied", "with the expected words"}, denied("latest"), false, ""},
		{row{"denied with other words", "perhaps another webhook denied it"}, denied("quota"), false, `the request was denied with "no latest"; want "quota" in that:`},
		{row{"not denied", "the webhook may not have been called"}, denied("latest"), true, `the request was admitted; want it denied with "latest":`},
	}, func(t *testing.T, r test) {
		n := &notes{}
		r.check(n, response(r.allowed))
		if n.failed != (r.want != "") || !strings.HasPrefix(n.said, r.want) {
			t.Errorf("failed %t, with %q", n.failed, n.said)
		}
		if r.want != "" && !strings.Contains(n.said, "images.example.com (policies) not called: rules") {
			t.Errorf("nothing is explained in %q", n.said)
		}
	})
}

// TestOnFailure explains only what has failed.
func TestOnFailure(t *testing.T) {
	t.Parallel()
	for _, failed := range []bool{false, true} {
		n := &notes{failed: failed}
		admissiontest.OnFailure(n, response(false))
		for _, f := range n.cleanups {
			f()
		}
		if explained := strings.Contains(n.said, "images.example.com (policies) not called: rules"); explained != failed {
			t.Errorf("failed %t, and said %q", failed, n.said)
		}
	}
}

// TestOneTree requires that a test prints the tree of a response once.
func TestOneTree(t *testing.T) {
	t.Parallel()
	n, r := &notes{}, response(false)
	admissiontest.OnFailure(n, r)
	admissiontest.Allowed(n, r)
	admissiontest.Denied(n, r, "quota")
	admissiontest.Allowed(n, response(false))
	for _, f := range slices.Backward(n.cleanups) {
		f()
	}
	if trees := strings.Count(n.said, "images.example.com (policies) not called: rules"); trees != 2 {
		t.Errorf("%d trees for two responses:\n%s", trees, n.said)
	}
}
