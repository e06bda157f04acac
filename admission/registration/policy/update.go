package policy

import (
	"fmt"
	"slices"

	registrationv1 "k8s.io/api/admissionregistration/v1"
	"k8s.io/apimachinery/pkg/api/equality"
	"k8s.io/apimachinery/pkg/util/validation/field"

	"example.com/gatehouse/admission/registration/internal/fields"
)

// ValidateUpdate returns the errors of kube-apiserver v1.37 for replacing old
// by o, with its texts and in its order, each once; nil if there are none. The
// rules are those of Validate, except for reserved names, for matchConditions
// that do not change, and for expressions of old, which may use what this
// server's version introduces. A server keeps the old status, so ValidateUpdate
// does not check that of o.
//
// Both must have been defaulted and have the same kind. Their versions may
// differ. Fields that a server sets may be absent, and so may the
// resourceVersion. old need not be valid.
//
// For nil, other types and different kinds the list has one internal error at
// "kind".
func ValidateUpdate(o, old Object) field.ErrorList {
	kind, err := kindOf(o)
	if err != nil {
		return fields.Unusable(err)
	}
	before, err := kindOf(old)
	if err != nil {
		return fields.Unusable(fmt.Errorf("what is updated: %w", err))
	}
	if kind.Kind != before.Kind {
		return fields.Unusable(fmt.Errorf("%T cannot replace %T", o, old))
	}
	o, old = Convert(o), Convert(old)
	meta := metaOf(o)
	val := validator{
		name: meta.Name, tags: taggedIn(o, old), ratchets: ratchetsOfUpdate(o, old),
	}
	return slices.Concat(
		fields.Distinct(slices.Concat(
			fields.MetadataForUpdate(meta, metaOf(old)),
			val.object(o),
		)),
		val.tagged(o),
	)
}

// ratchets are the rules that do not apply. The zero value is for a creation.
type ratchets struct {
	// sameConditions leaves the matchConditions alone.
	sameConditions bool
	// known are the expressions of the old object.
	known known
}

// known are the expressions of an old policy as they are written, by what they
// are for. Those may use the features of all versions; others only those of the
// version before the server's.
type known struct {
	conditions, validations, messages, annotations, applyConfigurations map[string]bool
}

// ratchetsOfUpdate returns what the old object allows. Bindings have no
// ratchets.
func ratchetsOfUpdate(o, old Object) ratchets {
	switch old := old.(type) {
	case *registrationv1.ValidatingAdmissionPolicy:
		if o, ok := o.(*registrationv1.ValidatingAdmissionPolicy); ok {
			return ratchets{
				sameConditions: sameConditions(o.Spec.ParamKind, old.Spec.ParamKind,
					o.Spec.MatchConditions, old.Spec.MatchConditions),
				known: knownToValidating(&old.Spec),
			}
		}
	case *registrationv1.MutatingAdmissionPolicy:
		if o, ok := o.(*registrationv1.MutatingAdmissionPolicy); ok {
			return ratchets{
				sameConditions: sameConditions(o.Spec.ParamKind, old.Spec.ParamKind,
					o.Spec.MatchConditions, old.Spec.MatchConditions),
				known: knownToMutating(&old.Spec),
			}
		}
	}
	return ratchets{}
}

// sameConditions compares everything that the errors of matchConditions depend
// on. An empty list is equal to an absent one.
func sameConditions(
	kind, oldKind *registrationv1.ParamKind, conditions, old []registrationv1.MatchCondition,
) bool {
	return equality.Semantic.DeepEqual(kind, oldKind) &&
		equality.Semantic.DeepEqual(conditions, old)
}

func knownToValidating(spec *registrationv1.ValidatingAdmissionPolicySpec) known {
	k := known{
		conditions:  expressionsOf(spec.MatchConditions),
		validations: map[string]bool{},
		messages:    map[string]bool{},
		annotations: map[string]bool{},
	}
	for _, v := range spec.Validations {
		k.validations[v.Expression] = true
		k.messages[v.MessageExpression] = true
	}
	for _, a := range spec.AuditAnnotations {
		k.annotations[a.ValueExpression] = true
	}
	return k
}

func knownToMutating(spec *registrationv1.MutatingAdmissionPolicySpec) known {
	k := known{
		conditions:          expressionsOf(spec.MatchConditions),
		applyConfigurations: map[string]bool{},
	}
	for _, m := range spec.Mutations {
		if m.ApplyConfiguration != nil {
			k.applyConfigurations[m.ApplyConfiguration.Expression] = true
		}
	}
	return k
}

func expressionsOf(conditions []registrationv1.MatchCondition) map[string]bool {
	expressions := map[string]bool{}
	for _, c := range conditions {
		expressions[c.Expression] = true
	}
	return expressions
}
