package model

import (
	"errors"
	"net/http"
	"testing"

	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"example.com/gatehouse/internal/testutil/testtable"
	"example.com/gatehouse/test/internal/soak/request"
)

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
			"allowed; calls [], answers [], failed open [], labels [pods=17], object "},
		{testtable.Row{"annotations", "the annotations have kube-apiserver's form"},
			Observed{Annotations: []request.Annotation{
				{Key: "mutation.webhook.admission.k8s.io/round_0_index_0", Value: `{"configuration":"c","webhook":"w","mutated":false}`},
				{Key: "patch.webhook.admission.k8s.io/round_0_index_0", Value: `{}`},
				{Key: "mutation.webhook.admission.k8s.io/round_1_index_0", Value: `{"configuration":"c","webhook":"w","mutated":true}`},
				{Key: "failed-open.mutation.webhook.admission.k8s.io/round_0_index_0", Value: "w"},
				{Key: "v/revision-17", Value: "seen"},
			}},
			"allowed; calls [c/w c/w again], answers [v@17: seen], failed open [w], labels [], object "},
		{testtable.Row{"denied", "the text names the webhook"}, Observed{Err: status(403, `admission webhook "w" denied the request: no`)},
			"denied by w; calls [], answers [], failed open [], labels [], object "},
		{testtable.Row{"failed", "the text names the webhook"}, Observed{Err: status(500, `Internal error occurred: failed calling webhook "w": x`)},
			"failed at w; calls [], answers [], failed open [], labels [], object "},
		{testtable.Row{"internal", "the text need not name it"}, Observed{Err: status(500, `Internal error occurred: x`)},
			"internal error; calls [], answers [], failed open [], labels [], object "},
		{testtable.Row{"dry run", "the text names the webhook"}, Observed{Err: status(400, `admission webhook "w" does not support dry run`)},
			"dry run refused by w; calls [], answers [], failed open [], labels [], object "},
		{testtable.Row{"condition", "the text quotes the expression"},
			Observed{Err: status(403, `pods "object-1" is forbidden: expression '`+condition("w", 17)+`' resulted in error: no such key: `+conditionLabel)},
			"condition failed of w@17; calls [], answers [], failed open [], labels [], object "},
		{testtable.Row{"policy", "the text names it"},
			Observed{Err: status(422, `pods "object-1" is forbidden: ValidatingAdmissionPolicy 'soak' with binding 'soak' denied request: x`)},
			"denied by the policy; calls [], answers [], failed open [], labels [], object "},
		{testtable.Row{"timeout", "the model predicts no other codes"}, Observed{Err: status(http.StatusGatewayTimeout, "late")},
			"504: late; calls [], answers [], failed open [], labels [], object "},
		{testtable.Row{"no status", "the model predicts a status"}, Observed{Err: errors.New("x")},
			"not a status: x; calls [], answers [], failed open [], labels [], object "},
		{testtable.Row{"unknown annotation", "the model does not predict it"}, Observed{Annotations: []request.Annotation{{Key: "a/b", Value: "c"}}},
			"unknown annotation a/b=c; calls [], answers [], failed open [], labels [], object "},
	}, func(t *testing.T, r row) {
		outcome := Observe(r.seen)
		if got := outcome.String(); got != r.want {
			t.Errorf("got  %s\nwant %s", got, r.want)
		}
	})
}
