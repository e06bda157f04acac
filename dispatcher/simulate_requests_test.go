package dispatcher_test

import (
	"net/http"
	"testing"

	"github.com/google/go-cmp/cmp"
	admissionv1 "k8s.io/api/admission/v1"

	"example.com/gatehouse/dispatcher/simulate"
	"example.com/gatehouse/internal/testutil/testtable"
)

// TestSimulateDeletion looks at what is sent: no object, and the old one in
// both phases (S-363).
func TestSimulateDeletion(t *testing.T) {
	t.Parallel()
	type seen struct{ Object, Old bool }
	var saw []seen
	note := func(r *http.Request) (*http.Response, error) {
		review, err := reviewIn(r)
		if err != nil {
			return nil, err
		}
		saw = append(saw, seen{len(review.Request.Object.Raw) > 0, len(review.Request.OldObject.Raw) > 0})
		return (&step{}).answer(string(review.Request.UID)), nil
	}
	r := creation(nil)
	r.Operation, r.Object, r.OldObject = admissionv1.Delete, nil, pod()
	bothPhases(note, note).simulate(t, r)
	if diff := cmp.Diff([]seen{{Old: true}, {Old: true}}, saw); diff != "" {
		t.Errorf("the webhooks saw (-want +got):\n%s", diff)
	}
}

// TestSimulateDryRunOfConnect: an API server rejects it before any webhook is
// called (S-364).
func TestSimulateDryRunOfConnect(t *testing.T) {
	t.Parallel()
	s := bothPhases(allow(), allow())
	for _, operation := range []admissionv1.Operation{admissionv1.Connect, admissionv1.Create} {
		r := creation(execOptions())
		r.Operation, r.DryRun = operation, true
		want := "simulating an admission request: Request.DryRun: dryRun is not supported for CONNECT"
		if operation == admissionv1.Create {
			want, r.Object = "", pod()
		}
		response, err := simulate.Request(t.Context(), s.dispatcher(t, newResult()), r, s.interfaces())
		if testtable.Text(err) != want || (response == nil) != (want != "") {
			t.Errorf("%s: response %v and error %v, want %q", operation, response, err, want)
		}
	}
}
