package cli

import (
	"bytes"
	"regexp"
	"strings"
	"testing"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"example.com/gatehouse/internal/offline/flags"
)

// helpOf returns the lines of the help of a command.
func helpOf(t *testing.T, c *cobra.Command) []string {
	t.Helper()
	var page bytes.Buffer
	c.Root().SetOut(&page)
	if err := c.Help(); err != nil {
		t.Fatal(err)
	}
	return strings.Split(strings.TrimSuffix(page.String(), "\n"), "\n")
}

// TestHelpFits: the help of each command fits on a screen of 60 lines and 100 columns, and
// that of gatehouse on one of 40 lines.
func TestHelpFits(t *testing.T) {
	t.Parallel()
	for _, c := range append(runnable(), New()) {
		lines, most := helpOf(t, c), 60
		if !c.HasParent() {
			most = 40
		}
		if len(lines) < 10 || len(lines) > most {
			t.Errorf("%s --help has %d lines, want 10 to %d", c.CommandPath(), len(lines), most)
		}
		for _, line := range lines {
			if len(line) > 100 {
				t.Errorf("%s --help has a line of %d columns: %s", c.CommandPath(), len(line), line)
			}
		}
	}
}

// sentence is one sentence, and has no other full stop.
var sentence = regexp.MustCompile(`^[A-Z][^.!?]*\.$`)

// TestHelp: the help of each command has one sentence, then examples, and then all flags in
// groups that --help knows.
func TestHelp(t *testing.T) {
	t.Parallel()
	for _, c := range append(runnable(), New()) {
		help := helpOf(t, c)
		if !sentence.MatchString(help[0]) || help[1] != "" {
			t.Errorf("%s --help begins with %q and %q, want one sentence", c.CommandPath(), help[0], help[1])
		}
		if !regexp.MustCompile(`(?m)^  gatehouse `).MatchString(c.Example) {
			t.Errorf("%s has no example", c.CommandPath())
		}
		checkFlags(t, c, help)
	}
	completion, _, err := New().Find([]string{"completion"})
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range completion.Commands() { // cobra's, which have no examples
		checkFlags(t, c, helpOf(t, c))
	}
}

// checkFlags checks that the help of a command has all its flags.
func checkFlags(t *testing.T, c *cobra.Command, help []string) {
	t.Helper()
	text := strings.Join(help, "\n")
	c.LocalFlags().VisitAll(func(f *pflag.Flag) {
		if flags.GroupOf(f) == "" || !strings.Contains(text, " --"+f.Name) {
			t.Errorf("%s: --%s is in no group of --help", c.CommandPath(), f.Name)
		}
	})
}
