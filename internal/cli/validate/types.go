package validate

import (
	"strings"

	registrationv1 "k8s.io/api/admissionregistration/v1"
	apiextensionsv1 "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"

	"example.com/gatehouse/admission/registration/policy"
	"example.com/gatehouse/internal/message"
	"example.com/gatehouse/internal/offline/typecheck"
)

// checkTypes adds the warnings of type checking to valid policies, one for each
// kind.
func (j *validator) checkTypes(o *options) {
	var checker *typecheck.Checker
	for _, i := range j.items {
		p, ok := policy.Convert(i.object).(*registrationv1.ValidatingAdmissionPolicy)
		if !ok {
			continue
		}
		if checker == nil {
			checker = j.checker(o)
		}
		for _, w := range checker.Check(p) {
			for part := range strings.SplitSeq(strings.TrimSuffix(w.Warning, "\n"), "\n\n") {
				i.warn(w.FieldRef, w.FieldRef+": "+part)
			}
		}
	}
}

// checker returns a checker that knows the custom kinds, and prints which ones it
// does not know. Patches for kustomize define no kind, and a definition may be there
// twice.
func (j *validator) checker(o *options) *typecheck.Checker {
	c, added := typecheck.New(), map[string]bool{}
	for _, d := range j.definitions {
		if d.Patch || added[string(d.JSON)] {
			continue
		}
		added[string(d.JSON)] = true
		crd := &apiextensionsv1.CustomResourceDefinition{}
		err := d.DecodeInto(crd, false)
		if err == nil {
			err = d.Wrap("spec", c.AddCRD(crd))
		}
		if err != nil {
			message.Notice(o.stderr, "types are not checked: %v", err)
		}
	}
	return c
}
