package matching_test

import (
	"errors"
	"testing"

	"github.com/google/go-cmp/cmp"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"example.com/gatehouse/admission"
	"example.com/gatehouse/internal/testutil/testtable"
)

// stageCase is a webhook and the stage that excludes it, with the error.
type stageCase struct {
	row
	webhook *admission.Webhook
	ask     testRequest
	input   func(*input)
	want    verdict
}

// verdict is where matching stopped. Code and Err are zero without an error.
type verdict struct {
	Stage admission.Stage
	Code  int32
	Err   string
}

var passed = verdict{Stage: admission.StagePassed}

func stoppedAt(s admission.Stage) verdict { return verdict{Stage: s} }

func runStages(t *testing.T, cases []stageCase) {
	t.Helper()
	testtable.Run(t, cases, func(t *testing.T, tc stageCase) {
		r := request(tc.ask)
		if tc.input != nil {
			r = request(tc.ask, tc.input)
		}
		m := match(t.Context(), compile(tc.webhook), r)
		if diff := cmp.Diff(tc.want, verdictOf(t, &m)); diff != "" {
			t.Errorf("verdict (-want +got):\n%s", diff)
		}
		if m.Webhook != tc.webhook {
			t.Errorf("Match names the webhook %p, want %p", m.Webhook, tc.webhook)
		}
		if want := tc.want == passed; m.Matched() != want {
			t.Errorf("Matched() = %v, want %v", m.Matched(), want)
		}
	})
}

// verdictOf also checks what holds for every error: it is a status, as clients
// are to receive it.
func verdictOf(t *testing.T, m *admission.Match) verdict {
	t.Helper()
	v := verdict{Stage: m.Stage}
	if m.Err == nil {
		return v
	}
	var status *apierrors.StatusError
	if !errors.As(m.Err, &status) {
		t.Fatalf("error %v is a %T, want a *StatusError", m.Err, m.Err)
	}
	if status.ErrStatus.Status != metav1.StatusFailure {
		t.Errorf("status is %q, want %q", status.ErrStatus.Status, metav1.StatusFailure)
	}
	v.Code, v.Err = status.ErrStatus.Code, m.Err.Error()
	return v
}
