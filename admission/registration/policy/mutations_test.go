package policy

import (
	"testing"

	registrationv1 "k8s.io/api/admissionregistration/v1"

	"example.com/gatehouse/internal/testutil/testtable"
)

// mutationCase is a mutating policy that is created.
type mutationCase struct {
	row
	given *mpol
	want  string
}

// changing is a policy with these mutations.
func changing(m ...registrationv1.Mutation) *mpol {
	return mutating(func(p *mpol) { p.Spec.Mutations = m })
}

func TestMutatingPolicies(t *testing.T) {
	t.Parallel()
	testtable.Run(t, append(mutationCases(), patchCases()...), func(t *testing.T, tc mutationCase) {
		wantText(t, tc.given, Validate(tc.given), tc.want)
		for _, version := range oldVersions() {
			o := asVersion(t, tc.given, version)
			wantText(t, o, Validate(o), tc.want)
		}
	})
}

func mutationCases() []mutationCase {
	const (
		at     = `spec.mutations[0]`
		policy = `spec.reinvocationPolicy: `
	)
	both := patching("[JSONPatch{}]")
	both.ApplyConfiguration = &registrationv1.ApplyConfiguration{}
	other := applying("Object{}")
	other.JSONPatch = &registrationv1.JSONPatch{}
	typed := func(patchType registrationv1.PatchType) registrationv1.Mutation {
		return registrationv1.Mutation{PatchType: patchType}
	}
	return []mutationCase{
		{row{"valid", "nothing is missing"}, mutating(), ""},
		{row{"no failurePolicy", "Default sets it; a caller may forget to call it"},
			mutating(func(p *mpol) { p.Spec.FailurePolicy = nil }), `spec.failurePolicy: Required value`},
		{row{"other failurePolicy", "the two are listed"},
			mutating(func(p *mpol) { p.Spec.FailurePolicy = new(registrationv1.FailurePolicyType("x")) }),
			`spec.failurePolicy: Unsupported value: "x": supported values: "Fail", "Ignore"`},
		{row{"no mutations", "it would do nothing"}, changing(), `spec.mutations: Required value: mutations must contain at least one item`},
		{row{"no patchType", "it cannot be guessed"}, changing(typed("")), at + `.patchType: Required value`},
		{row{"other patchType", "the two are listed"}, changing(typed("x")),
			at + `.patchType: Unsupported value: "x": supported values: "ApplyConfiguration", "JSONPatch"`},
		{row{"no jsonPatch", "the type requires it"}, changing(typed("JSONPatch")), at + `.jsonPatch: Required value: must be specified when patchType is JSONPatch`},
		{row{"no applyConfiguration", "the type requires it"}, changing(typed("ApplyConfiguration")),
			at + `.applyConfiguration: Required value: must be specified when patchType is ApplyConfiguration`},
		{row{"applyConfiguration beside a patch", "its expression is not looked at"}, changing(both),
			at + `.applyConfiguration: Invalid value: "{applyConfiguration}": must not be specified when patchType is JSONPatch`},
		{row{"patch beside an applyConfiguration", "its expression is not looked at"}, changing(other),
			at + `.jsonPatch: Invalid value: "{jsonPatch}": must not be specified when patchType is ApplyConfiguration`},
		{row{"no reinvocationPolicy", "there is no default"}, mutating(func(p *mpol) { p.Spec.ReinvocationPolicy = "" }), policy + `Required value`},
		{row{"IfNeeded", "the other reinvocationPolicy"},
			mutating(func(p *mpol) { p.Spec.ReinvocationPolicy = registrationv1.IfNeededReinvocationPolicy }), ""},
		{row{"other reinvocationPolicy", "the two are listed"}, mutating(func(p *mpol) { p.Spec.ReinvocationPolicy = "x" }),
			policy + `Unsupported value: "x": supported values: "IfNeeded", "Never"`},
		{row{"all of a policy", "the order of its errors"}, mutating(func(p *mpol) {
			p.Spec = registrationv1.MutatingAdmissionPolicySpec{
				ParamKind: &registrationv1.ParamKind{APIVersion: "v1"},
				MatchConstraints: matching(func(m *registrationv1.MatchResources) {
					m.MatchPolicy, m.ResourceRules = nil, rules(rule(operations("DELETE")))
				}),
				MatchConditions: []registrationv1.MatchCondition{{}}, Variables: []registrationv1.Variable{{}},
			}
		}), list(`spec.failurePolicy: Required value`, `spec.paramKind.kind: Required value`, `spec.matchConstraints.matchPolicy: Required value`,
			`spec.matchConstraints.resourceRules.operations: Unsupported value: "DELETE": supported values: "*", "CONNECT", "CREATE", "UPDATE"`,
			`spec.matchConditions[0].expression: Required value`, `spec.matchConditions[0].name: Required value`,
			`spec.variables[0].name: Required value: name is not specified`, `spec.variables[0].expression: Required value: expression is not specified`,
			`spec.mutations: Required value: mutations must contain at least one item`, policy+`Required value`)},
	}
}

