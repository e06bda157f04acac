package suite

import (
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"time"

	"example.com/gatehouse/admission"
	"example.com/gatehouse/dispatcher/explain"
	"example.com/gatehouse/internal/offline/reach"
	"example.com/gatehouse/internal/offline/resolve"
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
	// Err is why the case could not be evaluated. It is a *NotReachedError if a
	// webhook was not reached.
	Err     error
	Elapsed time.Duration
	// Golden is the golden file that was written; empty if none was.
	Golden string
	// Hints name likely reasons of failed calls, one line each: webhooks without
	// an endpoint in the suite, which were called at the configured address,
	// where without a cluster there is rarely a server. Names are unescaped.
	Hints []string
}

// NotReachedError says that a case could not be evaluated, because the run may
// not connect to a webhook.
type NotReachedError struct {
	// Err names the webhook and its address.
	Err error
}

// Error returns the text of Err.
func (e *NotReachedError) Error() string { return "not reached: " + e.Err.Error() }

// Unwrap returns Err.
func (e *NotReachedError) Unwrap() error { return e.Err }

// NotReached reports whether the case could not be evaluated, because the run
// may not connect to a webhook.
func (r *Result) NotReached() bool {
	var refused *NotReachedError
	return errors.As(r.Err, &refused)
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
	return explain.Response(r.Response, append(r.Suite.access().Options(), options...)...)
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
func (s *SuiteResult) Passed() bool {
	return s.Err == nil && len(s.NotRun) == 0 && s.Failed()+s.NotReached() == 0
}

// Failed counts the cases that ran and did not pass, without those of
// NotReached.
func (s *SuiteResult) Failed() int {
	return s.count(func(r *Result) bool { return !r.Passed() && !r.NotReached() })
}

// NotReached counts the cases that could not be evaluated, because a webhook was
// not reached.
func (s *SuiteResult) NotReached() int { return s.count((*Result).NotReached) }

func (s *SuiteResult) count(is func(*Result) bool) int {
	n := 0
	for _, r := range s.Results {
		if is(r) {
			n++
		}
	}
	return n
}

// access is how the suite reaches webhooks, in the words of its file.
func (s *Suite) access() reach.Access {
	return reach.Access{
		Dialer: s.dialer, CAFile: "webhooks[].caFile of the suite",
		Route: func(string) string { return "webhooks[].address of the suite" },
	}
}

// notReached returns an error if the response depends on a webhook that was not
// reached, also if the request was denied for another reason: the expectations
// may be about any webhook.
func (env *Environment) notReached(r *admission.Response) error {
	access := env.suite.access()
	for i := range r.Calls {
		var refused *resolve.NotReachedError
		if c := &r.Calls[i]; errors.As(c.Err, &refused) {
			return &NotReachedError{fmt.Errorf("%s: %w", webhookconfig.FullName(c.Webhook), refused)}
		}
	}
	if explain.Undecided(r, access.Dialer.NotReached) { // a conversion webhook
		return &NotReachedError{errors.New(r.Status.Message)}
	}
	return nil
}

// hints returns the hints for the calls of a response.
func (env *Environment) hints(r *admission.Response) []string {
	var all []string
	for i := range r.Calls {
		c := &r.Calls[i]
		if c.URL == "" || c.Outcome != admission.FailedClosed && c.Outcome != admission.FailedOpen ||
			env.clients[keyOf(c.Webhook)] != nil || env.suite.access().NotReached(c) {
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
