package draw_test

import (
	"math/rand/v2"
	"testing"

	admissionv1 "k8s.io/api/admission/v1"

	"example.com/gatehouse/internal/apiserver/validation"
	"example.com/gatehouse/internal/apiserver/validation/declared"
	"example.com/gatehouse/internal/equivalence/draw"
)

// TestAccepted: the validation of `gatehouse serve`, which the command does not link,
// accepts nearly all objects that Valid accepts.
func TestAccepted(t *testing.T) {
	t.Parallel()
	known, maker := newKinds(t)
	for resource, valid := range map[string]validation.Func{
		"pods": validation.Pod, "deployments": validation.Workload, "services": validation.Service,
		"jobs": validation.Job, "cronjobs": validation.CronJob,
	} {
		group := map[string]string{"deployments": "apps", "jobs": "batch", "cronjobs": "batch"}[resource]
		d := draw.New(known, nil, rule(group, resource), mentioned())
		random := rand.New(rand.NewPCG(2, 2))
		checked, rejected := 0, 0
		for range 1500 {
			c := d.Random(random, nil)
			if c.Endpoint.Operation == admissionv1.Delete || c.Endpoint.Subresource != "" ||
				c.Endpoint.GroupVersionResource.Resource != resource || c.Valid() != nil {
				continue
			}
			made, err := c.Make(maker)
			if err != nil {
				continue
			}
			checked++
			errs := append(valid(made.Object, made.OldObject),
				declared.Validate(t.Context(), made.Object, made.OldObject)...)
			if len(errs) > 0 {
				if rejected++; rejected < 4 {
					t.Logf("%s: %v", resource, errs)
				}
			}
		}
		if checked < 50 || rejected > checked/20 {
			t.Errorf("%s: %d rejected of %d", resource, rejected, checked)
		}
	}
}
