package totals

import (
	"bytes"
	"fmt"
	"io"
	"maps"
	"slices"
	"strings"
	"text/tabwriter"

	"github.com/spf13/pflag"

	"example.com/gatehouse/internal/cli/command"
	"example.com/gatehouse/internal/message"
	"example.com/gatehouse/internal/replay/results"
)

// The values of --summary.
const (
	Text = "text"
	JSON = "json"
)

// AddFlag adds --summary, whose default is Text.
func AddFlag(f *pflag.FlagSet, value *string) {
	*value = Text
	f.StringVar(value, "summary", Text, "`format` of the summary on standard output: text or json")
}

// Check returns a mistake in the value of --summary.
func Check(value string) error {
	if value != Text && value != JSON {
		return fmt.Errorf("--summary %q: want text or json", value)
	}
	return nil
}

// document is the summary as JSON.
type document struct {
	APIVersion string `json:"apiVersion"`
	Kind       string `json:"kind"`
	*results.Summary
}

// Write writes a finished summary in a format.
func Write(out io.Writer, format string, s *results.Summary) error {
	if format == JSON {
		return command.WriteJSON(out, document{command.APIVersion, "ReplaySummary", s})
	}
	return command.Write(out, text(s))
}

func text(s *results.Summary) []byte {
	var out bytes.Buffer
	fmt.Fprintf(&out, "%s: %d allowed, %d denied", message.Count(s.Requests, "request"), s.Allowed,
		s.Denied)
	for _, more := range []struct {
		n    int
		what string
	}{{s.Undecided, "undecided"}, {s.Failed, "failed"}} {
		if more.n > 0 {
			fmt.Fprintf(&out, ", %d %s", more.n, more.what)
		}
	}
	fmt.Fprintln(&out)
	for _, remark := range []struct {
		n        int
		of, what string
	}{
		{s.Broken, "line", "of the corpus could not be read"},
		{s.Assumed, "request", "with an answer that was recorded for another object"},
		{s.Redacted, "request", "with values that are not the original ones"},
	} {
		if remark.n > 0 {
			fmt.Fprintf(&out, "%s %s\n", message.Count(remark.n, remark.of), remark.what)
		}
	}
	for _, failure := range s.Failures {
		fmt.Fprintf(&out, "failed: %s\n", message.Shown(failure, "  "))
	}
	writeTables(&out, s)
	return out.Bytes()
}

// writeTables writes a table of the webhooks and one of the policies.
func writeTables(out *bytes.Buffer, s *results.Summary) {
	if len(s.Webhooks) > 0 {
		table := newTable(out, "\nWEBHOOK\tPHASE\tCALLS\tCHANGED\tOUTCOMES")
		for _, w := range s.Webhooks {
			fmt.Fprintf(table, "%s/%s\t%s\t%d\t%d\t%s\n", w.Configuration, w.Webhook, w.Phase, w.Calls,
				w.Changed, outcomes(w.Outcomes))
		}
		_ = table.Flush() // a Buffer does not fail
	}
	if len(s.Policies) > 0 {
		table := newTable(out, "\nPOLICY\tPHASE\tBINDING\tEVALUATIONS\tOUTCOMES")
		for _, p := range s.Policies {
			fmt.Fprintf(table, "%s\t%s\t%s\t%d\t%s\n", p.Policy, p.Phase, p.Binding, p.Evaluations,
				outcomes(p.Outcomes))
		}
		_ = table.Flush() // a Buffer does not fail
	}
}

func newTable(out io.Writer, header string) *tabwriter.Writer {
	table := tabwriter.NewWriter(out, 0, 0, 2, ' ', 0)
	fmt.Fprintln(table, header)
	return table
}

// outcomes returns for example "allowed 12, rejected 3".
func outcomes(counts map[string]int) string {
	var all []string
	for _, name := range slices.Sorted(maps.Keys(counts)) {
		all = append(all, fmt.Sprintf("%s %d", name, counts[name]))
	}
	return strings.Join(all, ", ")
}
