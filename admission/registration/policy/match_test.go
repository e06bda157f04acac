package policy

import (
	"strings"
	"testing"

	registrationv1 "k8s.io/api/admissionregistration/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"example.com/gatehouse/internal/testutil/testtable"
)

// matchCase is what a policy or a binding matches.
type matchCase struct {
	row
	given *registrationv1.MatchResources
	// want is the problem in matchConstraints; @ is the path.
	want string
}

// TestMatchResources has the rules that are the same for policies and bindings.
func TestMatchResources(t *testing.T) {
	t.Parallel()
	testtable.Run(t, matchCases(), func(t *testing.T, tc matchCase) {
		policy := func(want string) string { return strings.ReplaceAll(want, "@", "spec.matchConstraints") }
		binding := func(want string) string { return strings.ReplaceAll(want, "@", "spec.matchResources") }
		p := validating(func(p *vap) { p.Spec.MatchConstraints = tc.given })
		wantText(t, p, Validate(p), policy(tc.want))
		m := mutating(func(p *mpol) { p.Spec.MatchConstraints = tc.given })
		wantText(t, m, Validate(m), policy(tc.want))
		b := validatingBound(func(b *vapb) { b.Spec.MatchResources = tc.given })
		wantText(t, b, Validate(b), binding(tc.want))
		c := mutatingBound(func(b *mapb) { b.Spec.MatchResources = tc.given })
		wantText(t, c, Validate(c), binding(tc.want))
	})
}

func matchCases() []matchCase {
	const bad = `@.resourceRules[0]`
	with := func(r ...registrationv1.NamedRuleWithOperations) *registrationv1.MatchResources {
		return matching(func(m *registrationv1.MatchResources) { m.ResourceRules = r })
	}
	return []matchCase{
		{row{"all of it", "nothing is missing"}, matching(), ""},
		{row{"exact", "the other matchPolicy"}, matching(func(m *registrationv1.MatchResources) { m.MatchPolicy = new(registrationv1.Exact) }), ""},
		{row{"no matchPolicy", "Default sets it; a caller may forget to call it"},
			matching(func(m *registrationv1.MatchResources) { m.MatchPolicy = nil }), `@.matchPolicy: Required value`},
		{row{"other matchPolicy", "the two are listed"},
			matching(func(m *registrationv1.MatchResources) { m.MatchPolicy = new(registrationv1.MatchPolicyType("x")) }),
			`@.matchPolicy: Unsupported value: "x": supported values: "Equivalent", "Exact"`},
		{row{"no selectors", "an absent selector would be an error of the plugins"},
			matching(func(m *registrationv1.MatchResources) { m.NamespaceSelector, m.ObjectSelector = nil, nil }),
			list(`@.namespaceSelector: Required value`, `@.objectSelector: Required value`)},
		{row{"label value in a selector", "there is no ratchet, unlike in webhooks"},
			matching(func(m *registrationv1.MatchResources) { m.ObjectSelector = requirement("a", "In", "b b") }),
			`@.objectSelector.matchExpressions[0].values[0]: Invalid value: "b b": ` + labelValueRule},
		{row{"operator in a selector", "one of four"},
			matching(func(m *registrationv1.MatchResources) { m.NamespaceSelector = requirement("a", "x") }),
			`@.namespaceSelector.matchExpressions[0].operator: Invalid value: "x": not a valid selector operator`},
		{row{"matchLabels", "their values are checked as well"},
			matching(func(m *registrationv1.MatchResources) {
				m.NamespaceSelector = &metav1.LabelSelector{MatchLabels: map[string]string{"a": "-"}}
			}), `@.namespaceSelector.matchLabels: Invalid value: "-": ` + labelValueRule},
		{row{"rule with nothing", "the rule of a webhook applies"}, with(registrationv1.NamedRuleWithOperations{}), list(
			bad+`.operations: Required value`, bad+`.apiGroups: Required value`, bad+`.apiVersions: Required value`, bad+`.resources: Required value`)},
		{row{"star and others", "the rule of a webhook applies"}, with(rule(operations("*", "CREATE"))),
			bad + `.operations: Invalid value: ["*","CREATE"]: if '*' is present, must not specify other operations`},
		{row{"covered resource", "the rule of a webhook applies"}, with(rule(resources("a/*", "a/b"))),
			bad + `.resources[1]: Invalid value: "a/b": if 'a/*' is present, must not specify a/b`},
		{row{"scope", "the rule of a webhook applies"},
			with(rule(func(r *registrationv1.NamedRuleWithOperations) { r.Scope = new(registrationv1.ScopeType("x")) })),
			bad + `.scope: Unsupported value: "x": supported values: "*", "Cluster", "Namespaced"`},
		{row{"resource names", "several names, each once"}, with(rule(named("a", "b"))), ""},
		{row{"resource name twice", "the second one is reported"}, with(rule(named("a", "a"))), bad + `.resourceNames[1]: Duplicate value: "a"`},
		{row{"resource name with a slash", "a name is one segment of a path"}, with(rule(named("a/b", ".."))),
			list(bad+`.resourceNames[0]: Invalid value: "a/b": may not contain '/'`, bad+`.resourceNames[1]: Invalid value: "..": may not be '..'`)},
		{row{"resource name before the rule", "the order of one rule's errors"}, with(rule(named("%"), operations())),
			list(bad+`.resourceNames[0]: Invalid value: "%": may not contain '%'`, bad+`.operations: Required value`)},
		{row{"second rule", "every rule is looked at"}, with(rule(), rule(resources())), `@.resourceRules[1].resources: Required value`},
		{row{"excluded rule", "the same rules, under their own name"},
			matching(func(m *registrationv1.MatchResources) { m.ExcludeResourceRules = rules(rule(resources(), named("."))) }),
			list(`@.excludeResourceRules[0].resourceNames[0]: Invalid value: ".": may not be '.'`, `@.excludeResourceRules[0].resources: Required value`)},
	}
}

