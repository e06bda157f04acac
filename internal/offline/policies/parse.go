package policies

import (
	"slices"

	registrationv1 "k8s.io/api/admissionregistration/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/util/validation/field"
	"k8s.io/apiserver/pkg/endpoints/deprecation"
	clientscheme "k8s.io/client-go/kubernetes/scheme"

	"example.com/gatehouse/admission/registration"
	"example.com/gatehouse/admission/registration/policy"
)

// Is reports whether a kind is a policy or a binding, of whatever version.
func Is(kind schema.GroupVersionKind) bool {
	return kind.Group == registrationv1.GroupName && slices.Contains([]string{
		"ValidatingAdmissionPolicy", "ValidatingAdmissionPolicyBinding",
		"MutatingAdmissionPolicy", "MutatingAdmissionPolicyBinding",
	}, kind.Kind)
}

// Deprecation returns what API servers warn of, or warned of as long as they served
// it, for a version of a policy or binding. It is empty for others.
func Deprecation(kind schema.GroupVersionKind) string {
	o, err := clientscheme.Scheme.New(kind)
	if err != nil || !Is(kind) {
		return ""
	}
	o.GetObjectKind().SetGroupVersionKind(kind)
	return deprecation.WarningMessage(o)
}

// Parse decodes a policy or binding, sets the defaults of its version, validates
// it as for a create, and converts it to v1. The object is nil if it cannot be
// decoded.
func Parse(object []byte) (policy.Object, []error) {
	o, problems, err := decode(object)
	if err != nil {
		return nil, append(problems, err)
	}
	o.SetNamespace("") // an API server drops it before it validates
	policy.Default(o)
	if o.GetName() == "" && o.GetGenerateName() != "" {
		problems = append(problems, field.Required(field.NewPath("metadata", "name"), ""))
	}
	for _, problem := range policy.Validate(o) {
		problems = append(problems, problem)
	}
	return policy.Convert(o), problems
}

// decode returns unknown and duplicate fields as problems and decodes the object
// without them.
func decode(object []byte) (o policy.Object, problems []error, err error) {
	o, _, err = policy.Decode(object, registration.Strict)
	if strict, ok := runtime.AsStrictDecodingError(err); ok {
		problems = strict.Errors()
		o, _, err = policy.Decode(object, registration.Ignore)
	}
	return o, problems, err
}

// ParamKinds returns the kinds of params that policies name.
func ParamKinds(policies []runtime.Object) []schema.GroupVersionKind {
	var kinds []schema.GroupVersionKind
	for _, p := range policies {
		var named *registrationv1.ParamKind
		switch p := p.(type) {
		case *registrationv1.ValidatingAdmissionPolicy:
			named = p.Spec.ParamKind
		case *registrationv1.MutatingAdmissionPolicy:
			named = p.Spec.ParamKind
		}
		if named == nil {
			continue
		}
		if gv, err := schema.ParseGroupVersion(named.APIVersion); err == nil {
			kinds = append(kinds, gv.WithKind(named.Kind))
		}
	}
	return kinds
}
