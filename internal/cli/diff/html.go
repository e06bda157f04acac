package diff

import (
	"bytes"
	"encoding/json"
	"fmt"
	"slices"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"example.com/gatehouse/internal/message"
	"example.com/gatehouse/internal/report"
)

const (
	// maxPage limits the causes of the page, and maxExamples their examples, in bytes
	// of JSON: later causes have none.
	maxPage     = 4 << 20
	maxExamples = 3 << 20
	// maxSections limits the causes of the summary.
	maxSections = 100
)

// page is the data of the page. Long texts are cut, and long lists have their length
// beside them.
type page struct {
	// Headline says how many requests end differently, and Limits what limits the
	// result.
	Headline    string   `json:"headline"`
	Limits      []string `json:"limits,omitempty"`
	Incomplete  bool     `json:"incomplete,omitempty"`
	Requests    int      `json:"requests"`
	Differences Counts   `json:"differences"`

	Causes             []pageCause    `json:"causes"`
	CauseCount         int            `json:"causeCount"`
	WithoutEffect      []pageChange   `json:"withoutEffect"`
	WithoutEffectCount int            `json:"withoutEffectCount"`
	SetAside           []pageUnstable `json:"setAside,omitempty"`
	// Unread are the errors about lines of the corpus.
	Unread []string `json:"unread,omitempty"`
	// Explain is the command that explains a request: what is before --example, and
	// what is behind.
	Explain [2]string `json:"explain"`
}

// html returns the page.
func html(p *page) ([]byte, error) {
	var out bytes.Buffer
	err := report.WriteDiff(&out, &report.Page{
		Title: "gatehouse diff: " + p.Headline, Summary: p.summary(), Data: p,
	})
	return out.Bytes(), err
}

func newPage(d *Document, unread []string, explain [2]string) *page {
	p := &page{
		Headline: d.headline(), Incomplete: d.Incomplete, Requests: d.Requests,
		Differences: d.Differences, Causes: []pageCause{}, CauseCount: len(d.Causes),
		WithoutEffect:      newPageChanges(d.WithoutEffect, maxPageChanges),
		WithoutEffectCount: len(d.WithoutEffect), Explain: explain,
	}
	for _, text := range d.limits() {
		p.Limits = append(p.Limits, clipped(sentence(text)))
	}
	for _, u := range d.SetAside {
		p.SetAside = append(p.SetAside, pageUnstable{clipped(u.What), u.Requests, clipped(u.ID)})
	}
	for _, line := range unread {
		p.Unread = append(p.Unread, clipped(line))
	}
	p.addCauses(d.Causes)
	return p
}

// addCauses adds the causes that fit, the worst first.
func (p *page) addCauses(causes []Cause) {
	size := 0
	for i := range causes {
		c := newPageCause(&causes[i])
		if size < maxExamples {
			c.Items = newPageItems(causes[i].Example.Items)
		}
		text, _ := json.Marshal(c) // it has texts and numbers
		if size += len(text); size > maxPage {
			return
		}
		p.Causes = append(p.Causes, c)
	}
}

// explaining returns the command line that explains a request: what is before
// --example, and the corpus.
func (o *options) explaining(cmd *cobra.Command) [2]string {
	words := []string{"gatehouse", "diff"}
	add := func(f *pflag.Flag) {
		values := []string{f.Value.String()}
		if many, ok := f.Value.(pflag.SliceValue); ok {
			values = many.GetSlice()
		}
		for _, value := range values {
			if f.NoOptDefVal != "" { // a switch
				words = append(words, "--"+f.Name+"="+value)
			} else {
				words = append(words, "--"+f.Name, message.Quoted(value))
			}
		}
	}
	sets := []string{"before", "after"}
	for _, name := range sets {
		add(cmd.Flag(name))
	}
	other := append(sets, "broken", "color", "fail-on", "output", "parallel")
	cmd.Flags().Visit(func(f *pflag.Flag) {
		if !slices.Contains(other, f.Name) {
			add(f)
		}
	})
	var corpus []string
	for _, path := range o.corpus {
		corpus = append(corpus, message.Quoted(path))
	}
	return [2]string{strings.Join(words, " "), strings.Join(corpus, " ")}
}

// summary has a section for each cause.
func (p *page) summary() []report.Section {
	var all []report.Section
	for i := range p.Causes[:min(len(p.Causes), maxSections)] {
		c := &p.Causes[i]
		s := report.Section{
			Heading: fmt.Sprintf("%d. %s", i+1, shown(c.Title)),
			Text:    message.Count(c.Differences.Requests, "request"),
		}
		for j := range c.Changes {
			if len(c.Changes) > 1 {
				s.Lines = append(s.Lines, shown(c.Changes[j].Text))
			}
			s.Lines = append(s.Lines, shown(c.Changes[j].at()))
		}
		for _, e := range c.Effects {
			s.Lines = append(s.Lines, fmt.Sprintf("%d × %s", e.Requests, shown(e.Text)))
		}
		all = append(all, s)
	}
	if n := p.CauseCount - len(all); n > 0 {
		all = append(all, report.Section{Heading: message.Count(n, "more cause")})
	}
	if len(p.WithoutEffect) > 0 {
		s := report.Section{Heading: fmt.Sprintf("Changes that affect no request: %d",
			p.WithoutEffectCount)}
		for i := range p.WithoutEffect[:min(len(p.WithoutEffect), maxSections)] {
			c := &p.WithoutEffect[i]
			s.Lines = append(s.Lines, shown(c.Text+" ("+c.at()+")"))
		}
		all = append(all, s)
	}
	return all
}
