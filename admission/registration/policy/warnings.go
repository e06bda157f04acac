package policy

import (
	"k8s.io/apiserver/pkg/endpoints/deprecation"

	"example.com/gatehouse/admission/registration/internal/fields"
)

// Warnings returns the warnings of an API server for writing o, with its texts
// and in its order; nil for nil and other types. One is about the deprecated
// versions v1beta1 and v1alpha1; for ValidatingAdmissionPolicy and its binding
// it is that of the last servers that served them. The other is about a name
// that only an update can have. They are the same for a creation and an
// update.
//
// Unlike for webhook configurations, there is no warning for a policy that
// names a resource that no policy receives.
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
