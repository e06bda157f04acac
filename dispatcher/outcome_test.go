package dispatcher_test

import (
	"context"
	"fmt"
	"net/http"
	"slices"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	registrationv1 "k8s.io/api/admissionregistration/v1"

	"example.com/gatehouse/admission"
	"example.com/gatehouse/dispatcher"
	"example.com/gatehouse/internal/testutil/testtable"
)

// outcomeRow is something that can happen to a call. What follows from it, in
// both phases and under every failurePolicy, is in testdata/outcome.
type outcomeRow struct {
	row
	answer  exchange
	client  dispatcher.Client
	webhook func(*admission.Webhook)
	request request
	// leaves: the caller cancels when the webhook has received the review.
	// lapses: the request's deadline passes then.
	leaves, lapses bool
	// exact is Config.Exact, forgiving Config.PatchFailurePolicy.
	exact, forgiving bool
}

// policies are those of the table; absent and unknown ones are two of them.
var policies = []struct {
	name   string
	policy *registrationv1.FailurePolicyType
}{
	{"Fail", new(registrationv1.Fail)},
	{"Ignore", new(registrationv1.Ignore)},
	{"none", nil},
	{"unknown", new(registrationv1.FailurePolicyType("Sometimes"))},
}

func TestOutcomes(t *testing.T) {
	t.Parallel()
	rows := slices.Concat(answeredRows(), patchRows(), unreachableRows(), invalidRows(), dryRunRows(), goneRows(), panicRows())
	testtable.Run(t, rows, func(t *testing.T, tc outcomeRow) {
		var b strings.Builder
		fmt.Fprintf(&b, "%s\n", tc.Why())
		for _, phase := range []admission.Phase{admission.Mutating, admission.Validating} {
			tc.describe(t, &b, phase)
		}
		matchFile(t, b.String(), "outcome", strings.ReplaceAll(tc.Name(), " ", "_")+".txt")
	})
}

// describe writes what happens in a phase, once for all policies under which it
// is the same. Only Ignore may differ (S-254).
func (tc *outcomeRow) describe(t *testing.T, b *strings.Builder, phase admission.Phase) {
	t.Helper()
	outcomes := map[string]string{}
	for _, p := range policies {
		// Deadlines pass on a clock of the test's own.
		synctest.Test(t, func(t *testing.T) { outcomes[p.name] = tc.run(t, phase, p.policy) })
	}
	for _, p := range []string{"none", "unknown"} {
		if outcomes[p] != outcomes["Fail"] {
			t.Errorf("%v: failurePolicy %s is not Fail:\n%s\nbut\n%s", phase, p, outcomes[p], outcomes["Fail"])
		}
	}
	if outcomes["Ignore"] == outcomes["Fail"] {
		fmt.Fprintf(b, "\n---- %v\n%s", phase, outcomes["Fail"])
		return
	}
	fmt.Fprintf(b, "\n---- %v, Fail\n%s", phase, outcomes["Fail"])
	fmt.Fprintf(b, "\n---- %v, Ignore\n%s", phase, outcomes["Ignore"])
}

func (tc *outcomeRow) run(t *testing.T, phase admission.Phase, policy *registrationv1.FailurePolicyType) string {
	t.Helper()
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	answer := tc.answer
	switch {
	case tc.leaves:
		answer = func(r *http.Request) (*http.Response, error) {
			cancel()
			<-r.Context().Done()
			return nil, r.Context().Err()
		}
	case tc.lapses:
		ctx, cancel = context.WithTimeout(ctx, 900*time.Millisecond)
		defer cancel()
		answer = func(r *http.Request) (*http.Response, error) { <-r.Context().Done(); return nil, r.Context().Err() }
	}
	s := one(phase, answer, func(w *admission.Webhook) {
		w.FailurePolicy = policy
		if tc.webhook != nil {
			tc.webhook(w)
		}
	})
	s.request = tc.request
	if s.request.operation == "" {
		s.request.object = pod("app", "web")
	}
	s.config = func(c *dispatcher.Config) {
		c.Exact, c.PatchFailurePolicy = tc.exact, tc.forgiving
		if tc.client != nil {
			c.Client = tc.client
		}
	}
	return s.run(ctx, t, phase).describe(t)
}
