package policy

import (
	"fmt"
	"strings"
	"testing"

	registrationv1 "k8s.io/api/admissionregistration/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"example.com/gatehouse/internal/testutil/testtable"
)

// policyCase is a validating policy that is created.
type policyCase struct {
	row
	given *vap
	want  string
}

func TestValidatingPolicies(t *testing.T) {
	t.Parallel()
	rows := append(validationCases(), annotationCases()...)
	testtable.Run(t, append(rows, variableCases()...), func(t *testing.T, tc policyCase) {
		wantText(t, tc.given, Validate(tc.given), tc.want)
		for _, version := range oldVersions() {
			o := asVersion(t, tc.given, version)
			wantText(t, o, Validate(o), tc.want)
		}
	})
}

// checking is a policy with one validation.
func checking(v registrationv1.Validation, edits ...func(*vap)) *vap {
	return validating(append(edits, func(p *vap) { p.Spec.Validations = []registrationv1.Validation{v} })...)
}

func validationCases() []policyCase {
	const (
		at         = `spec.validations[0]`
		expression = at + `.expression: `
		message    = at + `.message: Invalid value: `
		oneItem    = `validations or auditAnnotations must contain at least one item`
		invalid    = `Invalid value: `
	)
	valid := func(expression string) registrationv1.Validation {
		return registrationv1.Validation{Expression: expression}
	}
	withMessage := func(text string) registrationv1.Validation {
		return registrationv1.Validation{Expression: "true", Message: text}
	}
	withMessageExpression := func(text string) registrationv1.Validation {
		return registrationv1.Validation{Expression: "true", MessageExpression: text}
	}
	params := func(p *vap) { p.Spec.ParamKind = configMap() }
	return []policyCase{
		{row{"valid", "nothing is missing"}, validating(), ""},
		{row{"no failurePolicy", "Default sets it; a caller may forget to call it"},
			validating(func(p *vap) { p.Spec.FailurePolicy = nil }), `spec.failurePolicy: Required value`},
		{row{"other failurePolicy", "the two are listed"},
			validating(func(p *vap) { p.Spec.FailurePolicy = new(registrationv1.FailurePolicyType("x")) }),
			`spec.failurePolicy: Unsupported value: "x": supported values: "Fail", "Ignore"`},
		{row{"neither validations nor annotations", "it would do nothing"}, validating(func(p *vap) { p.Spec.Validations = nil }),
			list(`spec.validations: Required value: `+oneItem, `spec.auditAnnotations: Required value: `+oneItem)},
		{row{"what is declared", "all variables of a validation"},
			checking(valid("object == oldObject || request.operation == 'CREATE' || namespaceObject == null || params == null || "+
				"authorizer.path('/a').check('get').allowed() || authorizer.requestResource.check('get').allowed()"), params), ""},
		{row{"blank expression", "it could not be evaluated"}, checking(valid(" \n")), expression + `Required value: expression is not specified`},
		{row{"spaces around an expression", "they remain, and count as columns"}, checking(valid(" x")),
			expression + invalid + `" x": compilation failed: ERROR: <input>:1:2: undeclared reference to 'x' (in container '')` + "\n |  x\n | .^"},
		{row{"no bool", "a validation holds or does not"}, checking(valid("1")), expression + invalid + `"1": must evaluate to bool but got int`},
		{row{"what may be a bool", "must be one"}, checking(valid("object.a")), expression + invalid + `"object.a": must evaluate to bool but got dyn`},
		{row{"params without a paramKind", "not declared"}, checking(valid("params")), expression + invalid + `"params": ` + undeclared("params", "params")},
		{row{"variables without any", "not declared, unlike in a mutating policy"}, checking(valid("variables")),
			expression + invalid + `"variables": ` + undeclared("variables", "variables")},
		{row{"types of patches", "declared for mutations only"}, checking(valid("Object{} == null")),
			expression + invalid + `"Object{} == null": compilation failed: ERROR: <input>:1:7: undeclared reference to 'Object' (in container '')` + "\n | Object{} == null\n | ......^"},
		{row{"a feature of this version", "the version before may share the storage"}, checking(valid("[1].includes(1)")),
			expression + invalid + `"[1].includes(1)": compilation failed: ERROR: <input>:1:13: undeclared reference to 'includes' (in container '')` + "\n | [1].includes(1)\n | ............^"},
		{row{"messageExpression", "a string"}, checking(withMessageExpression("'a' + string(object.a)")), ""},
		{row{"no string", "a message is one"}, checking(withMessageExpression("1")),
			at + `.messageExpression: ` + invalid + `"1": must evaluate to string but got int`},
		{row{"blank messageExpression", "absent is allowed, blank is not"}, checking(withMessageExpression(" ")),
			at + `.messageExpression: ` + invalid + `" ": must be non-empty if specified`},
		{row{"authorizer in a message", "not declared"}, checking(withMessageExpression("authorizer")),
			at + `.messageExpression: ` + invalid + `"authorizer": ` + undeclared("authorizer", "authorizer")},
		{row{"params in a message", "declared with a paramKind"}, checking(withMessageExpression("string(params.a)"), params), ""},
		{row{"blank message", "absent is allowed, blank is not"}, checking(withMessage(" ")), message + `" ": must be non-empty if specified`},
		{row{"line break", "a message is one line"}, checking(withMessage("a\nb")), message + `"a\nb": must not contain line breaks`},
		{row{"carriage return", "it breaks lines too"}, checking(withMessage("a\rb")), message + `"a\rb": must not contain line breaks`},
		{row{"line break at the end", "it is not part of the message"}, checking(withMessage("\na\n")), ""},
		{row{"reason", "one of three"}, checking(registrationv1.Validation{Expression: "true", Reason: new(metav1.StatusReasonForbidden)}), ""},
		{row{"other reason", "one of three"}, checking(registrationv1.Validation{Expression: "true", Reason: new(metav1.StatusReasonUnauthorized)}),
			at + `.reason: Unsupported value: "Unauthorized": supported values: "Forbidden", "Invalid", "RequestEntityTooLarge"`},
		{row{"all of a validation", "the order of its errors"},
			checking(registrationv1.Validation{MessageExpression: " ", Message: " ", Reason: new(metav1.StatusReason(""))}), list(
				expression+`Required value: expression is not specified`, at+`.messageExpression: `+invalid+`" ": must be non-empty if specified`,
				message+`" ": must be non-empty if specified`,
				at+`.reason: Unsupported value: "": supported values: "Forbidden", "Invalid", "RequestEntityTooLarge"`)},
		{row{"all of a policy", "the order of its errors"}, validating(func(p *vap) {
			p.Spec = registrationv1.ValidatingAdmissionPolicySpec{
				ParamKind:       &registrationv1.ParamKind{APIVersion: "v1"},
				MatchConditions: []registrationv1.MatchCondition{condition("", "")}, Variables: []registrationv1.Variable{{}},
				Validations: []registrationv1.Validation{{}}, AuditAnnotations: []registrationv1.AuditAnnotation{{Key: "a"}},
			}
		}), list(`spec.failurePolicy: Required value`, `spec.paramKind.kind: Required value`, `spec.matchConstraints: Required value`,
			`spec.matchConditions[0].expression: Required value`, `spec.matchConditions[0].name: Required value`,
			`spec.variables[0].name: Required value: name is not specified`, `spec.variables[0].expression: Required value: expression is not specified`,
			`spec.validations[0].expression: Required value: expression is not specified`,
			`spec.auditAnnotations[0].valueExpression: Required value: valueExpression is not specified`)},
	}
}

