package outage

import (
	"bytes"
	"fmt"
	"strings"

	"example.com/gatehouse/internal/lint"
	"example.com/gatehouse/internal/message"
	"example.com/gatehouse/internal/report"
)

// maxPairs is the number of pairs on the page, the worst first. Sixty backends that all
// requests reach have 200,000.
const maxPairs = 300

// page is the data of the page.
type page struct {
	Requests []pageRequest `json:"requests"`
	Backends []pageBackend `json:"backends"`
	// Outcomes are what happens to requests. The other parts of the page have indices of
	// them, because many requests have the same.
	Outcomes []pageOutcome `json:"outcomes"`
	// Pairs are the worst of all pairs, which are PairCount.
	Pairs     []pagePair `json:"pairs"`
	PairCount int        `json:"pairCount"`
	ColdStart ColdStart  `json:"coldStart"`
}

// pageRequest has an outcome for each backend, in the order of the backends.
type pageRequest struct {
	Request
	Group string `json:"group"`
	// Title is for example "UPDATE nodes/status node-1".
	Title string `json:"title"`
	User  string `json:"user"`
	// Healthy is the outcome without an outage, and Everything that when all hang.
	Healthy    int   `json:"healthy"`
	Refuses    []int `json:"refuses"`
	Hangs      []int `json:"hangs"`
	Everything int   `json:"everything"`
}

type pageBackend struct {
	Name     string        `json:"name"`
	Webhooks []pageWebhook `json:"webhooks"`
	// Assumed says that its pods are not among the inputs.
	Assumed bool `json:"assumed,omitempty"`
}

type pageWebhook struct {
	// Name is CONFIGURATION/NAME.
	Name           string `json:"name"`
	Phase          string `json:"phase"`
	FailurePolicy  string `json:"failurePolicy"`
	TimeoutSeconds int32  `json:"timeoutSeconds,omitempty"`
}

type pageOutcome struct {
	// Effect is "passes", "delayed", "mutation lost" or "refused".
	Effect string `json:"effect"`
	// Reached says that the request reaches a backend that is down.
	Reached  bool    `json:"reached,omitempty"`
	Seconds  float64 `json:"seconds,omitempty"`
	TimedOut bool    `json:"timedOut,omitempty"`
	// Webhooks are those that failed, as CONFIGURATION/NAME.
	Webhooks []string `json:"webhooks,omitempty"`
	// Tree is what the engine says, in lines.
	Tree string `json:"tree,omitempty"`
}

// pagePair are two backends that hang.
type pagePair struct {
	Backends [2]int `json:"backends"`
	Request  int    `json:"request"`
	Outcome  int    `json:"outcome"`
}

// html returns the report as a page.
func html(c *lint.Cluster) ([]byte, error) {
	p, err := newPage(c)
	if err != nil {
		return nil, err
	}
	var out bytes.Buffer
	err = report.WriteOutage(&out, &report.Page{Title: p.title(), Summary: p.summary(), Data: p})
	return out.Bytes(), err
}

func (p *page) title() string {
	return "Outages of " + message.Count(len(p.Backends), "backend")
}

// summary has a section for each backend, and one for the cold start.
func (p *page) summary() []report.Section {
	var all []report.Section
	for i := range p.Backends {
		s := report.Section{Heading: shown(p.Backends[i].Name)}
		for j := range p.Requests {
			if line := p.summarize(&p.Requests[j], i); line != "" {
				s.Lines = append(s.Lines, line)
			}
		}
		all = append(all, s)
	}
	var cold bytes.Buffer
	p.ColdStart.write(&cold)
	if heading, lines, ok := strings.Cut(strings.TrimSpace(cold.String()), "\n"); ok {
		all = append(all, report.Section{Heading: heading, Lines: strings.Split(lines, "\n")})
	}
	return all
}

// summarize says what happens to a request while a backend is down; nothing if that is the
// same as while it is up.
func (p *page) summarize(q *pageRequest, backend int) string {
	healthy := p.Outcomes[q.Healthy].Effect
	refuses, hangs := &p.Outcomes[q.Refuses[backend]], &p.Outcomes[q.Hangs[backend]]
	if refuses.Effect == healthy && hangs.Effect == healthy {
		return ""
	}
	return fmt.Sprintf("%s: %s while it refuses connections, %s after %s while it hangs",
		q.ID, refuses.Effect, hangs.Effect, seconds(hangs.Seconds))
}
