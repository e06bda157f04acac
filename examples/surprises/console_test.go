package main

import (
	"fmt"
	"os"
	"regexp"
	"strings"
	"testing"
)

// A console is a block of a page with a command and its output:
//
//	```console
//	$ gatehouse explain -f webhooks.yaml \
//	    object.yaml
//	CREATE pods/web in shop by gatehouse: admitted
//	...
//	```
//
// A line of three dots, in a tree or not, stands for any number of lines.
type console struct {
	// line is the line of the command, counted from 1.
	line    int
	command string
	// output is the output on the page.
	output string
}

var (
	blocks   = regexp.MustCompile("(?ms)^```console\n(.*?)^```$")
	commands = regexp.MustCompile(`(?s)^\$ ((?:[^\n]*\\\n)*[^\n]*)\n(.*)$`)
)

// consoles returns the blocks of a page. A block must have one command, so that
// its output is unambiguous.
func consoles(t *testing.T, page string) []console {
	t.Helper()
	var all []console
	for _, at := range blocks.FindAllStringSubmatchIndex(page, -1) {
		c := console{line: strings.Count(page[:at[2]], "\n") + 1}
		parts := commands.FindStringSubmatch(page[at[2]:at[3]])
		if parts == nil {
			t.Fatalf("line %d: the block does not begin with a command", c.line)
		}
		c.command, c.output = strings.ReplaceAll(parts[1], "\\\n", " "), parts[2]
		if strings.HasPrefix(c.output, "$ ") || strings.Contains(c.output, "\n$ ") {
			t.Fatalf("line %d: the block has more than one command", c.line)
		}
		all = append(all, c)
	}
	return all
}

// differing matches what varies between runs and machines: times, addresses,
// uids, connection times and ciphers, and the column widths that depend on
// them.
var differing = []struct {
	pattern *regexp.Regexp
	with    string
}{
	{regexp.MustCompile(`(─ )(connection reused, )?(connect|TLS|wait|read) [0-9.]+(µs|ms|s)\b.*`), "${1}times"},
	{regexp.MustCompile(`(, TLS 1\.[23], )\w+`), "${1}cipher"},
	{regexp.MustCompile(`( in )[0-9.]+(µs|ms|s)\n`), "${1}T\n"},
	{regexp.MustCompile(`\b[0-9.]+(µs|ms|s)( +)(yes|no|-) `), "T$2$3 "},
	{regexp.MustCompile(`127\.0\.0\.1:[0-9]+`), "ADDR"},
	{regexp.MustCompile(`[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}`), "UID"},
	{regexp.MustCompile(`(\S) {3,}`), "$1   "},
}

func normal(text string) string {
	for _, d := range differing {
		text = d.pattern.ReplaceAllString(text, d.with)
	}
	return text
}

// shows reports whether the block matches the printed output.
func (c console) shows(printed string) bool {
	var pattern strings.Builder
	for _, line := range strings.SplitAfter(normal(c.output), "\n") {
		if strings.Trim(line, " │├└─\n") == "..." {
			pattern.WriteString(`(?:.*\n)*?`)
			continue
		}
		pattern.WriteString(regexp.QuoteMeta(line))
	}
	return regexp.MustCompile(`^` + pattern.String() + `$`).MatchString(normal(printed))
}

// rewrite replaces the outputs in the blocks of a page, in order.
func rewrite(file, page string, outputs []string) error {
	next := -1
	page = blocks.ReplaceAllStringFunc(page, func(block string) string {
		next++
		parts := commands.FindStringSubmatch(blocks.FindStringSubmatch(block)[1])
		return "```console\n$ " + parts[1] + "\n" + outputs[next] + "```"
	})
	if err := os.WriteFile(file, []byte(page), 0o600); err != nil {
		return fmt.Errorf("rewriting the page: %w", err)
	}
	return nil
}
