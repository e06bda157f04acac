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

// Report is what came of suites.
type Report struct {
	// TypeMeta is apiVersion gatehouse/v1alpha1 and kind AdmissionTestReport.
	metav1.TypeMeta `json:",inline"`
	// Suites are those with a case to be run, in their order.
	Suites []Suite `json:"suites"`
	// Summary has the counts of all of them.
	Summary Summary `json:"summary"`
}

// Suite is what came of a suite.
type Suite struct {
	// Name is what the suite is called, and File where it was read.
	Name string `json:"name"`
	File string `json:"file"`
	// Seconds is how long it took, the start and the end of its webhooks included.
	Seconds float64 `json:"seconds"`
	// Error says that the webhooks could not be started, or did not last; empty if they
	// could and did.
	Error string `json:"error,omitempty"`
	// Printed is the end of what the commands have printed that serve the webhooks;
	// empty if the suite passed.
	Printed string `json:"printed,omitempty"`
	// NotRun counts the cases that were to be run, and were not.
	NotRun int `json:"notRun,omitempty"`
	// Cases are those that were run, in the order of the file.
	Cases []Case `json:"cases"`
}

// Status is a word for what came of a case.
type Status string

const (
	// Passed: all is as expected.
	Passed Status = "passed"
	// Failed: something is not as expected.
	Failed Status = "failed"
	// Error: the case could not be judged.
	Error Status = "error"
)

// Case is what came of a case.
type Case struct {
	// Name is unique in the suite, and Line where the case stands in the file.
	Name string `json:"name"`
	Line int    `json:"line"`
	// Status is what came of it.
	Status Status `json:"status"`
	// Seconds is how long it took.
	Seconds float64 `json:"seconds"`
	// Failures are what is not as expected.
	Failures []Failure `json:"failures,omitempty"`
	// Error says why the case could not be judged; empty if it was.
	Error string `json:"error,omitempty"`
	// Hints are what may be the reason, if the case did not pass.
	Hints []string `json:"hints,omitempty"`
	// Golden is the file that was written; empty if none was.
	Golden string `json:"golden,omitempty"`
	// Explanation says what happened to the request; absent if the case passed, or if
	// nothing happened.
	Explanation *explain.Explanation `json:"explanation,omitempty"`
}

// Failure is an expectation that was not met.
type Failure struct {
	// Field is the field of what was expected, such as "message" or "webhooks[0].why",
	// and Line where that stands in the file.
	Field string `json:"field"`
	Line  int    `json:"line"`
	// Path is where in the final object it is; empty if it is not about the object.
	Path string `json:"path,omitempty"`
	// Want and Got are what was expected and what came instead: a text, a regular
	// expression, or JSON.
	Want string `json:"want,omitempty"`
	Got  string `json:"got,omitempty"`
	// Text says all of that in one line.
	Text string `json:"text"`
}

// Summary has the counts of a Report.
type Summary struct {
	// Suites and Cases are how many were to be run.
	Suites int `json:"suites"`
	Cases  int `json:"cases"`
	// Passed, Failed and Errors count the cases that were run, by their status.
	Passed int `json:"passed"`
	Failed int `json:"failed"`
	Errors int `json:"errors"`
	// NotRun counts those that were not.
	NotRun int `json:"notRun"`
	// Goldens counts the golden files that were written.
	Goldens int `json:"goldens"`
}
