package conformance

import (
	"context"

	"example.com/gatehouse/internal/conformance"
	"example.com/gatehouse/internal/conformance/report"
)

// Subject is what is looked at: webhooks, the samples that they are called with, and how
// they are reached. The zero value of a field is its default; there has to be a webhook in
// Files, in Configurations or behind URL.
type Subject = conformance.Subject

// Report is what a run found: data, with a JSON form that has a version and a schema
// (docs/schemas/conformance.v1alpha1.json). Its texts are those of webhooks and objects:
// escape them before you print them. The data of Secrets is in none of them.
type Report = report.Report

// Check is the definition of a check: what it looks at, why, and how a webhook that fails
// it is mended.
type Check = report.Check

// Verdict is the result of a check: Pass, Fail or Skip.
type Verdict = report.Verdict

// The verdicts.
const (
	Pass = report.Pass
	Fail = report.Fail
	Skip = report.Skip
)

// Run runs the checks on the webhooks of a Subject. With webhooks that answer at once it
// takes about a second and some hundred requests; the rest of its time is the webhooks'.
// A webhook that times out again and again is no longer called. Every ten seconds Run
// writes to Subject.Log what it is doing.
//
// The error is a mistake in the Subject or in the files that it names, or that of ctx;
// then there is no report.
func Run(ctx context.Context, s Subject) (*Report, error) { return conformance.Run(ctx, s) }

// Checks returns the definitions of all checks, in the order in which they run.
func Checks() []Check { return conformance.Checks() }
