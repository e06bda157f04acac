package dispatcher_test

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"slices"
	"strings"
	"testing"

	registrationv1 "k8s.io/api/admissionregistration/v1"

	"example.com/gatehouse/admission"
	"example.com/gatehouse/dispatcher"
	"example.com/gatehouse/internal/testutil/testtable"
)

// stepRow names the first failing step of a call; all later steps fail too.
type stepRow struct {
	row
	sound int
	err   string
	// heard: the response's warnings and annotations are passed on.
	heard bool
}

// The steps of a call, in order.
const (
	stepDryRun = iota
	stepVersion
	stepClient
	stepVerify
	stepVerdict
	stepPatch
	stepsAll
)

// TestStepsOfACall: every step fails, together with all later ones. The error
// is that of the first, and the mutation annotation is always written (S-169).
func TestStepsOfACall(t *testing.T) {
	t.Parallel()
	testtable.Run(t, []stepRow{
		{row{"dry run", "whether the webhook may be called at all comes first"}, stepDryRun, `admission webhook "hook.example.com" does not support dry run`, false},
		{row{"version", "without a review there is nothing to find a client for"}, stepVersion, "could not create admission objects", false},
		{row{"client", "without a client nothing is sent"}, stepClient, "could not get REST client", false},
		{row{"verification", "a response with another uid is rejected"}, stepVerify, "expected response.uid", false},
		{row{"verdict", "warnings and annotations of a denial are kept, and its patch is ignored"}, stepVerdict, "denied the request without explanation", true},
		{row{"patch", "the patch comes last"}, stepPatch, "received undecodable patch in webhook response", true},
		{row{"all", "or the rows before could fail for another reason"}, stepsAll, "", true},
	}, func(t *testing.T, tc stepRow) {
		r := tc.testRequest().run(t.Context(), t, admission.Mutating)
		if got := testtable.Text(r.err); !strings.Contains(got, tc.err) || (got == "") != (tc.err == "") {
			t.Errorf("error %v, want one with %q", r.err, tc.err)
		}
		var keys []string
		for _, a := range r.annotations {
			keys = append(keys, a.Key)
		}
		if !slices.Contains(keys, "mutation.webhook.admission.k8s.io/round_0_index_0") {
			t.Errorf("annotations %v", keys)
		}
		heard := slices.Contains(keys, hookName+"/a")
		if heard != tc.heard || (len(r.warnings) == 1) != tc.heard {
			t.Errorf("annotations %v and warnings %v, want those of the webhook: %v", keys, r.warnings, tc.heard)
		}
	})
}

// testRequest returns a dry run of a webhook that fails from a step on.
func (tc *stepRow) testRequest() *testRequest {
	fails := func(step int) bool { return tc.sound <= step }
	s := one(admission.Mutating, tc.answer, func(w *admission.Webhook) {
		if fails(stepDryRun) {
			w.SideEffects = new(registrationv1.SideEffectClassSome)
		}
		if fails(stepVersion) {
			w.AdmissionReviewVersions = []string{"v9"}
		}
	})
	s.request.dryRun, s.request.object = true, pod("app", "web")
	if fails(stepClient) {
		s.config = func(c *dispatcher.Config) {
			c.Client = clientFunc(func(context.Context, *admission.Webhook) (*dispatcher.Endpoint, error) {
				return nil, errors.New("no such service")
			})
		}
	}
	return s
}

func (tc *stepRow) answer(r *http.Request) (*http.Response, error) {
	review, err := reviewIn(r)
	if err != nil {
		return nil, err
	}
	uid, allowed, patch := string(review.Request.UID), tc.sound > stepVerdict, `[`+addLabel("by", "hook")+`]`
	if tc.sound <= stepVerify {
		uid = "other"
	}
	if tc.sound <= stepPatch {
		patch = "nonsense"
	}
	return response(http.StatusOK, "application/json", fmt.Sprintf(
		`{"kind":"AdmissionReview","apiVersion":"admission.k8s.io/v1","response":{"uid":%q,"allowed":%v,"warnings":["careful"],"auditAnnotations":{"a":"1"},%s}}`,
		uid, allowed, patchMembers(patch))), nil
}

// TestConditionsComeBeforeCalls puts a webhook whose condition fails after a
// valid one. In the validating phase the conditions of all webhooks are
// evaluated before any is called (S-133); in the mutating phase the valid one
// has been called by then.
func TestConditionsComeBeforeCalls(t *testing.T) {
	t.Parallel()
	const want = `pods "web" is forbidden: expression '1 / 0 == 1' resulted in error: division by zero`
	for phase, calls := range map[admission.Phase]int{admission.Mutating: 1, admission.Validating: 0} {
		s := &testRequest{backends: backends{"a": allow()}, webhooks: []*admission.Webhook{
			hook(phase, "a"),
			hook(phase, "b", func(w *admission.Webhook) {
				w.MatchConditions = []registrationv1.MatchCondition{{Name: "c", Expression: "1 / 0 == 1"}}
			}),
		}}
		r := s.run(t.Context(), t, phase)
		if testtable.Text(r.err) != want || len(r.calls) != calls {
			t.Errorf("%v: %d calls and error %v, want %d and %s", phase, len(r.calls), r.err, calls, want)
		}
	}
}

// TestWarningHeaders: warnings for the user are in the review; the headers of a
// response are for the operator of the client (S-287).
func TestWarningHeaders(t *testing.T) {
	t.Parallel()
	for _, phase := range []admission.Phase{admission.Mutating, admission.Validating} {
		s := one(phase, func(r *http.Request) (*http.Response, error) {
			answer, err := reply(`"allowed":true,"warnings":["in the review"]`)(r)
			if err == nil {
				answer.Header.Set("Warning", `299 - "in the header"`)
			}
			return answer, err
		})
		r := s.run(t.Context(), t, phase)
		if r.err != nil || !slices.Equal(r.warnings, []string{"in the review"}) {
			t.Errorf("%v: warnings %q and error %v", phase, r.warnings, r.err)
		}
	}
}

// TestValidatingConversion needs a version that the object cannot be converted
// to. In the mutating phase the error is wrapped twice; in the validating phase
// once, and no webhook is called (S-181).
func TestValidatingConversion(t *testing.T) {
	t.Parallel()
	var saw []string
	s := (&versionsRow{steps: []step{{"v1", ""}, {"v2", ""}}}).testRequest(admission.Validating, &saw)
	s.request = testKindRequest(&testKind{Color: "plaid"})
	r := s.run(t.Context(), t, admission.Validating)
	if want := "Internal error occurred: v2 has no plaid"; testtable.Text(r.err) != want || len(saw) != 0 {
		t.Errorf("error %v, want %s; the webhooks saw %v", r.err, want, saw)
	}
}
