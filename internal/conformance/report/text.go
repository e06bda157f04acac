package report

import (
	"fmt"
	"strings"
)

// Text returns the results of a check, one line each, without bodies.
func (r *Report) Text(check string) string {
	var text strings.Builder
	for i := range r.Results {
		result := &r.Results[i]
		if result.Check != check {
			continue
		}
		where := ""
		if names := result.Webhooks(); len(names) > 0 {
			where = strings.Join(names, ", ") + ": "
		}
		if result.Message != "" {
			fmt.Fprintf(&text, "%s%s\n", where, result.Message)
		}
		for _, f := range result.Findings {
			fmt.Fprintf(&text, "%s%s\n", where, f)
		}
	}
	return text.String()
}

// String returns the sample, the message, and the known cause.
func (f Finding) String() string {
	text := f.Message
	if f.Sample != "" {
		text = f.Sample + ": " + text
	}
	if f.Known != "" {
		text += " (" + f.Known + ")"
	}
	return text
}
