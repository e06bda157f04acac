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

// referenceHeading is above the texts of the commands, the last part of the page.
const referenceHeading = "## Commands\n\n"

// TestCommandsPage: the page has the texts, flags and exit statuses of all commands.
func TestCommandsPage(t *testing.T) {
	t.Parallel()
	page, err := os.ReadFile(commandsPage)
	if err != nil {
		t.Fatal(err)
	}
	before, _, found := bytes.Cut(page, []byte(referenceHeading))
	if !found {
		t.Fatalf("%s has no heading %q", commandsPage, referenceHeading)
	}
	want := append(slices.Clone(before), referenceHeading+strings.TrimRight(reference(), "\n")+"\n"...)
	for head, table := range map[string]string{
		"flag": flagTable(), "output": outputTable(), "status": statusTable(t),
	} {
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
	return matrix(commands, names, takes)
}

// statusTable returns the table with what each exit status of each command means.
func statusTable(t *testing.T) string {
	t.Helper()
	statuses := []string{"0", "1", "2", "3", "4", "130"}
	var table strings.Builder
	fmt.Fprintf(&table, "| status | %s |\n|---|%s\n", strings.Join(statuses, " | "),
		strings.Repeat("---|", len(statuses)))
	for _, c := range runnable() {
		_, sentence := statusOf(c)
		meanings := map[string]string{}
		found := statusNumber.FindAllStringSubmatchIndex(sentence, -1)
		for i, m := range found {
			end := len(sentence)
			if i+1 < len(found) {
				end = found[i+1][0]
			}
			meanings[sentence[m[2]:m[3]]] = strings.Trim(sentence[m[1]:end], " ,;.")
		}
		if meanings["0"] == "" || meanings["2"] == "" || meanings["3"] == "" {
			t.Errorf("%s: the text does not say what the exit statuses 0, 2 and 3 mean", c.Name())
		}
		fmt.Fprintf(&table, "| `%s` |", c.Name())
		for _, s := range statuses {
			fmt.Fprintf(&table, " %s |", markdown(meanings[s]))
		}
		table.WriteByte('\n')
	}
	return table.String()
}

// statusNumber finds an exit status in a sentence; after it comes what it means.
var statusNumber = regexp.MustCompile(`(?:and |or )?\b(\d+)\b(?: if)?`)

// statusOf divides the long text of a command into its beginning and the sentence about exit
// statuses.
func statusOf(c *cobra.Command) (text, sentence string) {
	text, sentence, _ = strings.Cut(c.Long, "The exit status is ")
	return strings.TrimSpace(text), strings.ReplaceAll(sentence, "\n", " ")
}

// outputTable returns the table of the flags about output.
func outputTable() string {
	var table strings.Builder
	table.WriteString("| output |")
	names := []string{"output", "verbose", "quiet", "color"}
	for _, name := range names {
		fmt.Fprintf(&table, " `--%s` |", name)
	}
	table.WriteString("\n|---|---|---|---|---|\n")
	for _, c := range runnable() {
		fmt.Fprintf(&table, "| `%s` |", c.Name())
		for _, name := range names {
			if f := c.Flag(name); f != nil {
				_, usage := pflag.UnquoteUsage(f)
				fmt.Fprintf(&table, " %s", markdown(usage))
			}
			table.WriteString(" |")
		}
		table.WriteByte('\n')
	}
	return table.String()
}

// reference returns the text of each command that --help leaves out.
func reference() string {
	var text strings.Builder
	for _, c := range runnable() {
		long, _ := statusOf(c)
		fmt.Fprintf(&text, "### %s\n\n```text\n%s\n```\n\n%s\n\n", c.Name(), c.UseLine(), markdown(long))
	}
	return text.String()
}

// markdown escapes what Markdown would not print.
func markdown(text string) string {
	return strings.NewReplacer("*", `\*`, "<", `\<`, "|", `\|`, "# ", `\# `).Replace(text)
}

// matrix returns the table of flags, with a mark for each command that has one.
func matrix(columns, rows []string, marked map[string][]string) string {
	var table strings.Builder
	fmt.Fprintf(&table, "| flag | %s |\n|---|%s\n", strings.Join(columns, " | "),
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
