package report

import (
	"fmt"
	"strings"
	"time"

	"example.com/gatehouse/dispatcher/explain"
	"example.com/gatehouse/internal/message"
)

// summary is one explanation for browsers without scripts.
type summary struct {
	Request string
	Verdict string
	Message string
	// Calls are the evaluations of policies, and the calls of webhooks.
	Calls []string
	// Skipped is the number of webhooks that were not called.
	Skipped int
}

func summarize(d *explain.Document) []summary {
	var all []summary
	for _, e := range d.Items {
		if e != nil {
			all = append(all, summaryOf(e))
		}
	}
	return all
}

func summaryOf(e *explain.Explanation) summary {
	s := summary{Request: requestLine(&e.Request), Verdict: "denied"}
	switch {
	case e.Undecided:
		s.Verdict = "unknown, because a webhook was not reached"
	case e.Allowed:
		s.Verdict = "admitted"
	}
	if e.Status != nil && !e.Undecided {
		s.Message = message.Escaped(e.Status.Message)
	}
	for i := range e.Rounds {
		s.add(&e.Rounds[i])
	}
	return s
}

func (s *summary) add(r *explain.Round) {
	for i := range r.Policies {
		p := &r.Policies[i]
		for j := range p.Bindings {
			if b := &p.Bindings[j]; len(b.Evaluations) > 0 {
				s.Calls = append(s.Calls, fmt.Sprintf("%s, round %d: policy %s with binding %s evaluated",
					r.Phase, r.Round, p.Name, b.Name))
			}
		}
	}
	for i := range r.Webhooks {
		w := &r.Webhooks[i]
		if w.Call == nil {
			s.Skipped++
			continue
		}
		s.Calls = append(s.Calls, fmt.Sprintf("%s, round %d: %s of %s %s after %v",
			r.Phase, r.Round, w.Name, w.Configuration, w.Call.Outcome, toDuration(w.Call.Seconds)))
	}
}

// requestLine returns for example "CREATE pods/exec prod/web".
func requestLine(r *explain.Request) string {
	text := r.Operation + " " + r.Resource.Resource
	if r.Subresource != "" {
		text += "/" + r.Subresource
	}
	if object := strings.TrimPrefix(r.Namespace+"/"+r.Name, "/"); object != "" {
		text += " " + strings.TrimSuffix(object, "/")
	}
	return text
}

func toDuration(seconds float64) time.Duration {
	return time.Duration(seconds * float64(time.Second)).Round(time.Microsecond)
}

// title is the title of the page, which browsers also propose as a file name.
func title(items []summary) string {
	if len(items) == 1 {
		return items[0].Request + ": " + items[0].Verdict
	}
	return fmt.Sprintf("Admission of %d requests", len(items))
}
