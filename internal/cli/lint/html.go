package lint

import (
	"bytes"
	"fmt"
	"maps"
	"slices"
	"strings"

	"example.com/gatehouse/internal/lint"
	"example.com/gatehouse/internal/lint/inventory"
	"example.com/gatehouse/internal/message"
	"example.com/gatehouse/internal/report"
)

// page is the data of the page.
type page struct {
	// Rules are those with problems, and those that were skipped.
	Rules    []pageRule    `json:"rules"`
	Findings []pageFinding `json:"findings"`
	Skipped  []Skipped     `json:"skipped"`
	// Checked is the number of rules that were not skipped.
	Checked int `json:"checked"`
}

type pageRule struct {
	ID      string   `json:"id"`
	Level   string   `json:"level"`
	Title   string   `json:"title"`
	Why     string   `json:"why"`
	Fix     string   `json:"fix"`
	Sources []string `json:"sources"`
}

// pageFinding is a problem, and others with the same cause.
type pageFinding struct {
	pageProblem
	// Level is that of the worst of them.
	Level  string        `json:"level"`
	Cause  string        `json:"cause,omitempty"`
	Others []pageProblem `json:"others,omitempty"`
}

type pageProblem struct {
	// ID is for --witness.
	ID      string `json:"id"`
	Rule    string `json:"rule"`
	Subject string `json:"subject"`
	File    string `json:"file,omitempty"`
	// Position is for example "webhooks.yaml: document 2 (line 12)".
	Position string `json:"position"`
	Field    string `json:"field,omitempty"`
	Message  string `json:"message"`
	// Fix is empty if that of the rule helps.
	Fix      string       `json:"fix,omitempty"`
	Evidence []string     `json:"evidence,omitempty"`
	Silenced string       `json:"silenced,omitempty"`
	Witness  *pageWitness `json:"witness,omitempty"`
}

// pageWitness is the first request of a finding, with what the engine says about it.
type pageWitness struct {
	Witness
	DeadlineSeconds float64 `json:"deadlineSeconds"`
	Tree            string  `json:"tree"`
	// Replay are commands after which the same happens.
	Replay []string `json:"replay"`
	// Others is the number of the other requests of the finding.
	Others int `json:"others,omitempty"`
}

// html returns the findings of a level or above as a page.
func (o *options) html(c *lint.Cluster, found *lint.Report) ([]byte, error) {
	p, err := newPage(c, found, lint.Level(o.level))
	if err != nil {
		return nil, err
	}
	for _, rule := range o.rules {
		p.addRule(rule, lint.Level(o.level))
	}
	var out bytes.Buffer
	err = report.WriteLint(&out, &report.Page{Title: p.title(), Summary: p.summary(), Data: p})
	return out.Bytes(), err
}

func newPage(c *lint.Cluster, found *lint.Report, level lint.Level) (*page, error) {
	p := &page{Rules: []pageRule{}, Findings: []pageFinding{}, Skipped: []Skipped{}}
	for _, group := range found.ByCause() {
		if !lint.Worst(group).AtLeast(level) {
			continue
		}
		one, err := newPageFinding(c, group, level)
		if err != nil {
			return nil, err
		}
		p.Findings = append(p.Findings, one)
	}
	for _, s := range found.Skipped {
		if s.Rule.Level.AtLeast(level) {
			p.Skipped = append(p.Skipped, Skipped{s.Rule.ID, s.Missing})
		}
	}
	return p, nil
}

// newPageFinding has the same problems as newFinding.
func newPageFinding(
	c *lint.Cluster, group []*lint.Finding, level lint.Level,
) (pageFinding, error) {
	said := newFinding(group, level)
	first, err := newPageProblem(c, group[0])
	out := pageFinding{pageProblem: first, Level: said.Level, Cause: said.Cause}
	if said.Fix != group[0].Rule.Fix {
		out.Fix = said.Fix
	}
	for _, f := range group[1:] {
		if err != nil || !f.Rule.Level.AtLeast(level) {
			continue
		}
		var other pageProblem
		other, err = newPageProblem(c, f)
		out.Others = append(out.Others, other)
	}
	return out, err
}

func newPageProblem(c *lint.Cluster, f *lint.Finding) (pageProblem, error) {
	at := f.Position()
	out := pageProblem{
		ID: f.ID, Rule: f.Rule.ID, Subject: f.Subject, File: at.File, Position: at.String(),
		Field: f.Field, Message: f.Message, Evidence: f.Evidence, Silenced: f.Silenced,
	}
	if len(f.Witnesses) == 0 {
		return out, nil
	}
	w := f.Witnesses[0]
	result, err := c.Replay(w.Request, w.Down)
	if err != nil {
		return out, err
	}
	backends := slices.Collect(maps.Keys(w.Down))
	if len(backends) == 0 {
		for _, call := range result.Calls {
			backends = append(backends, inventory.BackendOf(call.Webhook))
		}
	}
	out.Witness = &pageWitness{
		Witness: newWitness(w), DeadlineSeconds: w.Request.Deadline.Seconds(),
		Tree: strings.TrimSuffix(result.Explain().Tree(backends...), "\n"),
		Replay: []string{
			fmt.Sprintf("gatehouse lint -f FILES --witness %s > witness.yaml", message.Quoted(out.ID)),
			fmt.Sprintf("gatehouse run -f FILES %s witness.yaml", strings.Join(arguments(w, len(c.Webhooks) > 0), " ")),
		},
		Others: len(f.Witnesses) - 1,
	}
	return out, nil
}

// addRule adds a rule, unless nothing on the page is about it.
func (p *page) addRule(r *lint.Rule, level lint.Level) {
	skipped := slices.ContainsFunc(p.Skipped, func(s Skipped) bool { return s.Rule == r.ID })
	if !skipped && r.Level.AtLeast(level) {
		p.Checked++
	}
	found := slices.ContainsFunc(p.Findings, func(f pageFinding) bool {
		is := func(p pageProblem) bool { return p.Rule == r.ID }
		return is(f.pageProblem) || slices.ContainsFunc(f.Others, is)
	})
	if skipped || found {
		p.Rules = append(p.Rules, pageRule{r.ID, string(r.Level), r.Title, r.Why, r.Fix, r.Sources})
	}
}

func (p *page) title() string {
	left := 0
	for i := range p.Findings {
		if p.Findings[i].Silenced == "" {
			left++
		}
	}
	return message.Count(left, "finding") + " of gatehouse lint"
}

// summary has a section for each finding.
func (p *page) summary() []report.Section {
	var all []report.Section
	for i := range p.Findings {
		f := &p.Findings[i]
		s := report.Section{Heading: message.Escaped(f.Rule + ": " + f.Subject), Text: message.Escaped(f.Message)}
		if f.Silenced != "" {
			s.Text += " Silenced: " + message.Escaped(f.Silenced)
		}
		s.Lines = append(s.Lines, message.Escaped(f.Position))
		for _, e := range f.Evidence {
			s.Lines = append(s.Lines, message.Escaped(e))
		}
		for _, other := range f.Others {
			s.Lines = append(s.Lines, message.Escaped(other.Rule+": "+other.Subject+": "+other.Message))
		}
		all = append(all, s)
	}
	return all
}
