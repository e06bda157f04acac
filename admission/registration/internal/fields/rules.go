package fields

import (
	"fmt"
	"slices"
	"strings"

	registrationv1 "k8s.io/api/admissionregistration/v1"
	"k8s.io/apimachinery/pkg/util/validation/field"
)

// Everything is the wildcard of all lists.
const Everything = "*"

// Rules returns the errors of the rules of a webhook.
func Rules(rules []registrationv1.RuleWithOperations, at *field.Path) field.ErrorList {
	var problems field.ErrorList
	for i := range rules {
		problems = append(problems, Rule(&rules[i], at.Index(i))...)
	}
	return problems
}

// Rule applies.
func Rule(r *registrationv1.RuleWithOperations, at *field.Path) field.ErrorList {
	return slices.Concat(
		operations(r.Operations, at.Child("operations")),
		aloneOrMany(r.APIGroups, at.Child("apiGroups"), "API groups"),
		// A group may be empty, as that of pods is; a version may not.
		aloneOrMany(r.APIVersions, at.Child("apiVersions"), "API versions"),
		noneEmpty(r.APIVersions, at.Child("apiVersions")),
		resources(r.Resources, at.Child("resources")),
		OneOf(at.Child("scope"), r.Scope,
			registrationv1.AllScopes, registrationv1.ClusterScope, registrationv1.NamespacedScope),
	)
}

func operations(entries []registrationv1.OperationType, at *field.Path) field.ErrorList {
	problems := aloneOrMany(entries, at, "operations")
	for i := range entries {
		problems = append(problems, OneOf(at.Index(i), &entries[i],
			registrationv1.OperationAll, registrationv1.Create, registrationv1.Update,
			registrationv1.Delete, registrationv1.Connect)...)
	}
	return problems
}

// aloneOrMany returns an error unless the list is "*" or any number of other
// entries.
func aloneOrMany[T ~string](entries []T, at *field.Path, what string) field.ErrorList {
	switch {
	case len(entries) == 0:
		return field.ErrorList{field.Required(at, "")}
	case len(entries) > 1 && slices.Contains(entries, Everything):
		return field.ErrorList{field.Invalid(at, entries,
			"if '*' is present, must not specify other "+what)}
	}
	return nil
}

func noneEmpty(entries []string, at *field.Path) field.ErrorList {
	var problems field.ErrorList
	for i, entry := range entries {
		if entry == "" {
			problems = append(problems, field.Required(at.Index(i), ""))
		}
	}
	return problems
}

// resources returns errors for entries that others cover.
func resources(entries []string, at *field.Path) field.ErrorList {
	if len(entries) == 0 {
		return field.ErrorList{field.Required(at, "")}
	}
	var problems field.ErrorList
	seen := seenResources{subresourcesOf: map[string]bool{}, subresource: map[string]bool{}}
	for i, entry := range entries {
		problems = append(problems, seen.add(entry, at.Index(i))...)
	}
	if seen.all && len(entries) > 1 {
		problems = append(
			problems, field.Invalid(at, entries, "if '*/*' is present, must not specify other resources"))
	}
	if seen.allPlain && seen.plain {
		problems = append(problems, field.Invalid(at, entries,
			"if '*' is present, must not specify other resources without subresources"))
	}
	return problems
}

// seenResources are the wildcards in the entries so far.
type seenResources struct {
	subresourcesOf map[string]bool // the a of a/*
	subresource    map[string]bool // the b of */b
	all            bool            // */*
	allPlain       bool            // *
	plain          bool            // the last entry without a subresource was not *
}

// add records an entry, and returns errors if earlier ones cover it.
//
// Compat: R-025: a wildcard after the entries that it covers is accepted, and
// so is a plain resource before "*".
func (s *seenResources) add(entry string, at *field.Path) field.ErrorList {
	resource, subresource, divided := strings.Cut(entry, "/")
	switch {
	case entry == "":
		return field.ErrorList{field.Required(at, "")}
	case !divided:
		s.allPlain = s.allPlain || entry == Everything
		s.plain = entry != Everything
		return nil
	}
	var problems field.ErrorList
	if s.subresourcesOf[resource] {
		problems = append(problems, covered(at, entry, resource+"/*"))
	}
	if s.subresource[subresource] {
		problems = append(problems, covered(at, entry, "*/"+subresource))
	}
	if subresource == Everything {
		s.subresourcesOf[resource] = true
	}
	if resource == Everything {
		s.subresource[subresource] = true
	}
	s.all = s.all || entry == "*/*"
	return problems
}

func covered(at *field.Path, entry, wildcard string) *field.Error {
	return field.Invalid(at, entry,
		fmt.Sprintf("if '%s' is present, must not specify %s", wildcard, entry))
}
