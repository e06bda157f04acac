package fix

import (
	"strings"

	"github.com/pmezard/go-difflib/difflib"
)

// Diff returns the change as a unified diff that patch takes, with the path of the file
// in both headers.
func (f *File) Diff() string {
	text, err := difflib.GetUnifiedDiffString(difflib.UnifiedDiff{
		A: lines(f.Before), B: lines(f.After), FromFile: f.Path, ToFile: f.Path, Context: 3,
	})
	if err != nil {
		return "" // unreachable: it writes to memory
	}
	return text
}

// lines returns the lines of a text. A diff says so if the last one has no line break.
func lines(text []byte) []string {
	var all []string
	for line := range strings.Lines(string(text)) {
		if !strings.HasSuffix(line, "\n") {
			line += "\n\\ No newline at end of file\n"
		}
		all = append(all, line)
	}
	return all
}
