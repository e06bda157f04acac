package expect_test

import "testing"

func TestCheckWebhooks(t *testing.T) {
	t.Parallel()
	check(t, []checkCase{
		{row{"called", "which is what is expected if nothing else is said"}, "", nil, `{webhooks: [{name: labels.example.com}]}`, nil},
		{row{"not called", "the reason is what is missing"}, "", nil, `{webhooks: [{name: labels.example.com}, {name: mesh.example.com, outcome: allowed, times: 2}]}`,
			[]string{"webhooks[1].called: want true, got false: mesh.example.com was not called: " + unlabeled}},
		{row{"called nevertheless", "the rest would only repeat it"}, "", nil, `{webhooks: [{name: labels.example.com, why: rules}]}`,
			[]string{"webhooks[0].called: want false, got true: labels.example.com was called"}},
		{row{"no times", "another way to say that it is not called"}, "", nil, `{webhooks: [{name: mesh.example.com, times: 0}]}`, nil},

		{row{"why", "the stage comes first"}, "", nil, `{webhooks: [{name: mesh.example.com, why: "^objectSelector: .* mesh=on"}]}`, nil},
		{row{"another reason", "a webhook that is not called for another reason is a mistake waiting to be made"}, "", nil,
			`{webhooks: [{name: mesh.example.com, why: "^rules:"}]}`,
			[]string{`webhooks[0].why: want one that matches "^rules:", got "` + unlabeled + `"`}},
		{row{"condition", "its name is in the reason"}, "", nil,
			`{webhooks: [{name: team/policy.example.com, why: 'matchConditions: .*"strict" is false'}]}`, nil},

		{row{"not reached", "a denial ends it all"}, "early no", nil,
			`{allowed: false, webhooks: [{name: mesh.example.com, why: '^not reached: .*labels.example.com: rejected$'}, {name: company/policy.example.com, why: "^not reached: "}]}`, nil},
		{row{"ended by a denial", "the sentence names who ended it"}, "early no", nil, `{allowed: false, called: [labels.example.com, team/policy.example.com]}`,
			[]string{"called: want team/policy.example.com, which is not called: not reached: the request ended with labels.example.com: rejected"}},
		{row{"ended by matching", "a condition that fails ends it before any call of the phase"}, "", []string{"strict", ""},
			`{allowed: false, called: [labels.example.com, company/policy.example.com]}`,
			[]string{"called: want company/policy.example.com, which is not called: not reached: the request ended when team/policy.example.com was matched"}},
		{row{"error of matching", "the reason is the error"}, "", []string{"strict", ""},
			`{allowed: false, webhooks: [{name: team/policy.example.com, why: "^matchConditions: .*no such key: strict"}]}`, nil},

		{row{"reinvoked", "it is called for what came after it"}, "", []string{"mesh", "on"},
			`{rounds: 2, webhooks: [{name: labels.example.com, times: 2}, {name: mesh.example.com, times: 1}]}`, nil},
		{row{"called once", "the reason is why it was not called again"}, "", []string{"mesh", "on"}, `{rounds: 1, webhooks: [{name: mesh.example.com, times: 2}]}`,
			[]string{"webhooks[0].times: want 2, got 1: reinvocation: its reinvocationPolicy is not IfNeeded", "rounds: want 1, got 2"}},
		{row{"called too often", "there is no reason to give"}, "", []string{"mesh", "on"}, `{webhooks: [{name: labels.example.com, times: 1}]}`,
			[]string{"webhooks[0].times: want 1, got 2"}},
		{row{"once is enough", "validating webhooks are never asked again"}, "", nil, `{webhooks: [{name: company/policy.example.com, times: 2}]}`,
			[]string{"webhooks[0].times: want 2, got 1"}},

		{row{"outcome", "how its last call ends"}, "no", nil, `{allowed: false, webhooks: [{name: company/policy.example.com, outcome: rejected}]}`, nil},
		{row{"another outcome", "the error says more"}, "broken", nil, `{allowed: false, webhooks: [{name: company/policy.example.com, outcome: rejected}]}`,
			[]string{"webhooks[0].outcome: want \"rejected\", got \"failed closed\": " +
				`failed calling webhook "policy.example.com": failed to call webhook: an error on the server ("broken") has prevented the request from succeeding`}},
		{row{"remarks", "with the webhook's own keys"}, "", nil,
			`{webhooks: [{name: labels.example.com, warnings: [team], auditAnnotations: {team: guessed, other: null}, patch: [{op: add, path: /metadata/labels/team}]}]}`, nil},
		{row{"other remarks", "they are those of this webhook alone"}, "", nil,
			`{webhooks: [{name: company/policy.example.com, warnings: [team], auditAnnotations: {team: guessed}, patch: [{op: add, path: /x}]}]}`, []string{
				"webhooks[0].patch: want 1 operation, got 0", "webhooks[0].warnings: want 1, got 0",
				`webhooks[0].auditAnnotations: team: want one that matches "guessed", but it is absent`}},
	})
}