// annotating is a policy with audit annotations and no validations.
func annotating(a ...registrationv1.AuditAnnotation) *vap {
	return validating(func(p *vap) { p.Spec.Validations, p.Spec.AuditAnnotations = nil, a })
}

// annotations returns n annotations to which nothing is missing.
func annotations(n int) []registrationv1.AuditAnnotation {
	var all []registrationv1.AuditAnnotation
	for i := range n {
		all = append(all, registrationv1.AuditAnnotation{Key: fmt.Sprint("k", i), ValueExpression: "''"})
	}
	return all
}

func annotationCases() []policyCase {
	const (
		key   = `spec.auditAnnotations[0].key: Invalid value: `
		value = `spec.auditAnnotations[0].valueExpression: `
	)
	annotation := func(key, value string) registrationv1.AuditAnnotation {
		return registrationv1.AuditAnnotation{Key: key, ValueExpression: value}
	}
	long := "'" + strings.Repeat("a", maxValueExpression-2) + "'"
	many := annotations(21)
	var shown []string
	for _, a := range many {
		shown = append(shown, `{"Key":"`+a.Key+`","ValueExpression":"''"}`)
	}
	return []policyCase{
		{row{"annotation alone", "it needs no validation"}, annotating(annotation("a", "'a'")), ""},
		{row{"null", "there is no annotation then"}, annotating(annotation("a", "null")), ""},
		{row{"neither string nor null", "the types are listed as Go prints them"}, annotating(annotation("a", " 1")),
			value + `Invalid value: " 1": must evaluate to one of [string null_type] but got int`},
		{row{"blank value", "it could not be evaluated"}, annotating(annotation("a", " ")), value + `Required value: valueExpression is not specified`},
		{row{"5 KiB", "the limit itself"}, annotating(annotation("a", " "+long+" ")), ""},
		{row{"more than 5 KiB", "reported as missing"}, annotating(annotation("a", long+"+''")), value + `Required value: must not exceed 5120 bytes in length`},
		{row{"bad key", "the value is the whole name"}, annotating(annotation("-", "''")), key + `"config/-": ` + qualifiedRule},
		{row{"key with a slash", "the name of the policy is the prefix"}, annotating(annotation("a/b", "''")),
			key + `"config/a/b": a valid label key must consist of alphanumeric characters, '-', '_' or '.', and must start and end with an ` +
				`alphanumeric character (e.g. 'MyName',  or 'my.name',  or '123-abc', regex used for validation is '([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9]') ` +
				`with an optional DNS subdomain prefix and '/' (e.g. 'example.com/MyName')`},
		{row{"key twice", "the second would replace the first"}, annotating(annotation("a", "''"), annotation("a", "''")),
			`spec.auditAnnotations[1].key: Duplicate value: "a"`},
		{row{"20 annotations", "the limit itself"}, annotating(annotations(20)...), ""},
		{row{"21 annotations", "the value has the names of the server's own type"}, annotating(many...),
			`spec.auditAnnotations: Invalid value: [` + strings.Join(shown, ",") + `]: must not have more than 20 auditAnnotations`},
		{row{"authorizer in an annotation", "declared, unlike in a message"}, annotating(annotation("a", "string(authorizer.path('/a').check('get').allowed())")), ""},
		{row{"name that is generated", "the suffix is random; here it is zeros"}, validating(func(p *vap) {
			p.ObjectMeta = metav1.ObjectMeta{GenerateName: "p-"}
			p.Spec.AuditAnnotations = []registrationv1.AuditAnnotation{annotation("-", "''")}
		}), key + `"p-00000/-": ` + qualifiedRule},
		{row{"no name", "there is no prefix for the key"}, validating(func(p *vap) {
			p.Name, p.Spec.AuditAnnotations = "", []registrationv1.AuditAnnotation{annotation("a", "''")}
		}), list(`metadata.name: Required value: name or generateName is required`, key+`"a": requires metadata.name be non-empty`)},
	}
}

