package registration

import (
	"slices"

	"k8s.io/apimachinery/pkg/util/validation/field"

	"example.com/gatehouse/admission/registration/internal/fields"
	"example.com/gatehouse/internal/cel"
)

// ValidateStatic returns the errors that kube-apiserver v1.37 finds in c as a
// manifest on its disk (S-043): those of Validate, except that names may end in
// ".static.k8s.io". A server does not complete the metadata of a
// manifest: a name is required, and generation must be valid.
//
// c must have been defaulted. For nil and other types the list has one internal
// error at "kind".
func ValidateStatic(c Configuration) field.ErrorList {
	v, err := viewOf(c)
	if err != nil {
		return fields.Unusable(err)
	}
	val := validator{check: cel.Check, ratchets: ratchetsOfVersion(v)}
	return slices.Concat(
		fields.MetadataOfManifest(v.meta),
		val.webhooks(v.webhooks),
	)
}
