package lint

import (
	"bytes"

	"example.com/gatehouse/internal/lint"
	"example.com/gatehouse/internal/message"
	"example.com/gatehouse/internal/report/sarif"
)

// sarifOf returns the findings as SARIF.
func sarifOf(r *Report, rules []*lint.Rule) ([]byte, error) {
	run := sarif.Run{
		Tool:        sarif.Tool{Driver: sarif.Component{Name: "gatehouse lint"}},
		Invocations: []sarif.Invocation{{Successful: true}},
		Results:     []sarif.Result{},
	}
	index := map[string]int{}
	for i, rule := range rules {
		index[rule.ID] = i
		run.Tool.Driver.Rules = append(run.Tool.Driver.Rules, sarif.Rule{
			ID: rule.ID, Short: &sarif.Text{Text: rule.Title}, Full: &sarif.Text{Text: rule.Why},
			Help:    &sarif.Text{Text: rule.Fix},
			Default: &sarif.Default{Level: sarifLevel(string(rule.Level))},
		})
	}
	for i := range r.Findings {
		run.Results = append(run.Results, r.Findings[i].sarif(index))
	}
	var out bytes.Buffer
	if err := sarif.Write(&out, run); err != nil {
		return nil, err
	}
	return out.Bytes(), nil
}

func (f *Finding) sarif(index map[string]int) sarif.Result {
	location := sarif.Location{
		Logical: []sarif.Logical{{FullyQualifiedName: message.Escaped(f.Subject), Kind: "resource"}},
	}
	if f.File != "" {
		location.Physical = &sarif.Physical{
			Artifact: sarif.Artifact{URI: sarif.URI(f.File)}, Region: &sarif.Region{StartLine: f.Line},
		}
	}
	result := sarif.Result{
		RuleID: f.Rule, RuleIndex: index[f.Rule], Level: sarifLevel(f.Level),
		Message:   sarif.Text{Text: message.Escaped(f.Subject + ": " + f.Message + f.others())},
		Locations: []sarif.Location{location},
	}
	if f.Silenced != "" {
		result.Suppressions = []sarif.Suppression{{
			Kind: sarif.InSource, Justification: message.Escaped(f.Silenced),
		}}
	}
	return result
}

func sarifLevel(level string) sarif.Level {
	switch lint.Level(level) {
	case lint.Error:
		return sarif.Error
	case lint.Warning:
		return sarif.Warning
	}
	return sarif.Note
}
