package policy

import (
	"testing"

	registrationv1 "k8s.io/api/admissionregistration/v1"

	"example.com/gatehouse/internal/testutil/testtable"
)

// bindingCase is a binding that is created.
type bindingCase struct {
	row
	given *vapb
	want  string
}

func TestValidatingBindings(t *testing.T) {
	t.Parallel()
	const (
		at       = `spec.validationActions`
		tags     = `spec.validationActions: Required value`
		noPolicy = `spec.policyName: Required value`
		warnDeny = `must not contain both Deny and Warn (repeating the same validation failure information in the API response and headers serves no purpose)`
	)
	acting := func(a ...registrationv1.ValidationAction) *vapb {
		return validatingBound(func(b *vapb) { b.Spec.ValidationActions = a })
	}
	testtable.Run(t, []bindingCase{
		{row{"valid", "nothing is missing"}, validatingBound(), ""},
		{row{"no policy", "a tag of the API decides, with the same text"}, validatingBound(func(b *vapb) { b.Spec.PolicyName = "" }), noPolicy},
		{row{"bad policy", "no policy has the name"}, validatingBound(func(b *vapb) { b.Spec.PolicyName = "A" }), `spec.policyName: Invalid value: "A": ` + subdomainRule},
		{row{"two actions", "Audit goes with each of the others"}, acting("Audit", "Deny"), ""},
		{row{"deny and warn", "the client would be told twice"}, acting("Warn", "Deny"), at + `: Invalid value: ["Warn","Deny"]: ` + warnDeny},
		{row{"action twice", "the second one is reported"}, acting("Deny", "Deny"), at + `[1]: Duplicate value: "Deny"`},
		{row{"unknown action twice", "one of three; also a duplicate"}, acting("x", "x"), list(
			at+`[0]: Unsupported value: "x": supported values: "Audit", "Deny", "Warn"`,
			at+`[1]: Unsupported value: "x": supported values: "Audit", "Deny", "Warn"`, at+`[1]: Duplicate value: "x"`)},
		{row{"no action", "the tag has no detail, unlike the rule that it replaces"}, acting(), tags},
		{row{"all of a binding", "errors of tags come last, after a reserved name"}, validatingBound(func(b *vapb) {
			b.Name = "b.static.k8s.io"
			b.Spec = registrationv1.ValidatingAdmissionPolicyBindingSpec{
				ParamRef: &registrationv1.ParamRef{}, MatchResources: matching(func(m *registrationv1.MatchResources) { m.MatchPolicy = nil }),
			}
		}), list(`spec.paramRef: Required value: one of name or selector must be specified`, `spec.paramRef.parameterNotFoundAction: Required value`,
			`spec.matchResources.matchPolicy: Required value`, `metadata.name: Invalid value: "b.static.k8s.io"`+reserved, noPolicy, tags)},
		{row{"actions last", "the order of the errors of functions"}, validatingBound(func(b *vapb) {
			b.Spec.PolicyName, b.Spec.ValidationActions = "-", []registrationv1.ValidationAction{"x"}
			b.Spec.MatchResources = matching(func(m *registrationv1.MatchResources) { m.ObjectSelector = nil })
		}), list(`spec.policyName: Invalid value: "-": `+subdomainRule, `spec.matchResources.objectSelector: Required value`,
			at+`[0]: Unsupported value: "x": supported values: "Audit", "Deny", "Warn"`)},
	}, func(t *testing.T, tc bindingCase) {
		wantText(t, tc.given, Validate(tc.given), tc.want)
		for _, version := range oldVersions() {
			o := asVersion(t, tc.given, version)
			wantText(t, o, Validate(o), tc.want)
		}
	})
}

// TestMutatingBindings requires a policy and no actions.
func TestMutatingBindings(t *testing.T) {
	t.Parallel()
	for _, version := range append(oldVersions(), "v1") {
		o := asVersion(t, mutatingBound(), version)
		wantText(t, o, Validate(o), "")
		o = asVersion(t, mutatingBound(func(b *mapb) {
			b.Spec.PolicyName = ""
			b.Spec.ParamRef = &registrationv1.ParamRef{ParameterNotFoundAction: new(registrationv1.DenyAction)}
		}), version)
		wantText(t, o, Validate(o), list(`spec.policyName: Required value`, `spec.paramRef: Required value: one of name or selector must be specified`))
		o = asVersion(t, mutatingBound(func(b *mapb) { b.Spec.PolicyName = "A" }), version)
		wantText(t, o, Validate(o), `spec.policyName: Invalid value: "A": `+subdomainRule)
	}
}

// paramRefCase is a paramRef of either binding.
type paramRefCase struct {
	row
	given registrationv1.ParamRef
	want  string
}

func TestParamRef(t *testing.T) {
	t.Parallel()
	const (
		at        = `spec.paramRef`
		exclusive = `: Forbidden: name and selector are mutually exclusive`
	)
	deny := new(registrationv1.DenyAction)
	action := func(a string) *registrationv1.ParameterNotFoundActionType {
		return new(registrationv1.ParameterNotFoundActionType(a))
	}
	testtable.Run(t, []paramRefCase{
		{row{"name", "one parameter"}, registrationv1.ParamRef{Name: "a", Namespace: "b", ParameterNotFoundAction: deny}, ""},
		{row{"selector", "any number; the namespace is not looked at"},
			registrationv1.ParamRef{Selector: requirement("a", "Exists"), Namespace: "?", ParameterNotFoundAction: action("Allow")}, ""},
		{row{"nothing", "the errors of both fields"}, registrationv1.ParamRef{},
			list(at+`: Required value: one of name or selector must be specified`, at+`.parameterNotFoundAction: Required value`)},
		{row{"empty action", "as if it were absent"}, registrationv1.ParamRef{Name: "a", ParameterNotFoundAction: action("")}, at + `.parameterNotFoundAction: Required value`},
		{row{"other action", "the two are listed, not in order"}, registrationv1.ParamRef{Name: "a", ParameterNotFoundAction: action("x")},
			at + `.parameterNotFoundAction: Unsupported value: "x": supported values: "Deny", "Allow"`},
		{row{"bad name", "a name is one segment of a path"}, registrationv1.ParamRef{Name: "a/b", ParameterNotFoundAction: deny},
			at + `.name: Invalid value: "a/b": may not contain '/'`},
		{row{"bad selector", "as strict as others of policies"},
			registrationv1.ParamRef{Selector: requirement("a", "In", "b b"), ParameterNotFoundAction: deny},
			at + `.selector.matchExpressions[0].values[0]: Invalid value: "b b": ` + labelValueRule},
		{row{"name and selector", "both are reported, each after what else is wrong with it"},
			registrationv1.ParamRef{Name: ".", Selector: requirement("a", "x"), ParameterNotFoundAction: deny}, list(
				at+`.name: Invalid value: ".": may not be '.'`, at+`.name`+exclusive,
				at+`.selector.matchExpressions[0].operator: Invalid value: "x": not a valid selector operator`, at+`.selector`+exclusive)},
	}, func(t *testing.T, tc paramRefCase) {
		b := validatingBound(func(b *vapb) { b.Spec.ParamRef = &tc.given })
		wantText(t, b, Validate(b), tc.want)
		c := mutatingBound(func(b *mapb) { b.Spec.ParamRef = &tc.given })
		wantText(t, c, Validate(c), tc.want)
	})
}
