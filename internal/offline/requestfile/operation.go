package requestfile

import (
	"fmt"
	"strings"

	admissionv1 "k8s.io/api/admission/v1"
)

// setOperation sets the default of the operation, or checks the one that is
// set.
func (r *Request) setOperation() error {
	if r.Operation != "" {
		return r.Wrap("operation", checkOperation(r.Operation))
	}
	changed := r.Object != nil || r.Patch != nil
	switch {
	case r.OldObject != nil && changed:
		r.Operation = admissionv1.Update
	case r.OldObject != nil:
		return r.wrong(
			"operation", "required: for an oldObject alone, write DELETE if you mean that")
	default:
		r.Operation = admissionv1.Create
	}
	return nil
}

// checkOperation returns an error for an unknown operation, with a hint.
func checkOperation(operation admissionv1.Operation) error {
	switch operation {
	case admissionv1.Create, admissionv1.Update, admissionv1.Delete, admissionv1.Connect:
		return nil
	}
	if meant := meaning(strings.ToUpper(string(operation))); meant != "" {
		return fmt.Errorf("%q is not an operation: write %s", operation, meant)
	}
	return fmt.Errorf("%q is not an operation: want CREATE, UPDATE, DELETE or CONNECT", operation)
}

// meaning returns the operation for a verb of HTTP or kubectl in capitals.
func meaning(verb string) string {
	switch verb {
	case "CREATE", "UPDATE", "DELETE", "CONNECT":
		return verb
	case "POST":
		return "CREATE"
	case "PUT", "REPLACE", "SCALE":
		return "UPDATE"
	case "PATCH":
		return "UPDATE, with a patch"
	case "APPLY":
		return "no operation, and a patch of the type apply"
	case "DELETECOLLECTION":
		return "DELETE, with collection: true"
	case "EVICT":
		return "CREATE, with an Eviction as the object"
	case "EXEC", "ATTACH", "PORTFORWARD", "PORT-FORWARD", "PROXY":
		return "CONNECT"
	default:
		return ""
	}
}
