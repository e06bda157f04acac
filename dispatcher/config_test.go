package dispatcher_test

import (
	"testing"

	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"example.com/gatehouse/admission"
	"example.com/gatehouse/admission/limits"
	"example.com/gatehouse/dispatcher"
	"example.com/gatehouse/internal/testutil/testtable"
)

type configRow struct {
	row
	config dispatcher.Config
	want   string
}

func TestNewErrors(t *testing.T) {
	t.Parallel()
	testtable.Run(t, []configRow{
		{row{"nothing", "the first missing field is named"}, dispatcher.Config{}, "dispatcher: Config.Source is required"},
		{row{"no client", "webhooks have to be reached somehow"}, dispatcher.Config{Source: snapshot()}, "dispatcher: Config.Client is required"},
		{row{"negative limit", "a limit that nothing can keep to is a mistake"},
			dispatcher.Config{Source: snapshot(), Client: backends{}, Limits: limits.Limits{Warnings: -1}}, "dispatcher: Config.Limits: Warnings is -1 and must not be negative"},
		{row{"enough", "everything else has a default"}, dispatcher.Config{Source: snapshot(), Client: backends{}}, ""},
	}, func(t *testing.T, tc configRow) {
		d, err := dispatcher.New(tc.config)
		if testtable.Text(err) != tc.want || (d == nil) != (err != nil) {
			t.Errorf("New gave %v and error %v, want error %q", d, err, tc.want)
		}
	})
}

// TestNoNamespaces: without Config.Namespaces no namespace is found.
func TestNoNamespaces(t *testing.T) {
	t.Parallel()
	for _, phase := range []admission.Phase{admission.Mutating, admission.Validating} {
		s := one(phase, allow(), ignoring, func(w *admission.Webhook) {
			w.NamespaceSelector = &metav1.LabelSelector{MatchLabels: map[string]string{"env": "prod"}}
		})
		r := s.run(t.Context(), t, phase)
		if want := `namespaces "shop" not found`; testtable.Text(r.err) != want || codeOf(r.err) != 404 {
			t.Errorf("%v: error %d %v, want 404 %s", phase, codeOf(r.err), r.err, want)
		}
	}
}

// codeOf returns the code of an error that is a status, or 0.
func codeOf(err error) int32 {
	if status, ok := err.(apierrors.APIStatus); ok {
		return status.Status().Code
	}
	return 0
}