// varying is a policy with variables and one validation.
func varying(expression string, v ...registrationv1.Variable) *vap {
	return checking(registrationv1.Validation{Expression: expression}, func(p *vap) { p.Spec.Variables = v })
}

func variable(name, expression string) registrationv1.Variable {
	return registrationv1.Variable{Name: name, Expression: expression}
}

func variableCases() []policyCase {
	const (
		name       = `spec.variables[0].name: `
		expression = `spec.variables[0].expression: `
		validation = `spec.validations[0].expression: Invalid value: `
		notOne     = `must be a valid CEL identifier`
	)
	return []policyCase{
		{row{"variables", "each sees those before it, and validations see all"},
			varying("variables.b", variable("a", "object.a == 1"), variable("b", "variables.a")), ""},
		{row{"variable after its use", "the order counts"}, varying("true", variable("b", "variables.a"), variable("a", "1")),
			expression + `Invalid value: "variables.a": compilation failed: ERROR: <input>:1:10: undefined field 'a'` + "\n | variables.a\n | .........^"},
		{row{"type of a variable", "it is known in validations"}, varying("variables.a", variable("a", "1")),
			validation + `"variables.a": must evaluate to bool but got int`},
		{row{"name twice", "the type of the last one counts"}, varying("variables.a", variable("a", "1"), variable("a", "true")), ""},
		{row{"bad variable", "it is declared all the same, with any type"}, varying("variables.a == 1", variable("a", "x")),
			expression + `Invalid value: "x": ` + undeclared("x", "x")},
		{row{"blank variable", "both are required"}, varying("true", variable(" ", "\t")),
			list(name+`Required value: name is not specified`, expression+`Required value: expression is not specified`)},
		{row{"blank expression is no variable", "it is not declared"}, varying("variables.a", variable("a", "")),
			list(expression+`Required value: expression is not specified`,
				validation+`"variables.a": compilation failed: ERROR: <input>:1:10: undefined field 'a'`+"\n | variables.a\n | .........^")},
		{row{"number first", "no identifier"}, varying("true", variable("1a", "1")), name + `Invalid value: "1a": ` + notOne},
		{row{"dot", "no identifier"}, varying("true", variable("a.b", "1")), name + `Invalid value: "a.b": ` + notOne},
		{row{"reserved word", "no identifier"}, varying("true", variable("namespace", "1")), name + `Invalid value: "namespace": ` + notOne},
		{row{"identifier", "letters, digits and underscores"}, varying("true", variable("_a1_B", "1")), ""},
		{row{"params in a variable", "not declared without a paramKind"}, varying("true", variable("a", "params")),
			expression + `Invalid value: "params": ` + undeclared("params", "params")},
	}
}

