package metrics_test

import (
	"testing"

	"github.com/prometheus/client_golang/prometheus"
	registrationv1 "k8s.io/api/admissionregistration/v1"

	"example.com/gatehouse/admission"
	"example.com/gatehouse/internal/testutil/testtable"
)

// callRow is one call; what it counts as is in testdata/call.
type callRow struct {
	row
	call *admission.Call
}

// answeredRows are calls to which the webhook gave a verdict.
func answeredRows() []callRow {
	const fail, ignore = registrationv1.Fail, registrationv1.Ignore
	return []callRow{{
		row:  row{"allowed mutating", "S-330, S-331: one request of code 200; the type of the phase is admit"},
		call: call(webhook(admission.Mutating, fail), admission.Allowed, 200),
	}, {
		row:  row{"allowed validating", "S-330: the type of the phase is validating, not validate"},
		call: call(webhook(admission.Validating, fail), admission.Allowed, 200),
	}, {
		row:  row{"rejected mutating", "S-332: a denial is a rejection without an error, with the webhook's own code"},
		call: call(webhook(admission.Mutating, ignore), admission.Rejected, 403),
	}, {
		row:  row{"rejected validating", "S-332: failurePolicy plays no part in a denial"},
		call: call(webhook(admission.Validating, ignore), admission.Rejected, 422),
	}, {
		row:  row{"rejected with a code above 600", "S-331, S-332: the webhook must not be able to make series without end"},
		call: call(webhook(admission.Validating, fail), admission.Rejected, 60001),
	}, {
		row:  row{"rejected with code 600", "S-331: 600 itself is not cut"},
		call: call(webhook(admission.Validating, fail), admission.Rejected, 600),
	}}
}

// failedRows are calls without a verdict.
func failedRows() []callRow {
	const fail, ignore = registrationv1.Fail, registrationv1.Ignore
	return []callRow{{
		row:  row{"failed closed mutating", "S-332: calling_webhook_error with the code that came back"},
		call: call(webhook(admission.Mutating, fail), admission.FailedClosed, 503),
	}, {
		row:  row{"failed closed validating", "S-332: the same in the other phase"},
		call: call(webhook(admission.Validating, fail), admission.FailedClosed, 400),
	}, {
		row:  row{"failed open mutating", "S-333, S-334: not rejected, the code stays, and it is counted as failed open"},
		call: call(webhook(admission.Mutating, ignore), admission.FailedOpen, 503),
	}, {
		row:  row{"failed open validating", "S-333: the fail-open count has the type of the phase"},
		call: call(webhook(admission.Validating, ignore), admission.FailedOpen, 500),
	}, {
		row:  row{"canceled under Fail", "S-256: the request is rejected, but no rejection is counted"},
		call: call(webhook(admission.Mutating, fail), admission.Canceled, 503),
	}, {
		row:  row{"canceled under Ignore", "S-255: the request passes, but no fail-open is counted"},
		call: call(webhook(admission.Validating, ignore), admission.Canceled, 503),
	}, {
		row:  row{"internal mutating", "S-332, S-334: rejected with code 0 whatever the failurePolicy"},
		call: call(webhook(admission.Mutating, ignore), admission.Internal, 0),
	}, {
		row:  row{"internal validating", "S-331: the code is 0 even if the record carries that of the error"},
		call: call(webhook(admission.Validating, fail), admission.Internal, 500),
	}, {
		row:  row{"panicked under Ignore", "S-193: failed open, but no request"},
		call: call(webhook(admission.Validating, ignore), admission.Panicked, 0),
	}, {
		row:  row{"panicked under Fail", "S-193: a panic that rejects the request is not counted at all"},
		call: call(webhook(admission.Validating, fail), admission.Panicked, 0),
	}, {
		row:  row{"no outcome", "a record that is not finished must not count as a request"},
		call: call(webhook(admission.Validating, fail), 0, 200),
	}}
}

// TestRecordCall compares whole scrapes. The label name is the webhook's name,
// not that of its configuration, and the operation is in capitals (S-339).
func TestRecordCall(t *testing.T) {
	t.Parallel()
	testtable.Run(t, append(answeredRows(), failedRows()...), func(t *testing.T, r callRow) {
		reg := prometheus.NewPedanticRegistry()
		newMetrics(t, reg).RecordCall(t.Context(), r.call)
		compareGolden(t, "call", r.Name(), exposition(t, reg))
	})
}
