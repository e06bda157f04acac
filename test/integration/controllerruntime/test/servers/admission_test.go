package servers_test

import (
	"errors"
	"testing"

	"github.com/google/go-cmp/cmp"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	"sigs.k8s.io/controller-runtime/pkg/client"

	backupsv1 "example.com/backups/api/v1"
)

// admissionRows are about the defaulter and the validator.
var admissionRows = []row{
	{"defaults", "the answer to a create has them already", defaults},
	{"defaults in the first version", "the webhook is for v1 and called for its equivalents", defaultsInFirst},
	{"defaults of a dry run", "webhooks are called, and nothing is stored", defaultsOfDryRun},
	{"refused create", "the validator's status is what the client gets", refusedCreate},
	{"refused create in the first version", "fields have the names that the validator knows", refusedCreateInFirst},
	{"refused update", "the validator sees the old plan", refusedUpdate},
	{"refused delete", "there is a plan to look at only in the database", refusedDelete},
	{"refused by the schema", "the words are the API server's own, after the defaulter", refusedBySchema},
	{"warnings", "of a create, an update and a delete", warnings},
}

// denied checks the status of an error.
func denied(t *testing.T, err error, code int32, text string) {
	t.Helper()
	status := apierrors.APIStatus(nil)
	if !errors.As(err, &status) || status.Status().Code != code || err.Error() != text {
		t.Errorf("got %v, want code %d and\n%s", err, code, text)
	}
}

func defaults(t *testing.T, c *caller) {
	plan := c.plan()
	must(t, c.Create(t.Context(), plan))
	want := backupsv1.PlanSpec{Claim: "data", Schedule: "0 3 * * *", Retention: backupsv1.Retention{Copies: 7}}
	if diff := cmp.Diff(want, plan.Spec); diff != "" {
		t.Errorf("the plan (-want +got):\n%s", diff)
	}
}

func defaultsInFirst(t *testing.T, c *caller) {
	old := c.oldPlan()
	must(t, c.Create(t.Context(), old))
	if old.Spec.Cron != "0 3 * * *" || old.Spec.Keep != 7 {
		t.Errorf("got %+v, want the defaults", old.Spec)
	}
}

func defaultsOfDryRun(t *testing.T, c *caller) {
	plan := c.plan()
	must(t, c.Create(t.Context(), plan, client.DryRunAll))
	if plan.Spec.Schedule == "" {
		t.Error("there is no default")
	}
	if err := c.Get(t.Context(), client.ObjectKeyFromObject(plan), plan); !apierrors.IsNotFound(err) {
		t.Errorf("got %v, want the plan not to be there", err)
	}
}

const noSchedule = `admission webhook "vplan-v1.kb.io" denied the request: Plan.backups.example.com "nightly" is invalid: ` +
	`spec.schedule: Invalid value: "daily": has 1 fields, want 5`

func refusedCreate(t *testing.T, c *caller) {
	plan := c.plan()
	plan.Spec.Schedule = "daily"
	err := c.Create(t.Context(), plan)
	denied(t, err, 422, noSchedule)
	cause, ok := apierrors.StatusCause(err, "FieldValueInvalid")
	if !ok || cause.Field != "spec.schedule" {
		t.Errorf("got the cause %+v, want one for spec.schedule", cause)
	}
}

func refusedCreateInFirst(t *testing.T, c *caller) {
	old := c.oldPlan()
	old.Spec.Cron = "daily"
	denied(t, c.Create(t.Context(), old), 422, noSchedule)
}

func refusedUpdate(t *testing.T, c *caller) {
	plan := c.plan()
	must(t, c.Create(t.Context(), plan))
	before := plan.DeepCopy()
	plan.Spec.Claim = "other"
	denied(t, c.Patch(t.Context(), plan, client.MergeFrom(before)), 422,
		`admission webhook "vplan-v1.kb.io" denied the request: Plan.backups.example.com "nightly" is invalid: spec.claim: Forbidden: it cannot be changed`)
}

func refusedDelete(t *testing.T, c *caller) {
	plan := c.plan()
	plan.Spec.Protected = true
	must(t, c.Create(t.Context(), plan))
	denied(t, c.Delete(t.Context(), plan), 403, `admission webhook "vplan-v1.kb.io" denied the request: plan "nightly" is protected`)
	must(t, c.Get(t.Context(), client.ObjectKeyFromObject(plan), plan))
}

func refusedBySchema(t *testing.T, c *caller) {
	plan := c.plan()
	plan.Spec.Claim = ""
	denied(t, c.Create(t.Context(), plan), 422, `Plan.backups.example.com "nightly" is invalid: `+
		`spec.claim: Invalid value: "": spec.claim in body should be at least 1 chars long`)
}

func warnings(t *testing.T, c *caller) {
	plan := c.plan()
	plan.Spec.Retention.Copies = 31
	must(t, c.Create(t.Context(), plan))
	given := c.warned()
	before := plan.DeepCopy()
	plan.Spec.Retention.Copies = 365
	must(t, c.Patch(t.Context(), plan, client.MergeFrom(before)))
	given = append(given, c.warned()...)
	must(t, c.Delete(t.Context(), plan))
	given = append(given, c.warned()...)
	want := []string{
		"spec.retention.copies: 31 backups take a lot of space",
		"spec.retention.copies: 365 backups take a lot of space",
		`the backups of claim "data" are kept`,
	}
	if diff := cmp.Diff(want, given); diff != "" {
		t.Errorf("warnings (-want +got):\n%s", diff)
	}
}
