package metrics_test

import (
	"testing"

	"github.com/prometheus/client_golang/prometheus"
	registrationv1 "k8s.io/api/admissionregistration/v1"

	"example.com/gatehouse/admission"
)

// callRow is one call; what it counts as is in testdata/call.
type callRow struct {
	name, why string
	call      *admission.Call
}

// answeredRows are calls to which the webhook gave a verdict.
func answeredRows() []callRow {
	const fail, ignore = registrationv1.Fail, registrationv1.Ignore
	return []callRow{{
		name: "allowed mutating",
		why:  "S-330, S-331: one request of code 200; the type of the phase is admit",
		call: call(webhook(admission.Mutating, fail), admission.Allowed, 200),
	}, {
		name: "allowed validating",
		why:  "S-330: the type of the phase is validating, not validate",
		call: call(webhook(admission.Validating, fail), admission.Allowed, 200),
	}, {
		name: "rejected mutating",
		why:  "S-332: a denial is a rejection without an error, with the webhook's own code",
		call: call(webhook(admission.Mutating, ignore), admission.Rejected, 403),
	}, {
		name: "rejected validating",
		why:  "S-332: failurePolicy plays no part in a denial",
		call: call(webhook(admission.Validating, ignore), admission.Rejected, 422),
	}, {
		name: "rejected with a code above 600",
		why:  "S-331, S-332: the webhook must not be able to make series without end",
		call: call(webhook(admission.Validating, fail), admission.Rejected, 60001),
	}, {
		name: "rejected with code 600",
		why:  "S-331: 600 itself is not cut",
		call: call(webhook(admission.Validating, fail), admission.Rejected, 600),
	}}
}

// failedRows are calls without a verdict.
func failedRows() []callRow {
	const fail, ignore = registrationv1.Fail, registrationv1.Ignore
	return []callRow{{
		name: "failed closed mutating",
		why:  "S-332: calling_webhook_error with the code that came back",
		call: call(webhook(admission.Mutating, fail), admission.FailedClosed, 503),
	}, {
		name: "failed closed validating",
		why:  "S-332: the same in the other phase",
		call: call(webhook(admission.Validating, fail), admission.FailedClosed, 400),
	}, {
		name: "failed open mutating",
		why:  "S-333, S-334: not rejected, the code stays, and it is counted as failed open",
		call: call(webhook(admission.Mutating, ignore), admission.FailedOpen, 503),
	}, {
		name: "failed open validating",
		why:  "S-333: the fail-open count has the type of the phase",
		call: call(webhook(admission.Validating, ignore), admission.FailedOpen, 500),
	}, {
		name: "canceled under Fail",
		why:  "S-256: the request is rejected, but no rejection is counted",
		call: call(webhook(admission.Mutating, fail), admission.Canceled, 503),
	}, {
		name: "canceled under Ignore",
		why:  "S-255: the request passes, but no fail-open is counted",
		call: call(webhook(admission.Validating, ignore), admission.Canceled, 503),
	}, {
		name: "internal mutating",
		why:  "S-332, S-334: rejected with code 0 whatever the failurePolicy",
		call: call(webhook(admission.Mutating, ignore), admission.Internal, 0),
	}, {
		name: "internal validating",
		why:  "S-331: the code is 0 even if the record carries that of the error",
		call: call(webhook(admission.Validating, fail), admission.Internal, 500),
	}, {
		name: "panicked under Ignore",
		why:  "S-193: failed open, but no request",
		call: call(webhook(admission.Validating, ignore), admission.Panicked, 0),
	}, {
		name: "panicked under Fail",
		why:  "S-193: a panic that rejects the request is not counted at all",
		call: call(webhook(admission.Validating, fail), admission.Panicked, 0),
	}, {
		name: "no outcome",
		why:  "a record that nobody finished must not pass for a request",
		call: call(webhook(admission.Validating, fail), 0, 200),
	}}
}

// TestRecordCall compares whole scrapes. The label name is the webhook's name, not
// that of its configuration, and the operation is in capitals (S-339).
func TestRecordCall(t *testing.T) {
	t.Parallel()
	names := rowNames{}
	for _, r := range append(answeredRows(), failedRows()...) {
		names.check(t, r.name, r.why)
		t.Run(r.name, func(t *testing.T) {
			t.Parallel()
			reg := prometheus.NewPedanticRegistry()
			newMetrics(t, reg).RecordCall(t.Context(), r.call)
			compareGolden(t, "call", r.name, exposition(t, reg), r.why)
		})
	}
}
