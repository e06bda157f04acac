package servers_test

import (
	"fmt"
	"testing"

	"github.com/google/go-cmp/cmp"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"sigs.k8s.io/controller-runtime/pkg/client"

	backupsv1 "example.com/backups/api/v1"
	backupsv1alpha1 "example.com/backups/api/v1alpha1"
)

// versionRows are about the conversion webhook.
var versionRows = []row{
	{"old to new", "what an old client writes, a new one reads", oldToNew},
	{"new to old", "what a new client writes, an old one reads", newToOld},
	{"back again", "an old client loses nothing that it does not know", backAgain},
	{"lists", "the objects of a list were written in several versions", lists},
	{"applied in both", "the fields of each owner are known in the version it uses", appliedInBoth},
	{"not to be converted", "the words of the conversion webhook reach the client", notConverted},
}

func oldToNew(t *testing.T, c *caller) {
	old := c.oldPlan()
	old.Spec.Cron, old.Spec.Keep = "0 4 * * *", 3
	must(t, c.Create(t.Context(), old))
	plan := &backupsv1.Plan{}
	must(t, c.Get(t.Context(), client.ObjectKeyFromObject(old), plan))
	want := backupsv1.PlanSpec{Claim: "data", Schedule: "0 4 * * *", Retention: backupsv1.Retention{Copies: 3}}
	if diff := cmp.Diff(want, plan.Spec); diff != "" {
		t.Errorf("the plan in v1 (-want +got):\n%s", diff)
	}
}

func newToOld(t *testing.T, c *caller) {
	plan := c.plan()
	plan.Spec.Suspend = true
	must(t, c.Create(t.Context(), plan))
	old := &backupsv1alpha1.Plan{}
	must(t, c.Get(t.Context(), client.ObjectKeyFromObject(plan), old))
	want := backupsv1alpha1.PlanSpec{Claim: "data", Cron: "0 3 * * *", Keep: 7, Suspend: true}
	if diff := cmp.Diff(want, old.Spec); diff != "" {
		t.Errorf("the plan in v1alpha1 (-want +got):\n%s", diff)
	}
}

func backAgain(t *testing.T, c *caller) {
	plan := c.plan()
	plan.Spec.Protected = true
	must(t, c.Create(t.Context(), plan))
	old := &backupsv1alpha1.Plan{}
	must(t, c.Get(t.Context(), client.ObjectKeyFromObject(plan), old))
	before := old.DeepCopy()
	old.Spec.Keep = 9
	must(t, c.Patch(t.Context(), old, client.MergeFrom(before)))
	must(t, c.Get(t.Context(), client.ObjectKeyFromObject(plan), plan))
	want := backupsv1.PlanSpec{Claim: "data", Schedule: "0 3 * * *", Retention: backupsv1.Retention{Copies: 9}, Protected: true}
	if diff := cmp.Diff(want, plan.Spec); diff != "" {
		t.Errorf("the plan in v1 (-want +got):\n%s", diff)
	}
	if len(plan.Annotations) != 0 {
		t.Errorf("the plan in v1 has the annotations %v, which are for v1alpha1", plan.Annotations)
	}
}

func lists(t *testing.T, c *caller) {
	old, plan := c.oldPlan(), c.plan()
	old.Name, plan.Name = "old", "young"
	must(t, c.Create(t.Context(), old))
	must(t, c.Create(t.Context(), plan))
	found := &backupsv1.PlanList{}
	must(t, c.List(t.Context(), found, client.InNamespace(c.namespace)))
	foundOld := &backupsv1alpha1.PlanList{}
	must(t, c.List(t.Context(), foundOld, client.InNamespace(c.namespace)))
	var got []string
	for _, p := range found.Items {
		got = append(got, fmt.Sprint(p.Name, p.Spec.Retention.Copies))
	}
	for _, p := range foundOld.Items {
		got = append(got, fmt.Sprint(p.Name, p.Spec.Keep))
	}
	if diff := cmp.Diff([]string{"old7", "young7", "old7", "young7"}, got); diff != "" {
		t.Errorf("the lists in v1 and v1alpha1 (-want +got):\n%s", diff)
	}
}

// apply applies a spec of the plan in a version, as one of several owners.
func (c *caller) apply(t *testing.T, owner, version string, spec map[string]any) error {
	t.Helper()
	return c.Apply(t.Context(), client.ApplyConfigurationFromUnstructured(&unstructured.Unstructured{Object: map[string]any{
		"apiVersion": "backups.example.com/" + version, "kind": "Plan",
		"metadata": map[string]any{"name": "nightly", "namespace": c.namespace},
		"spec":     spec,
	}}), client.FieldOwner(owner))
}

func appliedInBoth(t *testing.T, c *caller) {
	must(t, c.apply(t, "young", "v1", map[string]any{"claim": "data", "retention": map[string]any{"copies": 5}}))
	must(t, c.apply(t, "old", "v1alpha1", map[string]any{"suspend": true}))
	plan := c.plan()
	must(t, c.Get(t.Context(), client.ObjectKeyFromObject(plan), plan))
	want := backupsv1.PlanSpec{Claim: "data", Schedule: "0 3 * * *", Retention: backupsv1.Retention{Copies: 5}, Suspend: true}
	if diff := cmp.Diff(want, plan.Spec); diff != "" {
		t.Errorf("the plan in v1 (-want +got):\n%s", diff)
	}
	// The field has the name that its owner uses for it.
	err := c.apply(t, "old", "v1alpha1", map[string]any{"keep": 6})
	const conflict = `Apply failed with 1 conflict: conflict with "young": .spec.retention.copies`
	denied(t, err, 409, conflict)
}

func notConverted(t *testing.T, c *caller) {
	old := c.oldPlan()
	old.Annotations = map[string]string{"backups.example.com/v1": "{"}
	denied(t, c.Create(t.Context(), old), 500, `Internal error occurred: Internal error occurred: `+
		`conversion webhook for backups.example.com/v1alpha1, Kind=Plan failed: `+
		`the annotation backups.example.com/v1 of plan "nightly": unexpected end of JSON input`)
}
