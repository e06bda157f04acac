package registration

import (
	"slices"

	apivalidation "k8s.io/apimachinery/pkg/api/validation"
	"k8s.io/apimachinery/pkg/util/validation/field"

	"example.com/gatehouse/internal/cel"
)

// ValidateStatic returns what kube-apiserver v1.37 has against c in a manifest on
// its own disk (S-043): what Validate would find, but for the rule that reserves
// names ending in ".static.k8s.io" for just that. No part of a server has
// completed the metadata of a manifest before: without a name, generateName does
// not help, and generation has to make sense.
//
// c must have been defaulted. What is no configuration, or nil, gives a list of one
// internal error at "kind". ValidateStatic changes nothing and never panics.
func ValidateStatic(c Configuration) field.ErrorList {
	v, err := viewOf(c)
	if err != nil {
		return unusable(err)
	}
	val := validator{check: cel.Check, ratchets: ratchetsOfVersion(v)}
	return slices.Concat(
		apivalidation.ValidateObjectMeta(&v.meta, false, apivalidation.NameIsDNSSubdomain, field.NewPath("metadata")),
		val.webhooks(v.webhooks),
	)
}
