package registration

import (
	"testing"

	registrationv1 "k8s.io/api/admissionregistration/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"example.com/gatehouse/internal/testutil/testtable"
)

func rulesOfPolicies() []ruleCase {
	failure := func(p registrationv1.FailurePolicyType) edit {
		return func(w *hook) { w.FailurePolicy = &p }
	}
	match := func(p registrationv1.MatchPolicyType) edit {
		return func(w *hook) { w.MatchPolicy = &p }
	}
	const at = `webhooks[0].`
	return []ruleCase{
		{row{"fail", "R-027: known"}, hooks(fine(failure("Fail"))), ""},
		{row{"ignore", "R-027: known"}, hooks(fine(failure("Ignore"))), ""},
		{row{"empty failurePolicy", "R-027: present but empty is not absent"}, hooks(fine(failure(""))),
			at + `failurePolicy: Unsupported value: "": supported values: "Fail", "Ignore"`},
		{row{"exact", "R-027: known"}, hooks(fine(match("Exact"))), ""},
		{row{"equivalent", "R-027: known"}, hooks(fine(match("Equivalent"))), ""},
		{row{"other matchPolicy", "R-027: in alphabetical order; policies print as JSON"}, hooks(fine(match("<other>"))),
			at + `matchPolicy: Unsupported value: "\u003cother\u003e": supported values: "Equivalent", "Exact"`},
		{row{"no side effects on dry run", "R-028: the other class that can be created"}, hooks(bare(effects("NoneOnDryRun"))), ""},
		{row{"some side effects", "R-028: only old webhooks may"}, hooks(bare(effects("Some"))),
			at + `sideEffects: Unsupported value: "Some": supported values: "None", "NoneOnDryRun"`},
		{row{"both versions", "R-037: in either order"}, hooks(fine(versions("v1beta1", "v1"))), ""},
		{row{"empty version of the review", "R-037: no label; the second one is a duplicate only"}, hooks(fine(versions("v1", "", ""))),
			list(at+`admissionReviewVersions[1]: Invalid value: "": `+labelRule, at+`admissionReviewVersions[2]: Invalid value: "": duplicate version`)},
		{row{"all policies", "R-027 to R-029 and R-037: in this order"},
			hooks(bare(failure("a"), match("b"), effects("c"), timeout(99), versions())), list(
				at+`failurePolicy: Unsupported value: "a": supported values: "Fail", "Ignore"`,
				at+`matchPolicy: Unsupported value: "b": supported values: "Equivalent", "Exact"`,
				at+`sideEffects: Unsupported value: "c": supported values: "None", "NoneOnDryRun"`,
				at+`timeoutSeconds: Invalid value: 99: the timeout value must be between 1 and 30 seconds`,
				at+`admissionReviewVersions: Required value: must specify one of v1, v1beta1`)},
	}
}

func rulesOfSelectors() []ruleCase {
	const (
		at   = `webhooks[0].objectSelector.`
		expr = at + `matchExpressions[0].`
	)
	labels := func(key, value string) metav1.LabelSelector {
		return metav1.LabelSelector{MatchLabels: map[string]string{key: value}}
	}
	both := func(w *hook) {
		w.NamespaceSelector, w.ObjectSelector = new(requirement("a", "In")), new(requirement("b", "In"))
	}
	const noValues = "values: Required value: must be specified when `operator` is 'In' or 'NotIn'"
	return []ruleCase{
		{row{"labels", "R-030: a key with a prefix"}, hooks(fine(objects(labels("example.com/a", "b")))), ""},
		{row{"bad key of a label", "R-030: the key is not in the path"}, hooks(fine(objects(labels("-", "b")))),
			at + `matchLabels: Invalid value: "-": ` + qualifiedRule},
		{row{"bad value of a label", "R-030: nor is the key of a value"}, hooks(fine(objects(labels("a", "b b")))),
			at + `matchLabels: Invalid value: "b b": ` + labelValueRule},
		{row{"expression", "R-030: with values"}, hooks(fine(objects(requirement("a", "NotIn", "b", "")))), ""},
		{row{"existence", "R-030: without values"}, hooks(fine(objects(requirement("a", "Exists")))), ""},
		{row{"no values", "R-030: it could select nothing"}, hooks(fine(objects(requirement("a", "In")))), expr + noValues},
		{row{"values for existence", "R-030: they would be ignored"}, hooks(fine(objects(requirement("a", "DoesNotExist", "b")))),
			expr + "values: Forbidden: may not be specified when `operator` is 'Exists' or 'DoesNotExist'"},
		{row{"operator", "R-030: names are exact"}, hooks(fine(objects(requirement("a", "in", "b")))),
			expr + `operator: Invalid value: "in": not a valid selector operator`},
		{row{"value of an expression", "R-030: a label value"}, hooks(fine(objects(requirement("a", "In", "b", "-")))),
			expr + `values[1]: Invalid value: "-": ` + labelValueRule},
		{row{"both selectors", "R-030: that of the namespace first"}, hooks(fine(both)),
			list(`webhooks[0].namespaceSelector.matchExpressions[0].`+noValues, expr+noValues)},
	}
}

// TestReinvocationPolicy is about the one field that only mutating webhooks
// have, and its place between its neighbours.
func TestReinvocationPolicy(t *testing.T) {
	t.Parallel()
	policy := func(p registrationv1.ReinvocationPolicyType) edit {
		return func(w *hook) { w.ReinvocationPolicy = &p }
	}
	const unsupported = `webhooks[0].reinvocationPolicy: Unsupported value: "Always": supported values: "IfNeeded", "Never"`
	testtable.Run(t, []ruleCase{
		{row{"never", "R-031: known"}, hooks(fine(policy("Never"))), ""},
		{row{"if needed", "R-031: known"}, hooks(fine(policy("IfNeeded"))), ""},
		{row{"always", "R-031: there is no such policy"}, hooks(fine(policy("Always"))), unsupported},
		{row{"between its neighbours", "R-031: after the selectors, before the client"},
			hooks(fine(policy("Always"), objects(requirement("a", "Near")), toURL("http://a"))), list(
				`webhooks[0].objectSelector.matchExpressions[0].operator: Invalid value: "Near": not a valid selector operator`, unsupported,
				`webhooks[0].clientConfig.url: Invalid value: "http": 'https' is the only allowed URL scheme; desired format: https://host[/path]`)},
	}, func(t *testing.T, tc ruleCase) {
		mutating := bothKinds(config(), tc.given)[0]
		wantText(t, mutating, Validate(mutating), tc.want)
	})
}
