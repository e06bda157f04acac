package policy

import (
	"testing"

	registrationv1 "k8s.io/api/admissionregistration/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"example.com/gatehouse/internal/testutil/testtable"
)

// updateCase is an object that replaces another.
type updateCase struct {
	row
	old, given Object
	want       string
}

func TestUpdates(t *testing.T) {
	t.Parallel()
	rows := append(validatingUpdates(), mutatingUpdates()...)
	testtable.Run(t, append(rows, bindingUpdates()...), func(t *testing.T, tc updateCase) {
		wantText(t, tc.given, ValidateUpdate(tc.given, tc.old), tc.want)
		for _, version := range oldVersions() {
			o := asVersion(t, tc.given, version)
			wantText(t, o, ValidateUpdate(o, tc.old), tc.want)
			wantText(t, tc.given, ValidateUpdate(tc.given, asVersion(t, tc.old, version)), tc.want)
		}
	})
}

// The expression that only a server of v1.37 compiles, and what it says.
const (
	latest  = "[1].includes(1)"
	refused = `Invalid value: "[1].includes(1)": compilation failed: ERROR: <input>:1:13: undeclared reference to 'includes' (in container '')` +
		"\n | [1].includes(1)\n | ............^"
)

func validatingUpdates() []updateCase {
	conditions := func(expressions ...string) func(*vap) {
		return func(p *vap) {
			for _, e := range expressions {
				p.Spec.MatchConditions = append(p.Spec.MatchConditions, condition("c", e))
			}
		}
	}
	expecting := func(expression string) *vap { return checking(registrationv1.Validation{Expression: expression}) }
	telling := func(expression string) *vap {
		return checking(registrationv1.Validation{Expression: "true", MessageExpression: expression})
	}
	noting := func(expression string) *vap {
		return annotating(registrationv1.AuditAnnotation{Key: "a", ValueExpression: expression})
	}
	const (
		text      = "[1].includes(1) ? 'a' : 'b'"
		spaced    = " " + text
		at        = `spec.matchConditions[0].expression: `
		twice     = `spec.matchConditions[1].name: Duplicate value: "c"`
		noText    = `compilation failed: ERROR: <input>:1:13: undeclared reference to 'includes' (in container '')` + "\n | [1].includes(1) ? 'a' : 'b'\n | ............^"
		noneFound = `spec.failurePolicy: Required value`
	)
	withParams := func(p *vap) { p.Spec.ParamKind = configMap() }
	return []updateCase{
		{row{"nothing changes", "what is valid stays so"}, validating(), validating(), ""},
		{row{"as wrong as before", "there is no ratchet for fields"}, validating(func(p *vap) { p.Spec.FailurePolicy = nil }),
			validating(func(p *vap) { p.Spec.FailurePolicy = nil }), noneFound},
		{row{"reserved name", "only a creation is refused"}, validating(func(p *vap) { p.Name = "p.static.k8s.io" }),
			validating(func(p *vap) { p.Name = "p.static.k8s.io" }), ""},
		{row{"other name", "R-047: another object is no update"}, validating(func(p *vap) { p.Name = "a" }), validating(func(p *vap) { p.Name = "b" }),
			`metadata.name: Invalid value: "b": field is immutable`},
		{row{"status", "the server keeps the old one"}, validating(), validating(func(p *vap) {
			p.Status.Conditions = []metav1.Condition{{}}
		}), ""},

		{row{"same conditions", "they are left alone"}, validating(conditions("1", "")), validating(conditions("1", "")), ""},
		{row{"other conditions", "all are looked at"}, validating(conditions("1")), validating(conditions("1", "true")),
			list(at+`Invalid value: "1": must evaluate to bool but got int`, twice)},
		{row{"same conditions, other params", "an expression may lose its params"}, validating(conditions("params.a"), withParams), validating(conditions("params.a")),
			at + `Invalid value: "params.a": ` + undeclared("params", "params.a")},
		{row{"stored condition", "known from the old policy"}, validating(conditions(latest)), validating(conditions(latest, "true")), twice},
		{row{"stored condition with spaces", "R-042: it is compared as it is written, and compiled without"},
			validating(conditions(" " + latest)), validating(conditions(" "+latest, "true")), list(at+refused, twice)},

		{row{"stored validation", "known from the old policy"}, expecting(latest), expecting(latest), ""},
		{row{"new validation", "not known"}, validating(), expecting(latest), `spec.validations[0].expression: ` + refused},
		{row{"stored validation with a space", "it is compiled as it is written"}, expecting(" " + latest), expecting(" " + latest), ""},
		{row{"validation that was a condition", "each use has expressions of its own"}, validating(conditions(latest)), expecting(latest),
			`spec.validations[0].expression: ` + refused},
		{row{"stored message", "known from the old policy"}, telling(text), telling(text), ""},
		{row{"message that was an annotation", "each use has expressions of its own"}, noting(text), telling(text),
			`spec.validations[0].messageExpression: Invalid value: "` + text + `": ` + noText},
		{row{"stored annotation", "known from the old policy, also with a space"}, noting(spaced), noting(spaced), ""},
		{row{"new annotation", "not known; the value has the space, the text does not"}, validating(), noting(spaced),
			`spec.auditAnnotations[0].valueExpression: Invalid value: "` + spaced + `": ` + noText},
		{row{"stored variable", "the server forgets it"}, varying("true", variable("a", latest)), varying("true", variable("a", latest)),
			`spec.variables[0].expression: ` + refused},
		{row{"variable that was a validation", "the server takes it for stored"}, expecting(latest), varying("true", variable("a", latest)), ""},
	}
}

