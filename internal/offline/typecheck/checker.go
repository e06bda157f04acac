package typecheck

import (
	"fmt"
	"strings"

	registrationv1 "k8s.io/api/admissionregistration/v1"
	apiextensionsv1 "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/util/validation/field"
	apicel "k8s.io/apiserver/pkg/cel"

	"example.com/gatehouse/internal/offline/kinds"
)

// Checker checks policies. Use New to create one.
type Checker struct {
	known *kinds.Registry
	// definitions are those of the custom kinds.
	definitions map[schema.GroupKind]*apiextensionsv1.CustomResourceDefinition
	// types caches the types of kinds; nil for a kind without one.
	types map[typeKey]*apicel.DeclType
}

// New returns a checker for the built-in kinds.
func New() *Checker {
	return &Checker{
		known:       kinds.New(),
		definitions: map[schema.GroupKind]*apiextensionsv1.CustomResourceDefinition{},
		types:       map[typeKey]*apicel.DeclType{},
	}
}

// AddCRD adds the kind of a definition, which must not be changed any more. The
// error is that of kinds.Registry.AddCRD; nothing is added then. AddCRD must not
// be called after Check.
func (c *Checker) AddCRD(crd *apiextensionsv1.CustomResourceDefinition) error {
	if err := c.known.AddCRD(crd); err != nil {
		return err
	}
	c.definitions[schema.GroupKind{Group: crd.Spec.Group, Kind: crd.Spec.Names.Kind}] = crd
	return nil
}

// Check returns the warnings in the status of a policy, in the order of its
// expressions. The policy must be valid. A warning has a part for each kind,
// which ends with a line feed. Kinds that are not known have no warnings.
func (c *Checker) Check(
	p *registrationv1.ValidatingAdmissionPolicy,
) []registrationv1.ExpressionWarning {
	environments := c.environments(p)
	known := map[string]string{} // a list that repeats one expression costs little
	var warnings []registrationv1.ExpressionWarning
	check := func(at *field.Path, expression string) {
		warning, checked := known[expression]
		if !checked {
			warning = warningOf(environments, expression)
			known[expression] = warning
		}
		if warning != "" {
			warnings = append(warnings,
				registrationv1.ExpressionWarning{FieldRef: at.String(), Warning: warning})
		}
	}
	for i := range p.Spec.Validations {
		v, at := &p.Spec.Validations[i], field.NewPath("spec", "validations").Index(i)
		check(at.Child("expression"), v.Expression)
		if v.MessageExpression != "" {
			check(at.Child("messageExpression"), v.MessageExpression)
		}
	}
	return warnings
}

// warningOf returns the faults of an expression; empty without any.
func warningOf(environments []*environment, expression string) string {
	var parts []string
	for _, e := range environments {
		if _, err := e.compile(expression); err != nil {
			parts = append(parts, fmt.Sprintf("%v: %v\n", e.kind, err))
		}
	}
	return strings.Join(parts, "\n")
}

// environments returns one for each kind that the policy is about.
func (c *Checker) environments(p *registrationv1.ValidatingAdmissionPolicy) []*environment {
	var params *variable
	if named := p.Spec.ParamKind; named != nil {
		if gv, err := schema.ParseGroupVersion(named.APIVersion); err == nil {
			params = &variable{c.typeOf(typeKey{gv.WithKind(named.Kind), true})}
		}
	}
	var all []*environment
	for _, kind := range c.matched(p.Spec.MatchConstraints) {
		of := c.typeOf(typeKey{kind, false})
		if of == nil {
			continue
		}
		e, err := newEnvironment(kind, of, params)
		if err != nil {
			continue // CEL cannot express the schema, and upstream skips the kind
		}
		e.addVariables(p.Spec.Variables)
		all = append(all, e)
	}
	return all
}
