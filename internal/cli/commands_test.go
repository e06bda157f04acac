package cli

import (
	"bytes"
	"fmt"
	"os"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"
)

// commandsPage is the page with the table of all flags.
const commandsPage = "../../docs/commands.md"

// TestCommandsPage: the page lists all flags and exit statuses of all commands.
func TestCommandsPage(t *testing.T) {
	t.Parallel()
	page, err := os.ReadFile(commandsPage)
	if err != nil {
		t.Fatal(err)
	}
	want := page
	for head, table := range map[string]string{"flag": flagTable(), "status": statusTable(t)} {
		written := regexp.MustCompile(`(?m)^\| ` + head + ` \|.*\n(\|.*\n)*`)
		if !written.Match(page) {
			t.Fatalf("%s has no table that begins with %q", commandsPage, head)
		}
		want = written.ReplaceAllLiteral(want, []byte(table))
	}
	if bytes.Equal(page, want) {
		return
	}
	if !*update {
		t.Fatalf("%s differs from the commands: run the test with -update", commandsPage)
	}
	if err := os.WriteFile(commandsPage, want, 0o600); err != nil {
		t.Fatal(err)
	}
}

// flagTable returns the table, with a row for each flag in alphabetical order.
func flagTable() string {
	var names, commands []string
	takes := map[string][]string{}
	for _, c := range runnable() {
		commands = append(commands, c.Name())
		c.LocalFlags().VisitAll(func(f *pflag.Flag) {
			name := "`--" + f.Name + "`"
			if f.Shorthand != "" {
				name += ", `-" + f.Shorthand + "`"
			}
			if takes[name] == nil {
				names = append(names, name)
			}
			takes[name] = append(takes[name], c.Name())
		})
	}
	slices.Sort(names)
	return matrix("flag", commands, names, takes)
}

// statusTable returns the table of the exit statuses that the help of each
// command names.
func statusTable(t *testing.T) string {
	t.Helper()
	var commands []string
	ends := map[string][]string{}
	for _, c := range runnable() {
		_, sentence, found := strings.Cut(c.Long, "The exit status is ")
		if !found {
			continue // it ends as every program does
		}
		commands = append(commands, c.Name())
		for _, status := range regexp.MustCompile(`\b\d+\b`).FindAllString(sentence, -1) {
			if !slices.Contains(statuses, status) {
				t.Errorf("%s: the help has the exit status %s", c.Name(), status)
			}
			ends[status] = append(ends[status], c.Name())
		}
	}
	return matrix("status", commands, statuses, ends)
}

// statuses are the exit statuses, in order.
var statuses = []string{"0", "1", "2", "3", "4", "130"}

// matrix returns a table with a mark for each row of each column.
func matrix(head string, columns, rows []string, marked map[string][]string) string {
	var table strings.Builder
	fmt.Fprintf(&table, "| %s | %s |\n|---|%s\n", head, strings.Join(columns, " | "),
		strings.Repeat(":-:|", len(columns)))
	for _, row := range rows {
		fmt.Fprintf(&table, "| %s |", row)
		for _, c := range columns {
			cell := " "
			if slices.Contains(marked[row], c) {
				cell = " • "
			}
			table.WriteString(cell + "|")
		}
		table.WriteByte('\n')
	}
	return table.String()
}

// runnable returns the commands that are gatehouse's own.
func runnable() []*cobra.Command {
	var all []*cobra.Command
	for _, c := range New().Commands() {
		if c.Runnable() && c.Name() != "help" {
			all = append(all, c)
		}
	}
	return all
}

// TestFlagsAgree: a flag means the same in every command that has it: it has
// the same short form and takes the same type of value.
func TestFlagsAgree(t *testing.T) {
	t.Parallel()
	seen, short := map[string]*pflag.Flag{}, map[string]string{}
	for _, c := range runnable() {
		c.LocalFlags().VisitAll(func(f *pflag.Flag) {
			first := seen[f.Name]
			if first == nil {
				seen[f.Name], first = f, f
			}
			if f.Shorthand != first.Shorthand || f.Value.Type() != first.Value.Type() {
				t.Errorf("%s: --%s is another flag than in other commands", c.Name(), f.Name)
			}
			if other, taken := short[f.Shorthand]; taken && f.Shorthand != "" && other != f.Name {
				t.Errorf("%s: -%s is --%s, and elsewhere --%s", c.Name(), f.Shorthand, f.Name, other)
			}
			short[f.Shorthand] = f.Name
		})
	}
	if len(seen) < 50 {
		t.Errorf("the commands have %d flags, want at least 50: were they all seen?", len(seen))
	}
}

// TestHelpFits: the help of each command fits on a screen of 60 lines and 100
// columns.
func TestHelpFits(t *testing.T) {
	t.Parallel()
	for _, c := range append(runnable(), New()) {
		var page bytes.Buffer
		c.Root().SetOut(&page)
		if err := c.Help(); err != nil {
			t.Fatal(err)
		}
		lines := strings.Split(strings.TrimSuffix(page.String(), "\n"), "\n")
		t.Logf("%s: %d lines", c.CommandPath(), len(lines))
		if len(lines) > 60 {
			t.Errorf("%s --help has %d lines, want at most 60", c.CommandPath(), len(lines))
		}
		for _, line := range lines {
			if len(line) > 100 {
				t.Errorf("%s --help has a line of %d columns: %s", c.CommandPath(), len(line), line)
			}
		}
	}
}
