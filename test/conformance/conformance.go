package conformance

import (
	"context"

	"example.com/gatehouse/internal/conformance"
	"example.com/gatehouse/internal/conformance/report"
)

// Subject names the webhooks under test, the samples, and how to reach the
// webhooks. Zero fields have defaults; Files, Configurations or URL must name a
// webhook.
type Subject = conformance.Subject

// Exec is a command that serves the webhooks of a Subject.
type Exec = conformance.Exec

// Report is the result of a run, with a versioned JSON form
// (docs/schemas/conformance.v1alpha1.json). Its texts come from webhooks and
// objects: escape them before printing. It does not contain the data of
// Secrets.
type Report = report.Report

// Check is the definition of a check: what it requires, the effect of a
// failure, and how to correct the webhook.
type Check = report.Check

// Verdict is the result of a check: Pass, Fail or Skip.
type Verdict = report.Verdict

// The verdicts.
const (
	Pass = report.Pass
	Fail = report.Fail
	Skip = report.Skip
)

// Run checks the webhooks of a Subject. It sends about a thousand requests, and
// takes about two seconds per webhook plus the webhook's own latency. It stops
// calling webhooks that time out repeatedly. Every ten seconds it writes a
// progress notice to Subject.Log.
//
// Run returns an error, and no report, if the Subject or its files are invalid
// or ctx ends.
func Run(ctx context.Context, s Subject) (*Report, error) { return conformance.Run(ctx, s) }

// Checks returns the definitions of all checks, in the order in which they run.
func Checks() []Check { return conformance.Checks() }