func mutatingUpdates() []updateCase {
	const (
		object = "[1].includes(1) ? Object{} : Object{}"
		patch  = "[1].includes(1) ? [JSONPatch{}] : []"
		text   = `compilation failed: ERROR: <input>:1:13: undeclared reference to 'includes' (in container '')` + "\n | "
	)
	conditions := func(p *mpol) { p.Spec.MatchConditions = []registrationv1.MatchCondition{condition("", latest)} }
	withVariable := func(p *mpol) { p.Spec.Variables = []registrationv1.Variable{variable("a", latest)} }
	return []updateCase{
		{row{"mutating policy, nothing changes", "what is valid stays so"}, mutating(), mutating(), ""},
		{row{"mutating policy, same conditions", "they are left alone"}, mutating(conditions), mutating(conditions), ""},
		{row{"mutating policy, other params", "they are looked at, and the expression is known"}, mutating(conditions),
			mutating(conditions, func(p *mpol) { p.Spec.ParamKind = configMap() }), `spec.matchConditions[0].name: Required value`},
		{row{"mutating policy, new conditions", "not known"}, mutating(), mutating(conditions),
			list(`spec.matchConditions[0].expression: `+refused, `spec.matchConditions[0].name: Required value`)},
		{row{"stored apply configuration", "known from the old policy"}, changing(applying(object)), changing(applying(object)), ""},
		{row{"new apply configuration", "not known"}, mutating(), changing(applying(object)),
			`spec.mutations[0].applyConfiguration.expression: Invalid value: "` + object + `": ` + text + object + "\n | ............^"},
		{row{"stored patch", "the server looks for it among the apply configurations"}, changing(patching(patch)), changing(patching(patch)),
			`spec.mutations[0].jsonPatch.expression: Invalid value: "` + patch + `": ` + text + patch + "\n | ............^"},
		{row{"patch that was an apply configuration", "that is where the server looks"}, changing(applying(patch)), changing(patching(patch)), ""},
		{row{"stored variable of a mutating policy", "the server forgets it"}, mutating(withVariable), mutating(withVariable), `spec.variables[0].expression: ` + refused},
		{row{"old mutation without a patch", "it has no expression"}, changing(registrationv1.Mutation{}), mutating(), ""},
	}
}

func bindingUpdates() []updateCase {
	named := func(name string) *vapb { return validatingBound(func(b *vapb) { b.Spec.PolicyName = name }) }
	acting := func(a ...registrationv1.ValidationAction) *vapb {
		return validatingBound(func(b *vapb) { b.Spec.ValidationActions = a })
	}
	const function = `spec.validationActions: Required value: at least one validation action is required`
	return []updateCase{
		{row{"binding, nothing changes", "what is valid stays so"}, validatingBound(), validatingBound(), ""},
		{row{"mutating binding, nothing changes", "what is valid stays so"}, mutatingBound(), mutatingBound(), ""},
		{row{"binding as wrong as before", "a tag does not look at what is unchanged; the function does"}, acting(), acting(), function},
		{row{"binding that loses its actions", "the tag decides"}, validatingBound(), acting(), `spec.validationActions: Required value`},
		{row{"empty list of actions", "it is equal to an absent one"}, acting(), acting([]registrationv1.ValidationAction{}...), function},
		{row{"other policy", "it may change"}, named("a"), named("b"), ""},
		{row{"binding as nameless as before", "the function is first, where a tag would be last"}, named(""),
			validatingBound(func(b *vapb) { b.Spec.PolicyName, b.Spec.ParamRef = "", &registrationv1.ParamRef{Name: "a"} }),
			list(`spec.policyName: Required value`, `spec.paramRef.parameterNotFoundAction: Required value`)},
		{row{"binding that loses its policy", "the tag is last"}, named("a"),
			validatingBound(func(b *vapb) { b.Spec.PolicyName, b.Spec.ParamRef = "", &registrationv1.ParamRef{Name: "a"} }),
			list(`spec.paramRef.parameterNotFoundAction: Required value`, `spec.policyName: Required value`)},
	}
}

// TestReservedNames refuses what TestUpdates accepts.
func TestReservedNames(t *testing.T) {
	t.Parallel()
	p := validating(func(p *vap) { p.Name = "p.static.k8s.io" })
	wantText(t, p, Validate(p), `metadata.name: Invalid value: "p.static.k8s.io"`+reserved)
}
