package model

import (
	"errors"
	"fmt"
	"net/http"
	"testing"

	registrationv1 "k8s.io/api/admissionregistration/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"example.com/gatehouse/admission"
	"example.com/gatehouse/internal/testutil/testtable"
	"example.com/gatehouse/test/faultserver"
	"example.com/gatehouse/test/internal/soak/request"
)

// TestRequests: one in ten requests selects a fault, and every fault is
// selected.
func TestRequests(t *testing.T) {
	t.Parallel()
	met, of := map[string]int{}, map[string]int{}
	const many = 100_000
	for n := range int64(many) {
		r := RequestAt(n)
		of[r.Resource]++
		if r.Fault != "" {
			met[r.Fault]++
			met["any"]++
			of["faulty "+r.Resource]++
		}
	}
	if met["any"] != many/everyFault {
		t.Errorf("%d of %d requests ask for a fault", met["any"], many)
	}
	for _, fault := range Faults() {
		if _, ok := faultserver.Lookup(fault); !ok || met[fault] == 0 {
			t.Errorf("%d requests ask for %q, which exists: %v", met[fault], fault, ok)
		}
	}
	for _, kind := range []string{Pods, Widgets} {
		if of[kind] < many/3 || of["faulty "+kind] < many/everyFault/3 {
			t.Errorf("%d requests are for %s, %d of them ask for a fault", of[kind], kind, of["faulty "+kind])
		}
	}
}

// TestOf reads configurations back as they were written.
func TestOf(t *testing.T) {
	t.Parallel()
	for _, phase := range []admission.Phase{admission.Mutating, admission.Validating} {
		draft := Draft{Name: "soak", Phase: phase, Revision: 1234, Webhooks: []WebhookDraft{
			{Role: "pods", Resources: []string{Pods}, Client: registrationv1.WebhookClientConfig{URL: new("https://127.0.0.1:8443")}},
			{Role: "hang", Fault: "hang", Resources: []string{Pods, Widgets}, Client: registrationv1.WebhookClientConfig{
				Service: &registrationv1.ServiceReference{Namespace: "a", Name: "b"},
			}},
		}}
		read := Of(draft.Object())
		if got, want := fmt.Sprintf("%+v", *read), fmt.Sprintf("{Name:soak Webhooks:["+
			"{Name:pods-18.%[1]v.example.com Role:pods Revision:1234 Fault: Resources:[pods] Ignore:false} "+
			"{Name:hang-02.%[1]v.example.com Role:hang Revision:1234 Fault:hang Resources:[pods widgets] Ignore:true}]}", phase); got != want {
			t.Errorf("got  %s\nwant %s", got, want)
		}
		if *draft.Webhooks[0].Client.URL != "https://127.0.0.1:8443" {
			t.Errorf("the draft has changed: %s", *draft.Webhooks[0].Client.URL)
		}
	}
}

