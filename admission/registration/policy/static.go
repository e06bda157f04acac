package policy

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	registrationv1 "k8s.io/api/admissionregistration/v1"
	"k8s.io/apimachinery/pkg/util/validation/field"

	"example.com/gatehouse/admission/registration/internal/fields"
)

// ValidateStatic returns the errors that kube-apiserver v1.37 finds in o as a
// manifest on its disk: those of Validate, except that names may end in
// ".static.k8s.io". A server does not complete the metadata of a
// manifest: a name is required, and generation must be valid. Call CheckManifest
// if there are none.
//
// o must have been defaulted. For nil and other types the list has one internal
// error at "kind".
func ValidateStatic(o Object) field.ErrorList {
	o, err := stored(o)
	if err != nil {
		return fields.Unusable(err)
	}
	meta := metaOf(o)
	return slices.Concat(
		fields.MetadataOfManifest(meta),
		validator{name: meta.Name}.object(o),
	)
}

// CheckManifest returns the first of kube-apiserver's errors that are specific
// to manifests: for a version other than v1, for params, and for bindings to
// policies that are not in manifests. It does not check the object's name,
// which ValidateManifestName of k8s.io/apiserver does, or whether the binding's
// policy exists.
func CheckManifest(o Object) error {
	if _, err := kindOf(o); err != nil {
		return err
	}
	switch o := o.(type) {
	case *registrationv1.ValidatingAdmissionPolicy:
		return withoutParams(o.Spec.ParamKind, "ValidatingAdmissionPolicy", o.Name)
	case *registrationv1.MutatingAdmissionPolicy:
		return withoutParams(o.Spec.ParamKind, "MutatingAdmissionPolicy", o.Name)
	case *registrationv1.ValidatingAdmissionPolicyBinding:
		return bindsManifest(o.Spec.PolicyName, o.Spec.ParamRef, o.Name)
	case *registrationv1.MutatingAdmissionPolicyBinding:
		return bindsManifest(o.Spec.PolicyName, o.Spec.ParamRef, o.Name)
	}
	return fmt.Errorf("unsupported resource type %T", o)
}

func withoutParams(kind *registrationv1.ParamKind, policy, name string) error {
	if kind == nil {
		return nil
	}
	return fmt.Errorf("%s %q: spec.paramKind is not supported for static manifests", policy, name)
}

func bindsManifest(policyName string, ref *registrationv1.ParamRef, name string) error {
	binding := fmt.Sprintf("binding %q", name)
	switch {
	case policyName == "":
		return errors.New(binding + " must reference a policy (spec.policyName)")
	case !strings.HasSuffix(policyName, fields.ReservedSuffix):
		return fmt.Errorf("%s: spec.policyName %q must end with %q", binding, policyName, fields.ReservedSuffix)
	case ref != nil:
		return errors.New(binding + ": spec.paramRef is not supported for static manifests")
	}
	return nil
}
