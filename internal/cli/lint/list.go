package lint

import (
	"bytes"
	"fmt"
	"text/tabwriter"

	"example.com/gatehouse/internal/lint"
)

// list returns a line for each rule.
func list(rules []*lint.Rule) []byte {
	var out bytes.Buffer
	table := tabwriter.NewWriter(&out, 0, 0, 2, ' ', 0)
	for _, r := range rules {
		fmt.Fprintf(table, "%s\t%s\t%s\n", r.ID, r.Level, r.Title)
	}
	_ = table.Flush() // a Buffer does not fail
	return out.Bytes()
}
