package admission_test

import (
	"errors"
	"testing"

	"example.com/gatehouse/admission"
)

// TestCallError pins the texts that users of kube-apiserver know (S-253).
func TestCallError(t *testing.T) {
	t.Parallel()
	reason := errors.New("connection refused")
	for _, tc := range []struct {
		why    string
		reason error
		want   string
	}{
		{"the reason follows the name", reason, `failed calling webhook "hook.example.com": connection refused`},
		{"without a reason it says so", nil, `failed calling webhook "hook.example.com"; no further details available`},
	} {
		err := &admission.CallError{Webhook: "hook.example.com", Reason: tc.reason}
		if err.Error() != tc.want {
			t.Errorf("%s:\nwant %s\ngot  %s", tc.why, tc.want, err)
		}
		if !errors.Is(err, tc.reason) && tc.reason != nil {
			t.Errorf("%s: the reason cannot be found in the error", tc.why)
		}
	}
}
