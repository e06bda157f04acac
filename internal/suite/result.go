package suite

import (
	"encoding/json"
	"fmt"
	"slices"
	"time"

	"example.com/gatehouse/admission"
	"example.com/gatehouse/dispatcher/explain"
	"example.com/gatehouse/internal/offline/webhookconfig"
	"example.com/gatehouse/internal/suite/expect"
)

// Result is the result of one case.
type Result struct {
	Suite *Suite
	Case  *Case
	// Response is nil if Err is set.
	Response *admission.Response
	// Failures are the expectations that were not met.
	Failures []expect.Failure
	// Err is why the case could not be evaluated.
	Err     error
	Elapsed time.Duration
	// Golden is the golden file that was written; empty if none was.
	Golden string
	// Hints name likely reasons of failed calls, one line each: webhooks without
	// an endpoint in the suite, which were called at the configured address,
	// where without a cluster there is rarely a server. Names are unescaped.
	Hints []string
}

// Passed reports whether all expectations were met.
func (r *Result) Passed() bool { return r.Err == nil && len(r.Failures) == 0 }

// Explain returns the explanation of the response; nil without one.
func (r *Result) Explain(options ...explain.Option) *explain.Explanation {
	if r.Response == nil {
		return nil
	}
	if r.Case.written != nil {
		// An object that cannot be encoded is reported with the request.
		if text, err := json.Marshal(r.Case.written); err == nil {
			options = append([]explain.Option{explain.Sent(text)}, options...)
		}
	}
	return explain.Response(r.Response, options...)
}

// SuiteResult is the result of one suite.
type SuiteResult struct {
	Suite *Suite
	// Results are those of the cases that ran, in order.
	Results []*Result
	// NotRun are the selected cases that did not run.
	NotRun []*Case
	// Err is why the webhooks did not start, or did not keep running.
	Err     error
	Elapsed time.Duration
	// Printed is the end of the commands' output, unescaped.
	Printed string
}

// Passed reports whether all selected cases ran and passed.
func (s *SuiteResult) Passed() bool { return s.Err == nil && len(s.NotRun) == 0 && s.Failed() == 0 }

// Failed counts the cases that ran and did not pass.
func (s *SuiteResult) Failed() int {
	n := 0
	for _, r := range s.Results {
		if !r.Passed() {
			n++
		}
	}
	return n
}

// hints returns the hints for the calls of a response.
func (env *Environment) hints(r *admission.Response) []string {
	var all []string
	for i := range r.Calls {
		c := &r.Calls[i]
		if c.URL == "" || c.Outcome != admission.FailedClosed && c.Outcome != admission.FailedOpen ||
			env.clients[keyOf(c.Webhook)] != nil {
			continue
		}
		address, _, err := webhookconfig.Address(c.Webhook)
		if err != nil {
			continue // the failure reports it
		}
		hint := fmt.Sprintf("the suite does not say where %s is: it was called at %s, as configured",
			c.Webhook.Name, address)
		if !slices.Contains(all, hint) {
			all = append(all, hint)
		}
	}
	return all
}
