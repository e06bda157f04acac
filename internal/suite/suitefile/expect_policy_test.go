package suitefile_test

func policyRefusals() []refusal {
	at := func(fields string) string { return expecting("policies:\n    - " + fields + "\n") }
	const says = "(line 9): cases[0].expect.policies[0]."
	const only = "only for policies that are evaluated, but "
	return []refusal{
		{row{"policy without a name", "it is about one"}, at("{times: 1}"), says + "name: required", true},
		{row{"name of a policy", "POLICY/BINDING has one slash"}, at("name: a/b/c"),
			says + `name: "a/b/c": must be NAME or CONFIGURATION/NAME`, true},
		{row{"policy twice", "one entry is enough"}, expecting("policies:\n    - name: a\n    - name: a\n"),
			`(line 10): cases[0].expect.policies[1].name: "a": is a duplicate`, false},
		{row{"no evaluations", "evaluated: false says so"}, at("{name: a, times: 0}"), says + "times: 0: must be 1 or more", true},
		{row{"outcome of a webhook", "policies have others"}, at("{name: a, outcome: allowed}"),
			says + `outcome: "allowed": must be one of error, failed, passed, applied, skipped`, true},
		{row{"why of an evaluated policy", "there is no reason"}, at("{name: a, evaluated: true, why: a}"),
			says + "why: only for policies that are not evaluated, but evaluated is true", true},
		{row{"result of a policy that is not evaluated", "there is none"}, at("{name: a, evaluated: false, times: 1, outcome: passed, message: a}"),
			says + "times: " + only + "evaluated is false\n" + says + "outcome: " + only + "evaluated is false\n" + says + "message: " + only + "evaluated is false", true},
		{row{"result and why", "a why means that it is not evaluated"}, at("{name: a, why: a, outcome: passed}"),
			says + "outcome: " + only + "why is set, which is for policies that are not evaluated", true},
	}
}
