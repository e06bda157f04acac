package policy

import (
	"encoding/json"
	"strings"
	"testing"

	registrationv1 "k8s.io/api/admissionregistration/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/util/validation/field"

	"example.com/gatehouse/internal/testutil/testtable"
)

type row = testtable.Row

// The types of an object with its fields in the order of the API, for edits.
type (
	vap  = registrationv1.ValidatingAdmissionPolicy
	vapb = registrationv1.ValidatingAdmissionPolicyBinding
	mpol = registrationv1.MutatingAdmissionPolicy
	mapb = registrationv1.MutatingAdmissionPolicyBinding
)

// validating is a policy with defaults to which nothing is missing, but for what
// the edits do after that.
func validating(edits ...func(*vap)) *vap {
	p := &vap{ObjectMeta: config()}
	p.Spec.MatchConstraints = &registrationv1.MatchResources{ResourceRules: rules(rule())}
	p.Spec.Validations = []registrationv1.Validation{{Expression: "true"}}
	Default(p)
	for _, change := range edits {
		change(p)
	}
	return p
}

// mutating is the same of the other kind.
func mutating(edits ...func(*mpol)) *mpol {
	p := &mpol{ObjectMeta: config()}
	p.Spec.MatchConstraints = &registrationv1.MatchResources{ResourceRules: rules(rule())}
	p.Spec.ReinvocationPolicy = registrationv1.NeverReinvocationPolicy
	p.Spec.Mutations = []registrationv1.Mutation{applying("Object{}")}
	Default(p)
	for _, change := range edits {
		change(p)
	}
	return p
}

func validatingBound(edits ...func(*vapb)) *vapb {
	b := &vapb{ObjectMeta: config()}
	b.Spec.PolicyName = "p"
	b.Spec.ValidationActions = []registrationv1.ValidationAction{registrationv1.Deny}
	for _, change := range edits {
		change(b)
	}
	return b
}

func mutatingBound(edits ...func(*mapb)) *mapb {
	b := &mapb{ObjectMeta: config()}
	b.Spec.PolicyName = "p"
	for _, change := range edits {
		change(b)
	}
	return b
}

// config is the metadata of most rows.
func config() metav1.ObjectMeta { return metav1.ObjectMeta{Name: "config"} }

// rule is a rule with defaults to which nothing is missing.
func rule(edits ...func(*registrationv1.NamedRuleWithOperations)) registrationv1.NamedRuleWithOperations {
	r := registrationv1.NamedRuleWithOperations{RuleWithOperations: registrationv1.RuleWithOperations{
		Operations: []registrationv1.OperationType{"CREATE"},
		Rule: registrationv1.Rule{
			APIGroups: []string{"a"}, APIVersions: []string{"a"}, Resources: []string{"a"},
			Scope: new(registrationv1.AllScopes),
		},
	}}
	for _, change := range edits {
		change(&r)
	}
	return r
}

func rules(r ...registrationv1.NamedRuleWithOperations) []registrationv1.NamedRuleWithOperations {
	return r
}

func operations(o ...registrationv1.OperationType) func(*registrationv1.NamedRuleWithOperations) {
	return func(r *registrationv1.NamedRuleWithOperations) { r.Operations = o }
}

func resources(names ...string) func(*registrationv1.NamedRuleWithOperations) {
	return func(r *registrationv1.NamedRuleWithOperations) { r.Resources = names }
}

func named(names ...string) func(*registrationv1.NamedRuleWithOperations) {
	return func(r *registrationv1.NamedRuleWithOperations) { r.ResourceNames = names }
}

// matching are matchResources with defaults, but for what the edits do.
func matching(edits ...func(*registrationv1.MatchResources)) *registrationv1.MatchResources {
	m := &registrationv1.MatchResources{
		MatchPolicy:       new(registrationv1.Equivalent),
		NamespaceSelector: &metav1.LabelSelector{}, ObjectSelector: &metav1.LabelSelector{},
		ResourceRules: rules(rule()),
	}
	for _, change := range edits {
		change(m)
	}
	return m
}