// TestPredict compares predictions with expected outcomes.
func TestPredict(t *testing.T) {
	t.Parallel()
	sound := Webhook{Name: "sound", Role: "sound", Revision: revisionThat(yes), Resources: []string{Pods}}
	patching, denying := sound, sound
	patching.Name, patching.Role, patching.Revision = "patching", "patching", revisionThat(patch)
	denying.Name, denying.Revision = "denying", revisionThat(no)
	faulty := func(fault string, ignore bool) Webhook {
		return Webhook{Name: fault, Role: fault, Revision: 1, Fault: fault, Resources: []string{Pods}, Ignore: ignore}
	}
	type row struct {
		testtable.Row
		phase    admission.Phase
		fault    string
		webhooks []Webhook
		want     string
		counts   Counts
	}
	const mutating, validating = admission.Mutating, admission.Validating
	testtable.Run(t, []row{
		{testtable.Row{"no webhooks", "every request is admitted"}, mutating, "", nil,
			"allowed; calls [], answers [], failed open [], labels []", Counts{}},
		{testtable.Row{"patched", "patches leave labels"}, mutating, "", []Webhook{sound, patching},
			fmt.Sprintf("allowed; calls [c/sound c/patching], answers [patching@%d sound@%d], failed open [], labels [patching=%[1]d]",
				patching.Revision, sound.Revision), Counts{Calls: 2}},
		{testtable.Row{"denied", "later webhooks are not called, and patches are undone"}, mutating, "", []Webhook{patching, denying, sound},
			fmt.Sprintf("denied by denying; calls [c/patching c/denying], answers [denying@%d patching@%d], failed open [], labels []",
				denying.Revision, patching.Revision), Counts{Calls: 2, Denied: 1}},
		{testtable.Row{"denied at once", "validating webhooks are all called"}, validating, "", []Webhook{denying, sound},
			fmt.Sprintf("denied by denying; calls [], answers [denying@%d sound@%d], failed open [], labels []",
				denying.Revision, sound.Revision), Counts{Calls: 2, Denied: 1}},
		{testtable.Row{"other fault", "only the fault that is asked for is met"}, mutating, "hang", []Webhook{faulty("reset", false)},
			"allowed; calls [], answers [], failed open [], labels []", Counts{}},
		{testtable.Row{"failed open", "the policy decides"}, mutating, "reset", []Webhook{faulty("reset", true)},
			"allowed; calls [c/reset], answers [], failed open [reset], labels []", Counts{Calls: 1, Faulty: 1, FailedOpen: 1}},
		{testtable.Row{"failed closed", "the policy decides"}, validating, "reset", []Webhook{faulty("reset", false)},
			"failed at reset; calls [], answers [], failed open [], labels []", Counts{Calls: 1, Faulty: 1, FailedClosed: 1}},
		{testtable.Row{"bad patch", "no policy helps"}, mutating, "bad-patch", []Webhook{faulty("bad-patch", true)},
			"internal error; calls [c/bad-patch], answers [], failed open [], labels []", Counts{Calls: 1, Faulty: 1, Internal: 1}},
		{testtable.Row{"patch while validating", "it is an invalid answer, and the policy decides"}, validating, "bad-patch", []Webhook{faulty("bad-patch", true)},
			"allowed; calls [], answers [], failed open [bad-patch], labels []", Counts{Calls: 1, Faulty: 1, FailedOpen: 1}},
	}, func(t *testing.T, r row) {
		state := State{{Name: "c", Webhooks: r.webhooks}}
		outcome, counts := Predict(state, r.phase, Request{Number: 1, Resource: Pods, Fault: r.fault})
		if got := outcome.String(); got != r.want || counts != r.counts {
			t.Errorf("got  %s %+v\nwant %s %+v", got, counts, r.want, r.counts)
		}
	})
}

// TestPredictLost compares predictions of lost calls with expected outcomes.
func TestPredictLost(t *testing.T) {
	t.Parallel()
	sound := func(name string) Webhook {
		return Webhook{Name: name, Revision: revisionThat(yes), Resources: []string{Pods}}
	}
	state := State{{Name: "c", Webhooks: []Webhook{sound("a"), sound("b")}}}
	answer := fmt.Sprintf("b@%d", revisionThat(yes))
	type row struct {
		testtable.Row
		phase   admission.Phase
		answers []string
		lost    int
		want    string
		counts  Counts
	}
	testtable.Run(t, []row{
		{testtable.Row{"first of two", "what has answered was not lost"}, admission.Validating, []string{answer}, 1,
			"failed at a; calls [], answers [" + answer + "], failed open [], labels []", Counts{Calls: 2, Faulty: 1, FailedClosed: 1}},
		{testtable.Row{"both", "the first error counts"}, admission.Validating, nil, 2,
			"failed at a; calls [], answers [], failed open [], labels []", Counts{Calls: 2, Faulty: 2, FailedClosed: 2}},
		{testtable.Row{"in order", "mutating webhooks after a failure are not called"}, admission.Mutating, nil, 1,
			"failed at a; calls [c/a], answers [], failed open [], labels []", Counts{Calls: 1, Faulty: 1, FailedClosed: 1}},
		{testtable.Row{"too many", "no more can be lost than were made"}, admission.Mutating, nil, 2, "", Counts{}},
	}, func(t *testing.T, r row) {
		outcome, counts, ok := PredictLost(state, r.phase, Request{Number: 1, Resource: Pods}, Outcome{Revisions: r.answers}, r.lost)
		if ok != (r.want != "") {
			t.Fatalf("possible: %v", ok)
		}
		if got := outcome.String(); ok && (got != r.want || counts != r.counts) {
			t.Errorf("got  %s %+v\nwant %s %+v", got, counts, r.want, r.counts)
		}
	})
}

