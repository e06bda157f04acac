package model

import "fmt"

// Outcome is what became of a request in one phase.
type Outcome struct {
	// Calls are the mutating webhooks that were called, in order, as
	// CONFIGURATION/WEBHOOK, with "again" in the second round. Validating
	// webhooks are called in parallel.
	Calls []string
	// Revisions are the revisions at which webhooks without a fault were
	// called, as WEBHOOK@REVISION: REPORT, and FailedOpen the webhooks whose failures
	// were ignored, both in alphabetical order.
	Revisions, FailedOpen []string
	// Verdict is "allowed", or the webhook that denied and how.
	Verdict string
	// Labels are those that patches have left on the object, as NAME=VALUE, in
	// alphabetical order, and the container of options without labels.
	Labels []string
	// Shape names the object.
	Shape string
}

// String returns the outcome on one line. Equal outcomes have equal lines.
func (o *Outcome) String() string {
	return fmt.Sprintf("%s; calls %v, answers %v, failed open %v, labels %v, object %s", o.Verdict,
		o.Calls, o.Revisions, o.FailedOpen, o.Labels, o.Shape)
}

// The verdicts. That of an internal error has no name, because its text has
// none.
const (
	allowed        = "allowed"
	internal       = "internal error"
	deniedByPolicy = "denied by the policy"
)

func deniedBy(webhook string) string { return "denied by " + webhook }
func failedAt(webhook string) string { return "failed at " + webhook }

// refusedBy is the verdict on a dry run of a webhook with side effects, and
// unevaluatedAt that of a matchCondition that fails.
func refusedBy(webhook string) string     { return "dry run refused by " + webhook }
func unevaluatedAt(webhook string) string { return "condition failed of " + webhook }

// answered is how an outcome shows that a webhook has answered.
func answered(webhook, revision, report string) string {
	return webhook + "@" + revision + ": " + report
}

// Counts are how many calls there were, how many of them of webhooks with a
// fault, how many were refused and not sent, and how those ended that were not
// allowed.
type Counts struct {
	Calls, Faulty, Unsent, Denied, FailedClosed, FailedOpen, Internal int64
}

// Add adds others.
func (c *Counts) Add(o Counts) {
	c.Calls += o.Calls
	c.Faulty += o.Faulty
	c.Unsent += o.Unsent
	c.Denied += o.Denied
	c.FailedClosed += o.FailedClosed
	c.FailedOpen += o.FailedOpen
	c.Internal += o.Internal
}
