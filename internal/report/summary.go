package report

import (
	"fmt"
	"strings"
	"time"

	"example.com/gatehouse/dispatcher/explain"
	"example.com/gatehouse/internal/message"
)

func summarize(d *explain.Document) []Section {
	var all []Section
	for _, e := range d.Items {
		if e != nil {
			all = append(all, summaryOf(e))
		}
	}
	return all
}

func summaryOf(e *explain.Explanation) Section {
	verdict := "denied"
	switch {
	case e.Undecided:
		verdict = "unknown, because a webhook was not reached"
	case e.Allowed:
		verdict = "admitted"
	}
	s := Section{Heading: requestLine(&e.Request) + ": " + verdict}
	if e.Status != nil && !e.Undecided {
		s.Text = message.Escaped(e.Status.Message)
	}
	skipped := 0
	for i := range e.Rounds {
		skipped += s.add(&e.Rounds[i])
	}
	s.Lines = append(s.Lines, fmt.Sprintf("Webhooks that were not called: %d", skipped))
	return s
}

// add adds the evaluations of policies, and the calls of webhooks. It returns the number of
// webhooks that were not called.
func (s *Section) add(r *explain.Round) (skipped int) {
	for i := range r.Policies {
		p := &r.Policies[i]
		for j := range p.Bindings {
			if b := &p.Bindings[j]; len(b.Evaluations) > 0 {
				s.Lines = append(s.Lines, fmt.Sprintf("%s, round %d: policy %s with binding %s evaluated",
					r.Phase, r.Round, p.Name, b.Name))
			}
		}
	}
	for i := range r.Webhooks {
		w := &r.Webhooks[i]
		if w.Call == nil {
			skipped++
			continue
		}
		s.Lines = append(s.Lines, fmt.Sprintf("%s, round %d: %s of %s %s after %v",
			r.Phase, r.Round, w.Name, w.Configuration, w.Call.Outcome, toDuration(w.Call.Seconds)))
	}
	return skipped
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
func title(items []Section) string {
	if len(items) == 1 {
		return items[0].Heading
	}
	return fmt.Sprintf("Admission of %d requests", len(items))
}