// conditionsCase are matchConditions of either policy.
type conditionsCase struct {
	row
	params bool
	given  []registrationv1.MatchCondition
	want   string
}

func TestConditions(t *testing.T) {
	t.Parallel()
	const at = `spec.matchConditions[0]`
	many := make([]registrationv1.MatchCondition, 65)
	for i := range many {
		many[i] = condition(fmt.Sprint("c", i), "true")
	}
	testtable.Run(t, []conditionsCase{
		{row{"valid", "a name and a bool"}, false, []registrationv1.MatchCondition{condition("a.example.com/b", " true\n")}, ""},
		{row{"nothing", "the rule of a webhook applies"}, false, []registrationv1.MatchCondition{{}},
			list(at+`.expression: Required value`, at+`.name: Required value`)},
		{row{"name twice", "the rule of a webhook applies"}, false, []registrationv1.MatchCondition{condition("a", "true"), condition("a", "true")},
			`spec.matchConditions[1].name: Duplicate value: "a"`},
		{row{"65", "the rule of a webhook applies"}, false, many, `spec.matchConditions: Too many: 65: must have at most 64 items`},
		{row{"params", "declared with a paramKind"}, true, []registrationv1.MatchCondition{condition("a", "params.a == 1")}, ""},
		{row{"no params", "not declared without a paramKind"}, false, []registrationv1.MatchCondition{condition("a", " params")},
			at + `.expression: Invalid value: "params": ` + undeclared("params", "params")},
		{row{"variables", "not declared, though the policy has one"}, false, []registrationv1.MatchCondition{condition("a", "variables")},
			at + `.expression: Invalid value: "variables": ` + undeclared("variables", "variables")},
	}, func(t *testing.T, tc conditionsCase) {
		vars := []registrationv1.Variable{variable("v", "1")}
		p := validating(func(p *vap) { p.Spec.MatchConditions, p.Spec.Variables = tc.given, vars })
		m := mutating(func(p *mpol) { p.Spec.MatchConditions, p.Spec.Variables = tc.given, vars })
		if tc.params {
			p.Spec.ParamKind, m.Spec.ParamKind = configMap(), configMap()
		}
		wantText(t, p, Validate(p), tc.want)
		wantText(t, m, Validate(m), tc.want)
	})
}
