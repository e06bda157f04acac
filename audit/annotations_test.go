package audit_test

import (
	"encoding/json"
	"errors"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"
	registrationv1 "k8s.io/api/admissionregistration/v1"

	"example.com/gatehouse/admission"
	"example.com/gatehouse/audit"
	"example.com/gatehouse/internal/testutil/testtable"
)

const hook = "hook.example.com"

// mutating returns a call that changed nothing, with the edits made to it.
func mutating(edit func(*admission.Call)) *admission.Call {
	return call(admission.Mutating, edit)
}

func validating(edit func(*admission.Call)) *admission.Call {
	return call(admission.Validating, edit)
}

func call(phase admission.Phase, edit func(*admission.Call)) *admission.Call {
	c := &admission.Call{
		Webhook: &admission.Webhook{Phase: phase, Configuration: "config", Name: hook},
		Outcome: admission.Allowed,
		Code:    200,
	}
	edit(c)
	return c
}

// ends sets an outcome other than Allowed.
func ends(outcome admission.Outcome, policy registrationv1.FailurePolicyType) func(*admission.Call) {
	return func(c *admission.Call) {
		c.Outcome, c.Code, c.Err = outcome, 500, errors.New("it went wrong")
		c.Webhook.FailurePolicy = &policy
	}
}

func metadata(key, value string) admission.AuditAnnotation {
	return admission.AuditAnnotation{Key: key, Value: value, Level: "Metadata"}
}

func request(key, value string) admission.AuditAnnotation {
	return admission.AuditAnnotation{Key: key, Value: value, Level: "Request"}
}

// row is what every row of every table has to say about itself.
type row = testtable.Row

// callRow is one call and all that the audit event shows of it.
type callRow struct {
	row
	call *admission.Call
	want []admission.AuditAnnotation
}

// unmutated is the only annotation of most mutating calls.
func unmutated() admission.AuditAnnotation {
	return metadata("mutation.webhook.admission.k8s.io/round_0_index_0",
		`{"configuration":"config","webhook":"hook.example.com","mutated":false}`)
}

func TestAnnotations(t *testing.T) {
	t.Parallel()
	testtable.Run(t, slices.Concat(mutatingRows(), validatingRows(), patchRows(), nameRows(), ownRows()), func(t *testing.T, r callRow) {
		if diff := cmp.Diff(r.want, audit.Annotations(r.call)); diff != "" {
			t.Errorf("annotations (-want +got):\n%s", diff)
		}
	})
}

func TestAnnotationsLeavesTheRecordAlone(t *testing.T) {
	t.Parallel()
	record := func() *admission.Call {
		return mutating(func(c *admission.Call) {
			c.Changed, c.Patch = true, json.RawMessage(`[ {"op":"remove","path":"/<"} ]`)
			c.AuditAnnotations = map[string]string{"b": "1", "a": "2"}
		})
	}
	c := record()
	audit.Annotations(c)
	if diff := cmp.Diff(record(), c); diff != "" {
		t.Errorf("the record changed (-before +after):\n%s", diff)
	}
}
