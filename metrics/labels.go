package metrics

import (
	"strconv"

	"example.com/gatehouse/admission"
)

// maxCode stands for all codes above it, because the code is the webhook's to
// choose and every new one makes a series (S-331, S-332).
const maxCode = 600

// callType is the label "type" of calls and of condition evaluations (S-155,
// S-330).
//
// Compat: S-155: upstream calls one phase by the name of its method and the
// other by the name of its plugin.
func callType(w *admission.Webhook) string {
	if w.Phase == admission.Mutating {
		return "admit"
	}
	return "validating"
}

// exclusionType is the label "type" of condition exclusions.
//
// Compat: S-155: it differs from callType in the validating phase.
func exclusionType(w *admission.Webhook) string {
	if w.Phase == admission.Mutating {
		return "admit"
	}
	return "validate"
}

// code is the label for the status code of a call. The two outcomes that have
// no code of the webhook's or of the network's have fixed ones.
func code(call *admission.Call) string {
	switch call.Outcome {
	case admission.Allowed:
		return "200"
	case admission.Internal:
		return "0"
	default:
		return strconv.Itoa(min(call.Code, maxCode))
	}
}
