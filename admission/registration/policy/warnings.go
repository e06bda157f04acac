package policy

import (
	"k8s.io/apiserver/pkg/endpoints/deprecation"

	"example.com/gatehouse/admission/registration/internal/fields"
)

// Warnings returns the warnings of an API server for writing o, with its texts
// and in its order; nil for nil and other types. One is of v1beta1 and v1alpha1,
// which are deprecated: of ValidatingAdmissionPolicy and its binding it is that
// of the last servers that served them. The other is of a name that only an
// update can have. They are the same for a creation and an update.
//
// Unlike webhook configurations, policies that name a resource that no policy
// sees cause no warning.
func Warnings(o Object) []string {
	kind, err := kindOf(o)
	if err != nil {
		return nil
	}
	var warnings []string
	// The message needs the type, which objects from informers do not have.
	typed, known := blank(kind)
	if known {
		typed.GetObjectKind().SetGroupVersionKind(kind)
		if message := deprecation.WarningMessage(typed); message != "" {
			warnings = append(warnings, message)
		}
	}
	return append(warnings, fields.ReservedNameWarning(o.GetName())...)
}
