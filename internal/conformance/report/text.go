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
		if result.Webhook != "" {
			where = result.Webhook + ": "
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

// String returns the sample and the message.
func (f Finding) String() string {
	if f.Sample == "" {
		return f.Message
	}
	return f.Sample + ": " + f.Message
}
