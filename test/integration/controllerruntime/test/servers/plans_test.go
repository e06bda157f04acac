package servers_test

import (
	"testing"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	backupsv1 "example.com/backups/api/v1"
	backupsv1alpha1 "example.com/backups/api/v1alpha1"
)

// row is a test of the project with one API server.
type row struct {
	name, why string
	run       func(*testing.T, *caller)
}

// TestPlans runs all rows with all ways, each way with an API server of its own
// and all at the same time.
func TestPlans(t *testing.T) {
	t.Parallel()
	rows := [][]row{versionRows, admissionRows, controllerRows}
	for name, way := range map[string]way{"in process": inProcess, "routed": routed, "stored": stored, "existing": existing} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			w := newWorld(t, way)
			seen := map[string]bool{}
			for _, group := range rows {
				for _, r := range group {
					if seen[r.name] || r.why == "" {
						t.Errorf("the row %q is there twice, or has no reason", r.name)
					}
					seen[r.name] = true
					t.Run(r.name, func(t *testing.T) {
						t.Parallel()
						t.Log(r.why)
						r.run(t, w.caller(t))
					})
				}
			}
		})
	}
}

// plan returns a plan that there is nothing to say about.
func (c *caller) plan() *backupsv1.Plan {
	return &backupsv1.Plan{
		ObjectMeta: metav1.ObjectMeta{Name: "nightly", Namespace: c.namespace},
		Spec:       backupsv1.PlanSpec{Claim: "data"},
	}
}

// oldPlan returns the same in the first version.
func (c *caller) oldPlan() *backupsv1alpha1.Plan {
	return &backupsv1alpha1.Plan{
		ObjectMeta: metav1.ObjectMeta{Name: "nightly", Namespace: c.namespace},
		Spec:       backupsv1alpha1.PlanSpec{Claim: "data"},
	}
}

// must ends the test if there is an error.
func must(t *testing.T, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}
