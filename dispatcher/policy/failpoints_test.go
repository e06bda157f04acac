//go:build failpoints

package policy_test

import (
	"context"
	"fmt"
	"strings"
	"testing"

	registrationv1 "k8s.io/api/admissionregistration/v1"
	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/runtime"

	"example.com/gatehouse/admission"
	"example.com/gatehouse/internal/engine/failpoint"
	"example.com/gatehouse/internal/testutil/testtable"
)

// TestFailpoints has a request canceled, and code panic, around the evaluation of a
// policy. A cancellation that no expression notices changes nothing; after a panic,
// the object is as it was.
func TestFailpoints(t *testing.T) {
	t.Parallel()
	sides := map[admission.Phase][]runtime.Object{
		admission.Mutating: mutating("labels", matching("pods"), labelling("a", "'b'")),
		admission.Validating: validating("allows", func(p *registrationv1.ValidatingAdmissionPolicy) {
			p.Spec.Validations[0].Expression = "true"
		}),
	}
	for phase, policies := range sides {
		for _, point := range []failpoint.Point{failpoint.BeforeEvaluation, failpoint.AfterEvaluation} {
			for _, panics := range []bool{false, true} {
				t.Run(fmt.Sprintf("%v/%v/panic %t", phase, point, panics), func(t *testing.T) {
					e, request := newEvaluator(t, nil, policies...), pod()
					ctx, cancel := context.WithCancel(t.Context())
					defer cancel()
					reached := 0
					ctx = failpoint.With(ctx, func(_ string, at failpoint.Point) {
						if at != point {
							return
						}
						reached++
						if panics {
							panic("at the failpoint")
						}
						cancel()
					})
					run := e.Admit
					if phase == admission.Validating {
						run = e.Validate
					}
					err := run(ctx, request, objects(), nil)
					text := testtable.Text(err)
					if reached != 1 || panics != strings.Contains(text, "Internal error occurred: ") || !panics && err != nil {
						t.Errorf("the point was reached %d times, and the error is %q", reached, text)
					}
					labelled := request.GetObject().(*corev1.Pod).Labels["a"] == "b"
					if want := phase == admission.Mutating && !panics; labelled != want {
						t.Errorf("the pod has the label: %t, want %t", labelled, want)
					}
				})
			}
		}
	}
}