// TestResourceRulesAreForTypes requires rules of policies, and not of bindings.
func TestResourceRulesAreForTypes(t *testing.T) {
	t.Parallel()
	none := matching(func(m *registrationv1.MatchResources) { m.ResourceRules = nil })
	const missing = `spec.matchConstraints.resourceRules: Required value`
	p := validating(func(p *vap) { p.Spec.MatchConstraints = none })
	wantText(t, p, Validate(p), missing)
	m := mutating(func(p *mpol) { p.Spec.MatchConstraints = none })
	wantText(t, m, Validate(m), missing)
	b := validatingBound(func(b *vapb) { b.Spec.MatchResources = none })
	wantText(t, b, Validate(b), "")
	c := mutatingBound(func(b *mapb) { b.Spec.MatchResources = none })
	wantText(t, c, Validate(c), "")
}

// TestNoMatchConstraints requires them of policies.
func TestNoMatchConstraints(t *testing.T) {
	t.Parallel()
	p := validating(func(p *vap) { p.Spec.MatchConstraints = nil })
	wantText(t, p, Validate(p), `spec.matchConstraints: Required value`)
	m := mutating(func(p *mpol) { p.Spec.MatchConstraints = nil })
	wantText(t, m, Validate(m), `spec.matchConstraints: Required value`)
}

// operationsCase is what the rules of one kind of policy match.
type operationsCase struct {
	row
	rules, excluded []registrationv1.NamedRuleWithOperations
	// validating and mutating are the problems of policies; @ is the path.
	validating, mutating string
}