// revisionThat returns a revision at which mutating webhooks say that to
// request 1. What validating ones say is the same but for patches.
func revisionThat(want verdict) int64 {
	for revision := int64(1); ; revision++ {
		if verdictOn(admission.Mutating, revision, Request{Number: 1}) == want {
			return revision
		}
	}
}

// TestObserve reads outcomes from what can be seen.
func TestObserve(t *testing.T) {
	t.Parallel()
	type row struct {
		testtable.Row
		seen Observed
		want string
	}
	status := func(code int32, message string) error {
		return &apierrors.StatusError{ErrStatus: metav1.Status{Code: code, Message: message}}
	}
	testtable.Run(t, []row{
		{testtable.Row{"allowed", "labels of the request itself are left out"},
			Observed{Labels: map[string]string{FaultLabel: "x", request.NumberLabel: "1", "pods": "17"}},
			"allowed; calls [], answers [], failed open [], labels [pods=17]"},
		{testtable.Row{"annotations", "the annotations have kube-apiserver's form"},
			Observed{Annotations: []request.Annotation{
				{Key: "mutation.webhook.admission.k8s.io/round_0_index_0", Value: `{"configuration":"c","webhook":"w","mutated":false}`},
				{Key: "patch.webhook.admission.k8s.io/round_0_index_0", Value: `{}`},
				{Key: "failed-open.mutation.webhook.admission.k8s.io/round_0_index_0", Value: "w"},
				{Key: "v/revision", Value: "17"},
			}},
			"allowed; calls [c/w], answers [v@17], failed open [w], labels []"},
		{testtable.Row{"denied", "the text names the webhook"}, Observed{Err: status(403, `admission webhook "w" denied the request: no`)},
			"denied by w; calls [], answers [], failed open [], labels []"},
		{testtable.Row{"failed", "the text names the webhook"}, Observed{Err: status(500, `Internal error occurred: failed calling webhook "w": x`)},
			"failed at w; calls [], answers [], failed open [], labels []"},
		{testtable.Row{"internal", "the text need not name it"}, Observed{Err: status(500, `Internal error occurred: x`)},
			"internal error; calls [], answers [], failed open [], labels []"},
		{testtable.Row{"timeout", "the model predicts no other codes"}, Observed{Err: status(http.StatusGatewayTimeout, "late")},
			"504: late; calls [], answers [], failed open [], labels []"},
		{testtable.Row{"no status", "the model predicts a status"}, Observed{Err: errors.New("x")},
			"not a status: x; calls [], answers [], failed open [], labels []"},
		{testtable.Row{"unknown annotation", "the model does not predict it"}, Observed{Annotations: []request.Annotation{{Key: "a/b", Value: "c"}}},
			"unknown annotation a/b=c; calls [], answers [], failed open [], labels []"},
	}, func(t *testing.T, r row) {
		outcome := Observe(r.seen)
		if got := outcome.String(); got != r.want {
			t.Errorf("got  %s\nwant %s", got, r.want)
		}
	})
}
