package expect_test

import (
	"testing"

	"example.com/gatehouse/admission"
)

// TestCheckFailed has policies that answer nothing of use.
func TestCheckFailed(t *testing.T) {
	t.Parallel()
	const (
		failing = `failed calling webhook "policy.example.com": failed to call webhook: ` + broken
		company = "webhooks: company/policy.example.com failed closed, which is not expected: " + failing + "; outcome: failed closed would expect it"
		team    = "webhooks: team/policy.example.com failed closed, which is not expected: " + failing + "; outcome: failed closed would expect it"
	)
	both := []string{"strict", "yes"}
	check(t, []checkCase{
		{row{"denial", "a webhook that cannot be reached is none that says no"}, "broken", nil, `{allowed: false}`, []string{company}},
		{row{"called", "it was, but was not heard"}, "broken", nil,
			`{allowed: false, called: [labels.example.com, company/policy.example.com], webhooks: [{name: company/policy.example.com, times: 1}]}`, []string{company}},
		{row{"outcome", "it is what is expected"}, "broken", nil, `{allowed: false, webhooks: [{name: company/policy.example.com, outcome: failed closed}]}`, nil},
		{row{"another outcome", "it is one failure, and not two"}, "broken", nil, `{allowed: false, webhooks: [{name: company/policy.example.com, outcome: panicked}]}`,
			[]string{`webhooks[0].outcome: want "panicked", got "failed closed": ` + failing}},
		{row{"outcome of another", "it says nothing of this one"}, "broken", nil, `{allowed: false, webhooks: [{name: labels.example.com, outcome: allowed}]}`, []string{company}},
		{row{"message", "it can only be that of the failure"}, "broken", nil, `{message: failed calling webhook}`, nil},
		{row{"reason", "it is that of the failure"}, "broken", nil, `{reason: InternalError}`, nil},
		{row{"another code", "it is a failure already"}, "broken", nil, `{code: 403}`, []string{"code: want 403, got 500"}},
		{row{"admitted", "that it is not says all there is to say"}, "broken", nil, `{}`, []string{"allowed: want true, got false: Internal error occurred: " + failing}},
		{row{"several", "the denial has the message of the first only"}, "broken", both, `{message: failed calling webhook}`, []string{team}},
		{row{"several without a word", "each is a failure"}, "broken", both, `{allowed: false}`, []string{company, team}},
	})
}

// TestCheckFailures has calls that end in all ways, twice each.
func TestCheckFailures(t *testing.T) {
	t.Parallel()
	for outcome, want := range map[admission.Outcome]string{
		admission.Allowed: "", admission.Rejected: "", admission.Canceled: "",
		admission.FailedOpen:   "webhooks: x failed open, which is not expected; outcome: failed open would expect it",
		admission.FailedClosed: "webhooks: x failed closed, which is not expected; outcome: failed closed would expect it",
		admission.Internal:     "webhooks: x ended with an internal error, which is not expected; outcome: internal error would expect it",
		admission.Panicked:     "webhooks: x panicked, which is not expected; outcome: panicked would expect it",
	} {
		call := admission.Call{Webhook: &admission.Webhook{Phase: admission.Mutating, Name: "x"}, Outcome: outcome}
		got := compile(t, `{}`).Check(&admission.Response{Allowed: true, Calls: []admission.Call{call, call}})
		switch {
		case want == "" && got == nil:
		case len(got) != 1 || got[0].Text != want || got[0].Field != "webhooks" || got[0].Got != outcome.String():
			t.Errorf("%s: got %+v", outcome, got)
		}
	}
}
