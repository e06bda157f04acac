package policy

import (
	"slices"
	"strings"

	registrationv1 "k8s.io/api/admissionregistration/v1"
	"k8s.io/apimachinery/pkg/api/validate/content"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	metav1validation "k8s.io/apimachinery/pkg/apis/meta/v1/validation"
	"k8s.io/apimachinery/pkg/util/validation"
	"k8s.io/apimachinery/pkg/util/validation/field"

	"example.com/gatehouse/admission/registration/internal/fields"
)

// matchConstraints applies the rules of a policy's matchConstraints: those of
// matchResources, and at least one resourceRule, which gives the expressions
// their types.
func matchConstraints(m *registrationv1.MatchResources, at *field.Path) field.ErrorList {
	if m == nil {
		return field.ErrorList{field.Required(at, "")}
	}
	problems := matchResources(m, at)
	if len(m.ResourceRules) == 0 {
		problems = append(problems, field.Required(at.Child("resourceRules"), ""))
	}
	return problems
}

// matchResources applies validateMatchResources. Selectors are stricter than
// those of webhooks: there is no ratchet for label values that no label can
// have.
func matchResources(m *registrationv1.MatchResources, at *field.Path) field.ErrorList {
	if m == nil {
		return nil
	}
	return slices.Concat(
		requiredOneOf(at.Child("matchPolicy"), m.MatchPolicy,
			registrationv1.Equivalent, registrationv1.Exact),
		selector(m.NamespaceSelector, at.Child("namespaceSelector")),
		selector(m.ObjectSelector, at.Child("objectSelector")),
		namedRules(m.ResourceRules, at.Child("resourceRules")),
		namedRules(m.ExcludeResourceRules, at.Child("excludeResourceRules")),
	)
}

func selector(s *metav1.LabelSelector, at *field.Path) field.ErrorList {
	if s == nil {
		return field.ErrorList{field.Required(at, "")}
	}
	return metav1validation.ValidateLabelSelector(s,
		metav1validation.LabelSelectorValidationOptions{}, at)
}

// namedRules applies validateNamedRuleWithOperations to each rule: that of a
// webhook, and resource names, which are different segments of a path.
func namedRules(rules []registrationv1.NamedRuleWithOperations, at *field.Path) field.ErrorList {
	var problems field.ErrorList
	for i := range rules {
		problems = append(problems,
			resourceNames(rules[i].ResourceNames, at.Index(i).Child("resourceNames"))...)
		problems = append(problems, fields.Rule(&rules[i].RuleWithOperations, at.Index(i))...)
	}
	return problems
}

func resourceNames(names []string, at *field.Path) field.ErrorList {
	var problems field.ErrorList
	seen := map[string]bool{}
	for i, name := range names {
		problems = append(problems,
			fields.Invalid(at.Index(i), name, content.IsPathSegmentName(name))...)
		if seen[name] {
			problems = append(problems, field.Duplicate(at.Index(i), name))
		}
		seen[name] = true
	}
	return problems
}

// mutableOperations returns an error for each operation that mutating policies
// do not see, which are DELETE and unknown ones.
//
// Compat: the path has no index, so that the errors do not say which rule is
// wrong. An unknown operation is reported a second time, and an
// excludeResourceRule may have any.
func mutableOperations(m *registrationv1.MatchResources, at *field.Path) field.ErrorList {
	if m == nil {
		return nil
	}
	var problems field.ErrorList
	for _, rule := range m.ResourceRules {
		for i := range rule.Operations {
			problems = append(problems,
				fields.OneOf(at.Child("resourceRules", "operations"), &rule.Operations[i],
					registrationv1.OperationAll, registrationv1.Create, registrationv1.Update,
					registrationv1.Connect)...)
		}
	}
	return problems
}

// paramKind applies validateParamKind: the group and version of an APIService,
// and a kind that is a label if it is written in lower case.
func paramKind(k *registrationv1.ParamKind, at *field.Path) field.ErrorList {
	if k == nil {
		return nil
	}
	problems := paramVersion(k.APIVersion, at.Child("apiVersion"))
	if k.Kind == "" {
		return append(problems, field.Required(at.Child("kind"), ""))
	}
	if messages := validation.IsDNS1035Label(strings.ToLower(k.Kind)); len(messages) > 0 {
		problems = append(problems, field.Invalid(at.Child("kind"), k.Kind,
			"may have mixed case, but should otherwise match: "+strings.Join(messages, ",")))
	}
	return problems
}

func paramVersion(apiVersion string, at *field.Path) field.ErrorList {
	switch {
	case apiVersion == "":
		return field.ErrorList{field.Required(at, "")}
	case strings.Count(apiVersion, "/") > 1:
		return field.ErrorList{field.Invalid(at, apiVersion,
			"unexpected GroupVersion string: "+apiVersion)}
	}
	group, version, grouped := strings.Cut(apiVersion, "/")
	if !grouped {
		group, version = "", apiVersion
	}
	var problems field.ErrorList
	if messages := validation.IsDNS1123Subdomain(group); group != "" && len(messages) > 0 {
		problems = append(problems, field.Invalid(at, group, strings.Join(messages, ",")))
	}
	if version == "" {
		return append(problems, field.Invalid(at, apiVersion, "version must be specified"))
	}
	if messages := validation.IsDNS1035Label(version); len(messages) > 0 {
		problems = append(problems, field.Invalid(at, version, strings.Join(messages, ",")))
	}
	return problems
}
