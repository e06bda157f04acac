package explain

import (
	"errors"
	"testing"

	registrationv1 "k8s.io/api/admissionregistration/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"example.com/gatehouse/admission"
	"example.com/gatehouse/internal/testutil/testtable"
)

func TestUndecided(t *testing.T) {
	t.Parallel()
	lost := errors.New("not reached")
	w := &admission.Webhook{Name: "a", FailurePolicy: new(registrationv1.Fail)}
	calls := func(outcomes ...admission.Outcome) (all []admission.Call) {
		for _, o := range outcomes {
			c := admission.Call{Webhook: w, Outcome: o}
			if o == admission.FailedClosed || o == admission.FailedOpen {
				c.Err = lost
			}
			all = append(all, c)
		}
		return all
	}
	denied := &metav1.Status{Message: "no"}
	type test struct {
		row
		response admission.Response
		want     bool
	}
	testtable.Run(t, []test{
		{row{"admitted", "all webhooks answered"}, admission.Response{Allowed: true, Calls: calls(admission.Allowed)}, false},
		{row{"denied", "the webhook answered"}, admission.Response{Status: denied, Calls: calls(admission.Rejected)}, false},
		{row{"ignored", "the webhook could have denied the request"}, admission.Response{Allowed: true, Calls: calls(admission.FailedOpen, admission.Allowed)}, true},
		{row{"blocked", "the webhook could have admitted the request"}, admission.Response{Status: denied, Calls: calls(admission.FailedClosed)}, true},
		{row{"denied by another", "the other webhook decides"}, admission.Response{Status: denied, Calls: calls(admission.FailedClosed, admission.Rejected)}, false},
		{row{"denied after an ignored one", "the other webhook decides"}, admission.Response{Status: denied, Calls: calls(admission.FailedOpen, admission.Rejected)}, false},
		{row{"denied without a call", "the server decides"}, admission.Response{Status: denied, Calls: calls(admission.FailedOpen)}, false},
		{row{"conversion", "only the status says so"}, admission.Response{Status: &metav1.Status{Message: "not reached"}}, true},
		{row{"incomplete", "records may lack the webhook"}, admission.Response{Allowed: true, Calls: []admission.Call{{Err: lost}}}, false},
	}, func(t *testing.T, tc test) {
		is := func(err error) bool { return err.Error() == lost.Error() }
		if got := Undecided(&tc.response, is); got != tc.want {
			t.Errorf("got %t, want %t: %s", got, tc.want, tc.Why())
		}
		e := Response(&tc.response, NotReached(is))
		if e.Undecided != tc.want {
			t.Errorf("the explanation says %t, want %t: %s", e.Undecided, tc.want, tc.Why())
		}
	})
}
