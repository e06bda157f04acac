package diff

import (
	"bytes"
	"cmp"
	"slices"

	"example.com/gatehouse/internal/message"
	"example.com/gatehouse/internal/report/sarif"
	"example.com/gatehouse/internal/whatif"
)

// rules are the levels of differences, from the most serious one.
var rules = []struct {
	level whatif.Level
	text  string
	sarif sarif.Level
}{
	{whatif.LevelVerdict, "Requests are allowed or denied that were not before.", sarif.Error},
	{whatif.LevelObject, "Requests have another stored object, message or warning than before.", sarif.Warning},
	{whatif.LevelCalls, "Other webhooks or policies receive requests than before.", sarif.Note},
}

// sarifOf returns a result for each change that is a cause, at the position of the
// field.
func sarifOf(d *Document) ([]byte, error) {
	run := sarif.Run{
		Tool:        sarif.Tool{Driver: sarif.Component{Name: "gatehouse diff"}},
		Invocations: []sarif.Invocation{{Successful: !d.Incomplete}},
		Results:     []sarif.Result{},
	}
	for _, r := range rules {
		run.Tool.Driver.Rules = append(run.Tool.Driver.Rules, sarif.Rule{
			ID: string(r.level), Short: &sarif.Text{Text: r.text},
			Full: &sarif.Text{Text: r.text}, Default: &sarif.Default{Level: r.sarif},
		})
	}
	for i := range d.Causes {
		run.Results = append(run.Results, d.Causes[i].sarif()...)
	}
	var out bytes.Buffer
	err := sarif.Write(&out, run)
	return out.Bytes(), err
}

func (c *Cause) sarif() []sarif.Result {
	index := slices.Index(whatif.Levels, c.level()) // the rules have the order of the levels
	r := rules[index]
	result := sarif.Result{RuleID: string(r.level), RuleIndex: index, Level: r.sarif}
	text := ": " + message.Count(c.Differences.Requests, "request") + ", such as " + c.Example.ID
	for _, e := range c.Effects[:min(3, len(c.Effects))] {
		text += "; " + e.Text
	}
	if len(c.Changes) == 0 {
		result.Message.Text = message.Escaped(c.title() + text)
		return []sarif.Result{result}
	}
	var all []sarif.Result
	for i := range c.Changes {
		change := &c.Changes[i]
		p := cmp.Or(change.After, change.Before)
		one := result
		one.Message.Text = message.Escaped(change.Text + text)
		one.Locations = []sarif.Location{{
			Physical: &sarif.Physical{
				Artifact: sarif.Artifact{URI: sarif.URI(p.File)}, Region: &sarif.Region{StartLine: p.Line},
			},
			Logical: []sarif.Logical{{
				FullyQualifiedName: message.Escaped(change.Kind + " " + change.Name), Kind: "resource",
			}},
		}}
		all = append(all, one)
	}
	return all
}
