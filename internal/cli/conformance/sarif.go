package conformance

import (
	"bytes"
	"cmp"
	"fmt"
	"slices"
	"strings"

	"example.com/gatehouse/internal/conformance/report"
	"example.com/gatehouse/internal/message"
	"example.com/gatehouse/internal/report/sarif"
)

// sarifOf returns a rule for each check and a result for each finding, at the
// position of the webhook.
func sarifOf(r *report.Report, at positions) ([]byte, error) {
	s := &sarifWriter{report: r, at: at}
	run := sarif.Run{
		Tool: sarif.Tool{Driver: sarif.Component{Name: "gatehouse conformance", Rules: s.rules()}},
		Invocations: []sarif.Invocation{
			{Successful: len(r.Problems()) == 0, Notifications: s.problems()}},
		Results: s.results(),
	}
	var out bytes.Buffer
	if err := sarif.Write(&out, run); err != nil {
		return nil, err
	}
	return out.Bytes(), nil
}

type sarifWriter struct {
	report *report.Report
	at     positions
}

func (s *sarifWriter) rules() []sarif.Rule {
	var rules []sarif.Rule
	for _, c := range s.report.Checks {
		rules = append(rules, sarif.Rule{
			ID: c.ID, Short: &sarif.Text{Text: c.Title}, Full: &sarif.Text{Text: c.Why}, Help: &sarif.Text{
				Text: c.Fix},
			Default: &sarif.Default{Level: level(c.Level)},
		})
	}
	return rules
}

func level(of report.Level) sarif.Level {
	if of == report.Must {
		return sarif.Error
	}
	return sarif.Warning
}

// problems are the webhooks that could not be checked.
func (s *sarifWriter) problems() []sarif.Notification {
	var all []sarif.Notification
	for _, w := range s.report.Problems() {
		all = append(all, sarif.Notification{
			Level: sarif.Error, Message: sarif.Text{Text: message.Escaped(w.Name + ": " + w.Problem)},
			Locations: []sarif.Location{s.location(&w)},
		})
	}
	return all
}

func (s *sarifWriter) results() []sarif.Result {
	all := []sarif.Result{}
	for rule, c := range s.report.Checks {
		for _, result := range s.report.ResultsOf(c.ID, report.Fail) {
			for i, f := range result.Findings {
				found := sarif.Result{
					RuleID: c.ID, RuleIndex: rule, Level: level(cmp.Or(f.Level, c.Level)),
					Message:   sarif.Text{Text: findingText(&result, i)},
					Locations: s.locations(result.Webhooks()),
				}
				if f.Accepted {
					found.Suppressions = []sarif.Suppression{{Kind: sarif.External}}
				}
				all = append(all, found)
			}
		}
	}
	return all
}

// findingText describes a finding. The last one also has the number of omitted
// findings.
func findingText(result *report.Result, i int) string {
	f := &result.Findings[i]
	text := f.String()
	if len(f.Paths) > 0 {
		text += " (at " + strings.Join(f.Paths, ", ") + ")"
	}
	if i == len(result.Findings)-1 && result.More > 0 {
		text += fmt.Sprintf(" (and %d more)", result.More)
	}
	return message.Escaped(text)
}

// locations are those of the named webhooks, or of all if there is no name.
func (s *sarifWriter) locations(webhooks []string) []sarif.Location {
	var all []sarif.Location
	for i := range s.report.Webhooks {
		if w := &s.report.Webhooks[i]; len(webhooks) == 0 || slices.Contains(webhooks, w.Name) {
			all = append(all, s.location(w))
		}
	}
	return all
}

// location names a webhook and its URL, with its line if that is known.
func (s *sarifWriter) location(w *report.Webhook) sarif.Location {
	location := sarif.Location{
		Logical: []sarif.Logical{{FullyQualifiedName: message.Escaped(w.Name), Kind: "resource"}}}
	if w.URL != "" {
		location.Logical = append(location.Logical,
			sarif.Logical{FullyQualifiedName: message.Escaped(w.URL), Kind: "resource"})
	}
	if at, ok := s.at.of(w); ok {
		location.Physical = &sarif.Physical{
			Artifact: sarif.Artifact{URI: sarif.URI(at.File)}, Region: &sarif.Region{StartLine: at.Line},
		}
	}
	return location
}
