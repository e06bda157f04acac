package conformance

import (
	"context"
	"errors"
	"fmt"

	"example.com/gatehouse/admission"
	"example.com/gatehouse/dispatcher/explain"
	"example.com/gatehouse/internal/conformance/check"
	"example.com/gatehouse/internal/conformance/known"
	"example.com/gatehouse/internal/conformance/probe"
	"example.com/gatehouse/internal/conformance/report"
	"example.com/gatehouse/internal/message"
)

// Run checks the webhooks of a Subject. It sends about a thousand requests, and
// takes about two seconds per webhook plus the webhook's own latency. It stops
// calling webhooks that time out repeatedly. Every ten seconds it writes a
// progress notice to Log.
//
// Run returns an error, and no report, if the Subject or its files are invalid
// or ctx ends.
func Run(ctx context.Context, s Subject) (*report.Report, error) {
	if err := s.check(); err != nil {
		return nil, &message.UsageError{Err: err}
	}
	s.Log = &serialWriter{Writer: s.log()}
	stage, err := prepare(ctx, s)
	if err != nil {
		return nil, err
	}
	defer stage.close()
	c, err := probe.New(ctx, stage.config)
	if err != nil {
		return nil, err
	}
	if len(c.Webhooks) == 0 {
		return nil, &message.InputError{Err: errors.New("there is no webhook to check: the files hold no webhook configuration")}
	}
	for _, err := range c.Refused {
		message.Notice(s.Log, "not a valid sample: %v", err)
	}
	progress := newProgress(s.Log)
	defer progress.end()
	if s.Exec != nil {
		stage.launcher.Warm(ctx, c)
	}
	if err := c.Collect(ctx); err != nil {
		return nil, interrupted(err)
	}
	r := &report.Report{APIVersion: report.APIVersion, Kind: report.Kind}
	for _, one := range all(stage.launcher) {
		if !s.runs(&one.Check) {
			continue
		}
		progress.set(one.ID)
		r.Checks = append(r.Checks, one.Check)
		r.Results = append(r.Results, runCheck(ctx, c, &one)...)
		if ctx.Err() != nil {
			return nil, interrupted(context.Cause(ctx))
		}
	}
	if s.Observe == nil { // which may use a route, too
		stage.cluster.PrintRemarks()
	}
	r.Webhooks = s.describe(c) // after the checks, which may mark webhooks as unreachable
	return r, nil
}

func interrupted(err error) error { return fmt.Errorf("checking webhooks: %w", err) }

// describe returns the webhooks under test.
func (s *Subject) describe(c *probe.Collection) []report.Webhook {
	webhooks := make([]report.Webhook, len(c.Webhooks))
	for i, w := range c.Webhooks {
		webhooks[i] = report.Webhook{Name: w.FullName(), Phase: w.Phase.String(), URL: w.Address(),
			Problem: problem(w), NotReached: w.NotReached(), Hint: s.hint(w)}
		for _, v := range w.Visits {
			webhooks[i].Samples = append(webhooks[i].Samples, v.Name)
		}
	}
	return webhooks
}

// problem returns why a webhook cannot be checked; empty if it can.
func problem(w *probe.Webhook) string {
	switch {
	case w.Unreachable != nil:
		return w.Unreachable.Error()
	case len(w.Visits) == 0:
		return "no sample visits it: " + w.WhyUnvisited
	}
	return ""
}

// hint returns the remedy for a webhook that could not be called.
func (s *Subject) hint(w *probe.Webhook) string {
	if w.Unreachable == nil {
		return ""
	}
	of := s.Hint
	if of == nil {
		of = explain.CallHint
	}
	return of(&admission.Call{Webhook: w.Webhook, Err: w.Unreachable, Duration: w.Timeout()})
}

// runCheck runs one check.
func runCheck(ctx context.Context, c *probe.Collection, one *check.Check) []report.Result {
	if one.All != nil {
		r := &check.Record{}
		one.All(ctx, c, r)
		for _, w := range c.Webhooks {
			w.CheckReachable(ctx, one.ID)
		}
		return []report.Result{r.Result(one, "")}
	}
	var results []report.Result
	for _, w := range c.Webhooks {
		r := &check.Record{}
		if why := problem(w); why != "" {
			r.Missing("%s", why)
		} else {
			one.Run(ctx, w, r)
			w.CheckReachable(ctx, one.ID)
		}
		result := r.Result(one, w.FullName())
		known.Describe(ctx, w, &result)
		results = append(results, result)
	}
	return results
}
