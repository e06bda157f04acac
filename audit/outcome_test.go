package audit_test

import (
	registrationv1 "k8s.io/api/admissionregistration/v1"

	"example.com/gatehouse/admission"
)

// mutatingRows are the ways in which a mutating call can end.
func mutatingRows() []callRow {
	failedOpen := metadata("failed-open.mutation.webhook.admission.k8s.io/round_0_index_0", hook)
	return []callRow{{
		row:  row{"mutating allowed", "S-313: every mutating call has an annotation about whether it changed the object"},
		call: mutating(func(*admission.Call) {}),
		want: []admission.AuditAnnotation{unmutated()},
	}, {
		row:  row{"mutating rejected", "S-313: even one that denied"},
		call: mutating(ends(admission.Rejected, registrationv1.Fail)),
		want: []admission.AuditAnnotation{unmutated()},
	}, {
		row:  row{"mutating failed closed", "S-313: even one that failed"},
		call: mutating(ends(admission.FailedClosed, registrationv1.Fail)),
		want: []admission.AuditAnnotation{unmutated()},
	}, {
		row:  row{"mutating internal", "S-313: even one that was refused because the request is a dry run"},
		call: mutating(ends(admission.Internal, registrationv1.Ignore)),
		want: []admission.AuditAnnotation{unmutated()},
	}, {
		row:  row{"mutating failed open", "S-315: the failure comes after the mutation, which is written as the call returns"},
		call: mutating(ends(admission.FailedOpen, registrationv1.Ignore)),
		want: []admission.AuditAnnotation{unmutated(), failedOpen},
	}, {
		row:  row{"mutating canceled under Ignore", "S-255: a caller's cancellation is not the webhook's failure"},
		call: mutating(ends(admission.Canceled, registrationv1.Ignore)),
		want: []admission.AuditAnnotation{unmutated()},
	}, {
		row:  row{"mutating canceled under Fail", "S-256: nothing failed open"},
		call: mutating(ends(admission.Canceled, registrationv1.Fail)),
		want: []admission.AuditAnnotation{unmutated()},
	}}
}

// validatingRows are the ways in which a validating call can end.
func validatingRows() []callRow {
	failedOpen := metadata("failed-open.validating.webhook.admission.k8s.io/round_0_index_0", hook)
	return []callRow{{
		row:  row{"validating allowed", "S-313 is about the mutating phase only"},
		call: validating(func(*admission.Call) {}),
	}, {
		row:  row{"validating rejected", "the verdict itself is no annotation"},
		call: validating(ends(admission.Rejected, registrationv1.Ignore)),
	}, {
		row:  row{"validating failed closed", "nothing failed open"},
		call: validating(ends(admission.FailedClosed, registrationv1.Fail)),
	}, {
		row:  row{"validating internal", "the failurePolicy does not apply, so nothing failed open"},
		call: validating(ends(admission.Internal, registrationv1.Ignore)),
	}, {
		row:  row{"validating failed open", "S-315: the key has the phase's own prefix"},
		call: validating(ends(admission.FailedOpen, registrationv1.Ignore)),
		want: []admission.AuditAnnotation{failedOpen},
	}, {
		row:  row{"validating canceled under Ignore", "S-255: a caller's cancellation is not the webhook's failure"},
		call: validating(ends(admission.Canceled, registrationv1.Ignore)),
	}, {
		row:  row{"validating panicked under Ignore", "S-193: a panic fails open like a failed call"},
		call: validating(ends(admission.Panicked, registrationv1.Ignore)),
		want: []admission.AuditAnnotation{failedOpen},
	}, {
		row:  row{"validating panicked under Fail", "S-193: a panic fails closed like a failed call"},
		call: validating(ends(admission.Panicked, registrationv1.Fail)),
	}}
}
