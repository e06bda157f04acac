package lint

import (
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"example.com/gatehouse/internal/cli/command"
	"example.com/gatehouse/internal/lint"
	"example.com/gatehouse/internal/lint/simulation"
)

// Report is the document that `gatehouse lint -o json` prints, which
// docs/schemas/lintreport.v1alpha1.json describes.
type Report struct {
	// TypeMeta is apiVersion gatehouse/v1alpha1 and kind LintReport.
	metav1.TypeMeta `json:",inline"`
	// Findings are those at --level or above, by file and line.
	Findings []Finding `json:"findings"`
	// Skipped are the rules whose objects are not among the inputs.
	Skipped []Skipped `json:"skipped"`
}

// Finding is what one change fixes: a problem, and others with the same cause.
type Finding struct {
	// Problem names the cause, or is the worst. Its level is that of the worst.
	Problem `json:",inline"`
	// Cause is what they have in common, such as "pods/* in the rules"; empty if it is alone.
	Cause string `json:"cause,omitempty"`
	// Others are the other problems, the worst first.
	Others []Problem `json:"others,omitempty"`
}

// Problem is what a rule reports.
type Problem struct {
	// ID is RULE/KIND/NAME, for --witness. It is unique.
	ID    string `json:"id"`
	Rule  string `json:"rule"`
	Level string `json:"level"`
	// Subject is for example "validating webhook CONFIGURATION/NAME".
	Subject string `json:"subject"`
	File    string `json:"file,omitempty"`
	// Document counts the documents of the file, and Line its lines, from 1.
	Document int    `json:"document,omitempty"`
	Line     int    `json:"line,omitempty"`
	Field    string `json:"field,omitempty"`
	// Message says what is wrong here; Title, Why and Fix are those of the rule.
	Message string `json:"message"`
	Title   string `json:"title"`
	Why     string `json:"why"`
	Fix     string `json:"fix"`
	// Evidence are facts, and Witnesses requests.
	Evidence  []string  `json:"evidence,omitempty"`
	Witnesses []Witness `json:"witnesses,omitempty"`
	// Silenced is the reason of the annotation that silences it.
	Silenced string `json:"silenced,omitempty"`

	position string
}

// Witness is a request to which something bad happens.
type Witness struct {
	Request string `json:"request"`
	Does    string `json:"does"`
	Breaks  string `json:"breaks"`
	// Down has the state of the backends that are down: "refuses" or "hangs".
	Down map[string]string `json:"down,omitempty"`
	// Effect is what happens: "refused", "mutation lost", "delayed" or "passes".
	Effect   string  `json:"effect"`
	Seconds  float64 `json:"seconds,omitempty"`
	TimedOut bool    `json:"timedOut,omitempty"`
	Message  string  `json:"message,omitempty"`
}

// Skipped is a rule that was not checked.
type Skipped struct {
	Rule string `json:"rule"`
	// Missing are kinds, of which one would be enough.
	Missing []string `json:"missing"`
}

// newReport returns the findings at a level or above.
func newReport(found *lint.Report, level lint.Level) *Report {
	r := &Report{
		TypeMeta: metav1.TypeMeta{APIVersion: command.APIVersion, Kind: "LintReport"},
		Findings: []Finding{}, Skipped: []Skipped{},
	}
	for _, group := range found.ByCause() {
		if lint.Worst(group).AtLeast(level) {
			r.Findings = append(r.Findings, newFinding(group, level))
		}
	}
	for _, s := range found.Skipped {
		if s.Rule.Level.AtLeast(level) {
			r.Skipped = append(r.Skipped, Skipped{s.Rule.ID, s.Missing})
		}
	}
	return r
}

// failed reports whether a finding counts.
func (r *Report) failed() bool {
	for i := range r.Findings {
		if r.Findings[i].Silenced == "" {
			return true
		}
	}
	return false
}

// newFinding returns the finding of problems with the same cause. Those below a level are
// left out, but not the first.
func newFinding(group []*lint.Finding, level lint.Level) Finding {
	out := Finding{Problem: newProblem(group[0])}
	out.Level = string(lint.Worst(group))
	for _, f := range group[1:] {
		if f.Rule.Level.AtLeast(level) {
			out.Others = append(out.Others, newProblem(f))
		}
	}
	if cause := group[0].Cause; len(out.Others) > 0 {
		out.Cause = cause.What
		if cause.Fix != "" && !group[0].Rule.NamesCause {
			out.Fix = cause.Fix
		}
	}
	return out
}

func newProblem(f *lint.Finding) Problem {
	at := f.Position()
	out := Problem{
		ID: f.ID, Rule: f.Rule.ID, Level: string(f.Rule.Level), Subject: f.Subject,
		File: at.File, Document: at.Number, Line: at.Line, Field: f.Field,
		Message: f.Message, Title: f.Rule.Title, Why: f.Rule.Why, Fix: f.Rule.Fix,
		Evidence: f.Evidence, Silenced: f.Silenced, position: at.String(),
	}
	for _, w := range f.Witnesses {
		out.Witnesses = append(out.Witnesses, newWitness(w))
	}
	return out
}

func newWitness(w lint.Witness) Witness {
	out := Witness{
		Request: w.Request.ID, Does: w.Request.Does, Breaks: w.Request.Breaks,
		Effect: w.Outcome.Effect.String(), Seconds: w.Outcome.Elapsed.Seconds(),
		TimedOut: w.Outcome.TimedOut, Message: w.Outcome.Message,
	}
	for b, state := range w.Down {
		if out.Down == nil {
			out.Down = map[string]string{}
		}
		out.Down[b.String()] = map[simulation.State]string{
			simulation.Refusing: "refuses", simulation.Hanging: "hangs",
		}[state]
	}
	return out
}
