package policy

import (
	"errors"
	"slices"

	registrationv1 "k8s.io/api/admissionregistration/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/util/validation/field"

	"example.com/gatehouse/admission/registration/internal/fields"
)

// Validate returns the errors of kube-apiserver v1.37 for the creation of o,
// with its texts and in its order, each once; nil if there are none. A server
// that authorizes requests also checks whether the author may read the params.
// Validate does not, because that needs the server's authorizer.
//
// o must have been defaulted, because a server does that first. A
// metadata.namespace, which a server drops, is an error. The rules are the same
// for all versions. With a generateName, an error of an audit annotation has a
// name that ends in 00000 instead of a random suffix.
//
// For nil and other types the list has one internal error at "kind".
func Validate(o Object) field.ErrorList {
	o, err := stored(o)
	if err != nil {
		return fields.Unusable(err)
	}
	meta := metaOf(o)
	val := validator{name: nameOnCreate(meta), tags: tagged{policyName: true, actions: true}}
	return slices.Concat(
		fields.Distinct(slices.Concat(
			fields.MetadataForCreate(meta),
			val.object(o),
			fields.ReservedName(meta.Name),
		)),
		val.tagged(o),
	)
}

// stored returns the v1 form of o, or an error for nil and other types.
func stored(o Object) (Object, error) {
	if _, err := kindOf(o); err != nil {
		return nil, err
	}
	return Convert(o), nil
}

// metaOf returns the metadata of an object of v1.
func metaOf(o Object) metav1.ObjectMeta {
	switch o := o.(type) {
	case *registrationv1.ValidatingAdmissionPolicy:
		return o.ObjectMeta
	case *registrationv1.ValidatingAdmissionPolicyBinding:
		return o.ObjectMeta
	case *registrationv1.MutatingAdmissionPolicy:
		return o.ObjectMeta
	case *registrationv1.MutatingAdmissionPolicyBinding:
		return o.ObjectMeta
	}
	return metav1.ObjectMeta{}
}

// maxGenerated is how much of a generateName a server uses.
const maxGenerated = 58

// nameOnCreate returns the name that a server would give the object, with zeros
// for the random suffix.
func nameOnCreate(meta metav1.ObjectMeta) string {
	if meta.Name != "" || meta.GenerateName == "" {
		return meta.Name
	}
	return meta.GenerateName[:min(len(meta.GenerateName), maxGenerated)] + "00000"
}

// validator validates objects of v1; its fields differ between writes.
type validator struct {
	// name is the name of the object.
	name     string
	tags     tagged
	ratchets ratchets
}

// object returns the errors of everything but the metadata.
func (val validator) object(o Object) field.ErrorList {
	at := field.NewPath("spec")
	switch o := o.(type) {
	case *registrationv1.ValidatingAdmissionPolicy:
		return val.validatingPolicy(&o.Spec, at)
	case *registrationv1.MutatingAdmissionPolicy:
		return val.mutatingPolicy(&o.Spec, at)
	case *registrationv1.ValidatingAdmissionPolicyBinding:
		return val.validatingBinding(&o.Spec, at)
	case *registrationv1.MutatingAdmissionPolicyBinding:
		return mutatingBinding(&o.Spec, at)
	}
	return fields.Unusable(errors.New("the object is not of v1"))
}

// requiredOneOf returns an error unless the value is one of the known ones.
func requiredOneOf[T ~string](at *field.Path, value *T, known ...T) field.ErrorList {
	if value == nil {
		return field.ErrorList{field.Required(at, "")}
	}
	return fields.OneOf(at, value, known...)
}
