package dispatcher_test

import (
	"fmt"
	"net/http"
	"testing"

	apiadmission "k8s.io/apiserver/pkg/admission"

	"example.com/gatehouse/admission"
	"example.com/gatehouse/internal/testutil/testtable"
)

// TestTargets checks the review of a webhook that matches an equivalent
// resource (S-213), and its old object, which is converted too.
func TestTargets(t *testing.T) {
	t.Parallel()
	for _, phase := range []admission.Phase{admission.Mutating, admission.Validating} {
		t.Run(phase.String(), func(t *testing.T) {
			t.Parallel()
			s := one(phase, func(r *http.Request) (*http.Response, error) {
				review, err := reviewIn(r)
				if err != nil {
					return nil, err
				}
				matchFile(t, fmt.Sprintf("kind %v, resource %v\nrequest kind %v, resource %v\nobject %s\nold object %s\n",
					review.Request.Kind, review.Request.Resource, review.Request.RequestKind, review.Request.RequestResource,
					review.Request.Object.Raw, review.Request.OldObject.Raw), "targets.txt")
				return (&step{}).answer(string(review.Request.UID)), nil
			}, inVersion("v2"))
			s.objects = newTestKindInterfaces()
			s.request = testKindRequest(&testKind{Color: "new"})
			s.request.operation, s.request.old = apiadmission.Update, &testKind{Color: "old"}
			r := s.run(t.Context(), t, phase)
			want := admission.Target{Resource: toysV2.WithResource("gadgets"), Kind: toysV2.WithKind("Gadget")}
			if len(r.calls) != 1 || r.calls[0].Target != want || r.err != nil {
				t.Errorf("calls %+v and error %v, want target %v", r.calls, r.err, want)
			}
		})
	}
}

// TestValidatingVersions: several webhooks share two versions. Each version is
// converted once (S-190), and an impossible one ends the request before any
// call.
func TestValidatingVersions(t *testing.T) {
	t.Parallel()
	for color, want := range map[string]string{"red": "", "plaid": "Internal error occurred: v2 has no plaid"} {
		objects := newTestKindInterfaces()
		s := several(4, func(int) exchange { return allow() })
		for i, w := range s.webhooks {
			inVersion([]string{"v1", "v2"}[i%2])(w)
		}
		s.objects = objects
		s.request = testKindRequest(&testKind{Color: color})
		r := s.run(t.Context(), t, admission.Validating)
		if testtable.Text(r.err) != want {
			t.Errorf("%s: error %v, want %q", color, r.err, want)
		}
		if want != "" && len(r.calls) != 0 {
			t.Errorf("%s: %d webhooks were called", color, len(r.calls))
		}
		if want == "" && (objects.toV1.Load() != 1 || objects.toV2.Load() != 1) {
			t.Errorf("%d conversions to v1 and %d to v2, want one each", objects.toV1.Load(), objects.toV2.Load())
		}
	}
}