func patchCases() []mutationCase {
	const (
		patch   = `spec.mutations[0].jsonPatch.expression: `
		apply   = `spec.mutations[0].applyConfiguration.expression: `
		invalid = `Invalid value: `
	)
	withParams := func(m ...registrationv1.Mutation) *mpol {
		p := changing(m...)
		p.Spec.ParamKind = configMap()
		return p
	}
	withVariable := func(m registrationv1.Mutation) *mpol {
		p := changing(m)
		p.Spec.Variables = []registrationv1.Variable{variable("a", "'b'")}
		return p
	}
	return []mutationCase{
		{row{"jsonPatch", "a list of operations"}, changing(patching(`[JSONPatch{op: "add", path: "/a/" + jsonpatch.escapeKey("b/c"), value: 1}]`)), ""},
		{row{"empty list", "it has any type"}, changing(patching("[]")), patch + invalid + `"[]": must evaluate to list(JSONPatch) but got list(dyn)`},
		{row{"blank jsonPatch", "it could not be evaluated"}, changing(patching(" \t")), patch + `Required value`},
		{row{"no list of operations", "one operation is no list"}, changing(patching(` JSONPatch{op: "remove", path: "/a"}`)),
			patch + invalid + `"JSONPatch{op: \"remove\", path: \"/a\"}": must evaluate to list(JSONPatch) but got JSONPatch`},
		{row{"apply configuration", "fields have types by their names"}, changing(applying("Object{spec: Object.spec{a: 1}}")), ""},
		{row{"spaces around it", "they are not part of it, unlike in validations"}, changing(applying("\n Object{}\n")), ""},
		{row{"blank applyConfiguration", "it could not be evaluated"}, changing(applying("")), apply + `Required value`},
		{row{"a map", "no Object"}, changing(applying("{}")), apply + invalid + `"{}": must evaluate to Object but got map(dyn, dyn)`},
		{row{"the object itself", "its type is not known"}, changing(applying("object")), apply + invalid + `"object": must evaluate to Object but got dyn`},
		{row{"part of an object", "its type has another name"}, changing(applying("Object.spec{}")), apply + invalid + `"Object.spec{}": must evaluate to Object but got Object.spec`},
		{row{"syntax", "the compiler's text with its two lines of context"}, changing(applying("Object{")),
			apply + invalid + `"Object{": compilation failed: ERROR: <input>:1:8: Syntax error: mismatched input '<EOF>' expecting {'}', ',', '?', IDENTIFIER, ESC_IDENTIFIER}` +
				"\n | Object{\n | .......^"},
		{row{"params in a mutation", "declared with a paramKind"}, withParams(applying("params.a == 1 ? Object{} : Object{}")), ""},
		{row{"no params in a mutation", "not declared without a paramKind"}, changing(applying("params")),
			apply + invalid + `"params": ` + undeclared("params", "params")},
		{row{"authorizer in a mutation", "declared"},
			changing(applying("authorizer.path('/a').check('get').allowed() ? Object{} : Object{}")), ""},
		{row{"variable in a mutation", "declared, with its type"}, withVariable(patching("[JSONPatch{op: 'add', path: '/a', value: variables.a}]")), ""},
		{row{"variables without any", "declared without fields, unlike in a validating policy"}, changing(applying("variables.a")),
			apply + invalid + `"variables.a": compilation failed: ERROR: <input>:1:10: undefined field 'a'` + "\n | variables.a\n | .........^"},
		{row{"second mutation", "every mutation is looked at"}, changing(applying("Object{}"), patching("")),
			`spec.mutations[1].jsonPatch.expression: Required value`},
	}
}
