package suite

import (
	"encoding/json"
	"time"

	"example.com/gatehouse/admission"
	"example.com/gatehouse/dispatcher/explain"
	"example.com/gatehouse/internal/suite/expect"
)

// Result is what came of a case.
type Result struct {
	Suite *Suite
	Case  *Case
	// Response is what came of the request; nil if Err says why there is none.
	Response *admission.Response
	// Failures are what is not as expected.
	Failures []expect.Failure
	// Err says that the case could not be judged; nil if it was.
	Err     error
	Elapsed time.Duration
	// Golden is the file that was written, "" if none was.
	Golden string

	hints []string
}

// Passed reports whether all is as expected.
func (r *Result) Passed() bool { return r.Err == nil && len(r.Failures) == 0 }

// Explain says why the request fared as it did. It is nil if there is no response.
func (r *Result) Explain(options ...explain.Option) *explain.Explanation {
	if r.Response == nil {
		return nil
	}
	if r.Case.written != nil {
		// That it cannot be shown is said of the request's object, if it is so.
		if text, err := json.Marshal(r.Case.written); err == nil {
			options = append([]explain.Option{explain.Sent(text)}, options...)
		}
	}
	return explain.Response(r.Response, options...)
}

// SuiteResult is what came of a suite.
type SuiteResult struct {
	Suite *Suite
	// Results are those of the cases that were run, in their order.
	Results []*Result
	// NotRun are the selected cases after them, which were not run.
	NotRun []*Case
	// Err says that the webhooks could not be started, or did not last.
	Err     error
	Elapsed time.Duration
	// Printed is the end of what commands have printed, as they have.
	Printed string
}

// Passed reports whether all cases that were to be run were, and passed.
func (s *SuiteResult) Passed() bool { return s.Err == nil && len(s.NotRun) == 0 && s.Failed() == 0 }

// Failed counts the cases that were run and did not pass.
func (s *SuiteResult) Failed() int {
	n := 0
	for _, r := range s.Results {
		if !r.Passed() {
			n++
		}
	}
	return n
}
