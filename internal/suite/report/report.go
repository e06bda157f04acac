package report

import (
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"example.com/gatehouse/dispatcher/explain"
)

// The apiVersion and kind of a Report.
const (
	APIVersion = "gatehouse/v1alpha1"
	Kind       = "AdmissionTestReport"
)

// Report is the result of a run.
type Report struct {
	// TypeMeta is apiVersion gatehouse/v1alpha1 and kind AdmissionTestReport.
	metav1.TypeMeta `json:",inline"`
	// Suites are those with a selected case, in order.
	Suites []Suite `json:"suites"`
	// Summary counts the results of all suites.
	Summary Summary `json:"summary"`
}

// Suite is the result of one suite.
type Suite struct {
	// Name is the name of the suite, and File its file.
	Name string `json:"name"`
	File string `json:"file"`
	// Seconds is the duration, with start and stop of webhooks.
	Seconds float64 `json:"seconds"`
	// Error is why the webhooks did not start, or did not keep running.
	Error string `json:"error,omitempty"`
	// Printed is the end of the commands' output; empty if the suite passed.
	Printed string `json:"printed,omitempty"`
	// NotRun counts the selected cases that did not run.
	NotRun int `json:"notRun,omitempty"`
	// Cases are those that ran, in the order of the file.
	Cases []Case `json:"cases"`
}

// Status is the status of a case.
type Status string

const (
	// Passed: all expectations are met.
	Passed Status = "passed"
	// Failed: an expectation is not met.
	Failed Status = "failed"
	// Error: the case could not be evaluated.
	Error Status = "error"
	// NotReached: the case could not be evaluated, because the command may not
	// connect to a webhook.
	NotReached Status = "not reached"
)

// Case is the result of one case.
type Case struct {
	// Name is unique in the suite; Line is the line of the case.
	Name   string `json:"name"`
	Line   int    `json:"line"`
	Status Status `json:"status"`
	// Seconds is the duration.
	Seconds float64 `json:"seconds"`
	// Failures are the expectations that were not met.
	Failures []Failure `json:"failures,omitempty"`
	// Error is why the case could not be evaluated.
	Error string `json:"error,omitempty"`
	// Hints are likely reasons, if the case did not pass.
	Hints []string `json:"hints,omitempty"`
	// Golden is the golden file that was written.
	Golden string `json:"golden,omitempty"`
	// Explanation explains the response; absent if the case passed, or if there
	// is no response.
	Explanation *explain.Explanation `json:"explanation,omitempty"`
}

// Failure is an expectation that was not met.
type Failure struct {
	// Field is the field of the expectation, such as "message" or
	// "webhooks[0].why"; Line is its line in the file.
	Field string `json:"field"`
	Line  int    `json:"line"`
	// Path is the position in the final object; empty if the failure is not
	// about the object.
	Path string `json:"path,omitempty"`
	// Want and Got are a text, a regular expression, or JSON.
	Want string `json:"want,omitempty"`
	Got  string `json:"got,omitempty"`
	// Text is the failure in one line.
	Text string `json:"text"`
}

// Summary counts the results of a Report.
type Summary struct {
	// Suites and Cases count the selected ones.
	Suites int `json:"suites"`
	Cases  int `json:"cases"`
	// Passed, Failed, Errors and NotReached count the cases that ran, by status.
	Passed     int `json:"passed"`
	Failed     int `json:"failed"`
	Errors     int `json:"errors"`
	NotReached int `json:"notReached"`
	// NotRun counts the cases that did not run.
	NotRun int `json:"notRun"`
	// Goldens counts the golden files that were written.
	Goldens int `json:"goldens"`
}