func TestOperations(t *testing.T) {
	t.Parallel()
	const (
		known = `supported values: "*", "CONNECT", "CREATE", "DELETE", "UPDATE"`
		few   = `supported values: "*", "CONNECT", "CREATE", "UPDATE"`
		other = `@.resourceRules[0].operations[0]: Unsupported value: "x": ` + known
		path  = `@.resourceRules.operations: Unsupported value: `
	)
	testtable.Run(t, []operationsCase{
		{row{"three", "what a mutating policy sees"}, rules(rule(operations("CREATE", "UPDATE", "CONNECT"))), nil, "", ""},
		{row{"all", "the wildcard includes DELETE, and is allowed"}, rules(rule(operations("*"))), nil, "", ""},
		{row{"delete", "a deleted object cannot be changed; the path has no index"}, rules(rule(), rule(operations("DELETE"))), nil, "",
			path + `"DELETE": ` + few},
		{row{"unknown", "a mutating policy is told twice"}, rules(rule(operations("x"))), nil, other, list(other, path+`"x": `+few)},
		{row{"excluded delete", "nothing is lost by excluding it"}, rules(rule()), rules(rule(operations("DELETE"))), "", ""},
	}, func(t *testing.T, tc operationsCase) {
		given := matching(func(m *registrationv1.MatchResources) {
			m.ResourceRules, m.ExcludeResourceRules = tc.rules, tc.excluded
		})
		policy := func(want string) string { return strings.ReplaceAll(want, "@", "spec.matchConstraints") }
		p := validating(func(p *vap) { p.Spec.MatchConstraints = given })
		wantText(t, p, Validate(p), policy(tc.validating))
		m := mutating(func(p *mpol) { p.Spec.MatchConstraints = given })
		wantText(t, m, Validate(m), policy(tc.mutating))
		c := mutatingBound(func(b *mapb) { b.Spec.MatchResources = given })
		wantText(t, c, Validate(c), strings.ReplaceAll(tc.mutating, "@", "spec.matchResources"))
	})
}

// paramKindCase is a paramKind of either policy.
type paramKindCase struct {
	row
	apiVersion, kind string
	want             string
}

func TestParamKind(t *testing.T) {
	t.Parallel()
	const version, kind = `spec.paramKind.apiVersion: `, `spec.paramKind.kind: `
	testtable.Run(t, []paramKindCase{
		{row{"core", "a kind without a group"}, "v1", "ConfigMap", ""},
		{row{"group", "a kind with one"}, "a.example.com/v1beta1", "Limit", ""},
		{row{"nothing", "both are required"}, "", "", list(version+`Required value`, kind+`Required value`)},
		{row{"slash", "neither group nor version"}, "/", "A", version + `Invalid value: "/": version must be specified`},
		{row{"group alone", "a group is no version"}, "a/", "A", version + `Invalid value: "a/": version must be specified`},
		{row{"version after a slash", "the group is that of core"}, "/v1", "A", ""},
		{row{"two slashes", "it cannot be parsed"}, "a/b/c", "A", version + `Invalid value: "a/b/c": unexpected GroupVersion string: a/b/c`},
		{row{"bad group", "the value is the group"}, "A/v1", "A", version + `Invalid value: "A": ` + subdomainRule},
		{row{"bad version", "the value is the version"}, "a/1", "A", version + `Invalid value: "1": ` + labelRule},
		{row{"bad group and no version", "both are reported"}, "A/", "A",
			list(version+`Invalid value: "A": `+subdomainRule, version+`Invalid value: "A/": version must be specified`)},
		{row{"bad kind", "the value is as written"}, "v1", "A.b", kind + `Invalid value: "A.b": may have mixed case, but should otherwise match: ` + labelRule},
	}, func(t *testing.T, tc paramKindCase) {
		given := &registrationv1.ParamKind{APIVersion: tc.apiVersion, Kind: tc.kind}
		p := validating(func(p *vap) { p.Spec.ParamKind = given })
		wantText(t, p, Validate(p), tc.want)
		m := mutating(func(p *mpol) { p.Spec.ParamKind = given })
		wantText(t, m, Validate(m), tc.want)
	})
}

// TestEveryErrorOnce has errors without an index, which two rules cause.
func TestEveryErrorOnce(t *testing.T) {
	t.Parallel()
	p := mutating(func(p *mpol) {
		p.Spec.MatchConstraints.ResourceRules = rules(rule(operations("DELETE")), rule(operations("DELETE")))
	})
	if problems := Validate(p); len(problems) != 1 {
		t.Errorf("Validate = %v, want one error", problems)
	}
	if problems := ValidateUpdate(p, p); len(problems) != 1 {
		t.Errorf("ValidateUpdate = %v, want one error", problems)
	}
}
