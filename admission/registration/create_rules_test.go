package registration

import registrationv1 "k8s.io/api/admissionregistration/v1"

// createRules are the rows about rules and failurePolicy.
func createRules() []createCase {
	const (
		operation   = `webhooks[0].rules[0].operations`
		atResources = `webhooks[0].rules[0].resources`
		supported   = `: supported values: "*", "CONNECT", "CREATE", "DELETE", "UPDATE"`
		required    = operation + `: Required value`
		second      = `webhooks[0].rules[1].operations: Required value`
		alone       = `if '*' is present, must not specify other operations`
		plain       = `if '*' is present, must not specify other resources without subresources`
		underA      = atResources + `[1]: Invalid value: "a/x": if 'a/*' is present, must not specify a/x`
		anyA        = atResources + `[1]: Invalid value: "x/a": if '*/a' is present, must not specify x/a`
		covered     = atResources + `: Invalid value: ["*/*","a"]: if '*/*' is present, must not specify other resources`
		policy      = `webhooks[0].failurePolicy: Unsupported value: "other": supported values: "Fail", "Ignore"`
	)
	return []createCase{
		{row{"9 no operations", "R-022: a rule without operations would never match; empty and absent are the same"},
			hooks(bare(operations([]registrationv1.OperationType{}...), operations())),
			required + ", " + second, list(required, second, effectsRequired)},
		{row{"10 empty operation", "R-022: the name of none"},
			hooks(bare(operations("CREATE", ""))), `Unsupported value: ""`,
			list(operation+`[1]: Unsupported value: ""`+supported, effectsRequired)},
		{row{"11 unknown operation", "R-022: a verb of HTTP is not one of admission"},
			hooks(bare(operations("PATCH"))), `Unsupported value: "PATCH"`,
			list(operation+`[0]: Unsupported value: "PATCH"`+supported, effectsRequired)},
		{row{"12 all and one operation", "R-022: one of the two is not meant"},
			hooks(bare(operations("CREATE", "*"))), alone,
			list(operation+`: Invalid value: ["CREATE","*"]: `+alone, effectsRequired)},
		{row{"13 wildcards that do not overlap", "R-025: plain resources, and subresources by either part"},
			hooks(fine(resources("*", "a/b", "a/*", "*/b"))), "", ""},
		{row{"14 all and one plain resource", "R-025: the second is covered"},
			hooks(bare(resources("*", "a"))), plain,
			list(atResources+`: Invalid value: ["*","a"]: `+plain, effectsRequired)},
		{row{"15 subresource after all of them", "R-025: the second is covered"},
			hooks(bare(resources("a/*", "a/x"))), underA, list(underA, effectsRequired)},
		{row{"16 resource after its subresources", "R-025: a/* does not cover a"},
			hooks(fine(resources("a/*", "a"))), "", ""},
		{row{"17 subresource after that of all", "R-025: the second is covered"},
			hooks(bare(resources("*/a", "x/a"))), anyA, list(anyA, effectsRequired)},
		{row{"18 everything and one", "R-025: */* covers all; the list prints as JSON"},
			hooks(bare(resources("*/*", "a"))), covered, list(covered, effectsRequired)},
		{row{"19 other failurePolicy", "R-027: the list of what is known"},
			hooks(bare(func(w *hook) { w.FailurePolicy = new(registrationv1.FailurePolicyType("other")) })),
			policy, list(policy, effectsRequired)},
	}
}