func applying(expression string) registrationv1.Mutation {
	return registrationv1.Mutation{
		PatchType:          registrationv1.PatchTypeApplyConfiguration,
		ApplyConfiguration: &registrationv1.ApplyConfiguration{Expression: expression},
	}
}

func patching(expression string) registrationv1.Mutation {
	return registrationv1.Mutation{
		PatchType: registrationv1.PatchTypeJSONPatch,
		JSONPatch: &registrationv1.JSONPatch{Expression: expression},
	}
}

func condition(name, expression string) registrationv1.MatchCondition {
	return registrationv1.MatchCondition{Name: name, Expression: expression}
}

// configMap is a paramKind.
func configMap() *registrationv1.ParamKind {
	return &registrationv1.ParamKind{APIVersion: "v1", Kind: "ConfigMap"}
}

// requirement is a selector of one expression.
func requirement(key, operator string, values ...string) *metav1.LabelSelector {
	return &metav1.LabelSelector{MatchExpressions: []metav1.LabelSelectorRequirement{{
		Key: key, Operator: metav1.LabelSelectorOperator(operator), Values: values,
	}}}
}

// asVersion returns what would be written in another version in the place of o.
// The versions have the same fields, so that JSON says the same in all.
func asVersion(t testing.TB, o Object, version string) Object {
	t.Helper()
	kind, err := kindOf(o)
	if err != nil {
		t.Fatal(err)
	}
	kind.Version = version
	other, ok := blank(kind)
	if !ok {
		t.Fatalf("there is no %s", kind)
	}
	text, err := json.Marshal(o)
	if err != nil {
		t.Fatal(err)
	}
	if err := json.Unmarshal(text, other); err != nil {
		t.Fatal(err)
	}
	return other
}

// oldVersions are the versions that are converted.
func oldVersions() []string { return []string{"v1beta1", "v1alpha1"} }

// wantText compares the whole text of the problems with a row's.
func wantText(t *testing.T, o Object, problems field.ErrorList, want string) {
	t.Helper()
	got := ""
	if all := problems.ToAggregate(); all != nil {
		got = all.Error()
	}
	if got != want {
		t.Errorf("%T: problems are\n%s\nwant\n%s", o, got, want)
	}
	if want == "" && len(problems) > 0 {
		t.Errorf("%T: %d problems without a text", o, len(problems))
	}
}

// list is the text of several problems.
func list(problems ...string) string {
	if len(problems) == 1 {
		return problems[0]
	}
	return "[" + strings.Join(problems, ", ") + "]"
}

// What every server says of values that break a common rule.
const (
	subdomainRule = `a lowercase RFC 1123 subdomain must consist of lower case alphanumeric characters, '-' or '.', ` +
		`and must start and end with an alphanumeric character (e.g. 'example.com', regex used for validation is ` +
		`'[a-z0-9]([-a-z0-9]*[a-z0-9])?(\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*')`
	labelRule = `a DNS-1035 label must consist of lower case alphanumeric characters or '-', start with an alphabetic ` +
		`character, and end with an alphanumeric character (e.g. 'my-name',  or 'abc-123', regex used for validation is ` +
		`'[a-z]([-a-z0-9]*[a-z0-9])?')`
	qualifiedRule = `name part must consist of alphanumeric characters, '-', '_' or '.', and must start and end with an ` +
		`alphanumeric character (e.g. 'MyName',  or 'my.name',  or '123-abc', regex used for validation is ` +
		`'([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9]')`
	labelValueRule = `a valid label must be an empty string or consist of alphanumeric characters, '-', '_' or '.', and ` +
		`must start and end with an alphanumeric character (e.g. 'MyValue',  or 'my_value',  or '12345', regex used for ` +
		`validation is '(([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9])?')`
	reserved = `: names ending with ".static.k8s.io" are reserved for static manifest-based configurations and cannot be managed via the API`
)

// undeclared is the compiler's text about a name at the beginning of an
// expression.
func undeclared(name, expression string) string {
	return "compilation failed: ERROR: <input>:1:1: undeclared reference to '" + name + "' (in container '')\n | " +
		expression + "\n | ^"
}
