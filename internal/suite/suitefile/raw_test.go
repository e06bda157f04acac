package suitefile_test

func nullRefusals() []refusal {
	const (
		list  = "is null: write [] for none, or leave it out"
		value = "is null: give it a value, or leave it out"
	)
	at := "(line 8): cases[0].expect."
	webhook := "(line 9): cases[0].expect.webhooks[0]."
	policy := "(line 9): cases[0].expect.policies[0]."
	return []refusal{
		{row{"nulls for lists", "null is not an empty list"}, expecting("{warnings: , patch: , called: }\n"),
			at + "called: " + list + "\n" + at + "patch: " + list + "\n" + at + "warnings: " + list, true},
		{row{"nulls for values", "they are forgotten, and nothing is looked at"}, expecting("{allowed: , code: , message: , object: , golden: , webhooks: , rounds: , auditAnnotations: }\n"),
			at + "allowed: " + value + "\n" + at + "auditAnnotations: " + value + "\n" + at + "code: " + value + "\n" + at + "golden: " + value + "\n" +
				at + "message: " + value + "\n" + at + "object: " + value + "\n" + at + "rounds: " + value + "\n" + at + "webhooks: " + value, true},
		{row{"null for a reason", "an empty one is one"}, expecting("{reason: }\n"), at + `reason: is null: write "" for none, or leave it out`, true},
		{row{"nulls of a webhook", "they are as bad there"}, expecting("webhooks:\n- {name: a, called: , why: , times: , outcome: , patch: , warnings: , auditAnnotations: }\n"),
			webhook + "auditAnnotations: " + value + "\n" + webhook + "called: " + value + "\n" + webhook + "outcome: " + value + "\n" + webhook + "patch: " + list + "\n" +
				webhook + "times: " + value + "\n" + webhook + "warnings: " + list + "\n" + webhook + "why: " + value, true},
		{row{"nulls of a policy", "they are as bad there"}, expecting("policies:\n- {name: p, evaluated: , why: , times: , outcome: , message: }\n"),
			policy + "evaluated: " + value + "\n" + policy + "message: " + value + "\n" + policy + "outcome: " + value + "\n" +
				policy + "times: " + value + "\n" + policy + "why: " + value, true},
		{row{"null for the name of a policy", "it is one mistake"}, expecting("policies:\n- name:\n"), policy + "name: required", true},
		{row{"null for a policy", "it has no name"}, expecting("policies:\n-\n"), policy + "name: required", true},
		{row{"empty outcome of a policy", "no evaluation ends so"}, expecting("policies:\n- {name: p, outcome: ''}\n"),
			policy + `outcome: "": must be one of error, failed, passed, applied, skipped`, true},
		{row{"null for the name of a webhook", "it is one mistake"}, expecting("webhooks:\n- name:\n"), webhook + "name: required", true},
		{row{"null for a warning", "it would match all of them"}, expecting("warnings:\n- a\n-\n"),
			"(line 10): cases[0].expect.warnings[1]: is null: write a regular expression", true},
		{row{"empty outcome", "no call ends so"}, expecting("webhooks:\n- {name: a, outcome: ''}\n"),
			webhook + `outcome: "": must be one of allowed, rejected, failed closed, failed open, canceled, internal error, panicked`, true},
	}
}
