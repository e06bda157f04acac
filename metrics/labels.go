package metrics

import (
	"strconv"

	"example.com/gatehouse/admission"
)

// maxCode stands for all codes above it: the webhook chooses the code, and every code is
// a new time series (S-331, S-332).
const maxCode = 600

// callType returns the label "type" of calls and of evaluations of matchConditions
// (S-155, S-330).
//
// Compat: S-155: upstream names one phase after its method and the other after its
// plugin.
func callType(w *admission.Webhook) string {
	if w.Phase == admission.Mutating {
		return "admit"
	}
	return "validating"
}

// exclusionType returns the label "type" of exclusions by matchConditions.
//
// Compat: S-155: it differs from callType in the validating phase.
func exclusionType(w *admission.Webhook) string {
	if w.Phase == admission.Mutating {
		return "admit"
	}
	return "validate"
}

// code returns the label for the status code of a call. Allowed and Internal have fixed
// codes.
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
