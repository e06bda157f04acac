package cli

import (
	"bytes"
	"os"
	"regexp"
	"strings"
	"testing"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"
)

// reading returns a command line with which a command reads the file, and nothing else.
func reading(c *cobra.Command, file string) []string {
	args := []string{c.Name()}
	for _, flag := range []string{"before", "after", "filename"} {
		if c.Flags().Lookup(flag) != nil && c.Name() != "test" && c.Name() != "corpus" {
			args = append(args, "--"+flag, file)
		}
	}
	switch c.Name() {
	case "merge", "replay":
		args = append(args, "-o", "results", file)
	case "review":
		args = append(args, "--webhook", "w", file)
	case "audit", "corpus", "diff", "test":
		args = append(args, file)
	}
	return args
}

// ending runs a command, and checks that it prints errors in the one form only. It returns
// them and the status.
func ending(t *testing.T, args ...string) (stderr string, status int) {
	t.Helper()
	var stdout, errors bytes.Buffer
	status = execute(t.Context(), args, strings.NewReader(""), &stdout, &errors)
	for line := range strings.Lines(errors.String()) {
		if !strings.HasPrefix(line, "gatehouse: ") && !strings.HasPrefix(line, "See 'gatehouse ") {
			t.Errorf("%q prints the error %q", args, line)
		}
	}
	if status == 2 && stdout.Len() > 0 {
		t.Errorf("%q fails with the status %d, and prints %s", args, status, &stdout)
	}
	return errors.String(), status
}

// TestUsageErrors: the same mistakes on the command line have the same messages, and the
// values that -o wants are those of its help.
func TestUsageErrors(t *testing.T) {
	t.Parallel()
	for _, c := range runnable() {
		see := "\nSee 'gatehouse " + c.Name() + " --help'.\n"
		check := func(want string, args ...string) {
			t.Helper()
			if got, status := ending(t, args...); status != 2 || got != "gatehouse: "+want+see {
				t.Errorf("%q ends with %d and %q, want %q", args, status, got, want)
			}
		}
		check("unknown flag: --bogus", c.Name(), "--bogus")
		check(`invalid argument "maybe" for "--color" flag: want auto, always or never`,
			c.Name(), "--color", "maybe")
		if f := c.Flags().Lookup("output"); f != nil && f.DefValue != "" {
			check(`--output "bogus": want `+values(f), append(reading(c, "missing"), "-o", "bogus")...)
		}
	}
}

// values returns the values that the usage of a flag lists.
func values(f *pflag.Flag) string {
	_, list, _ := strings.Cut(regexp.MustCompile(` \([^)]*\)`).ReplaceAllString(f.Usage, ""), ": ")
	return list
}

// TestFileErrors: files that no command can read have the same errors in every command that
// reads files, and nothing is printed or written.
func TestFileErrors(t *testing.T) {
	t.Chdir(t.TempDir())
	broken := "kind: List\n---\na: [b\n"
	for name, text := range map[string]string{"empty": "", "broken": broken} {
		if err := os.WriteFile(name, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	if err := os.Mkdir("folder", 0o700); err != nil {
		t.Fatal(err)
	}
	for _, c := range runnable() {
		if name := c.Name(); len(reading(c, "")) == 1 || name == "serve" {
			continue // it reads none, or is another program
		}
		for file, want := range map[string]string{
			"missing": `^gatehouse: missing: cannot be read: no such file or directory\n`,
			"empty":   `^gatehouse: empty(:1)?: |^$`, "folder": `^gatehouse: folder: `,
			"broken": `^gatehouse: broken(:1|: document 2 \(line 3\))?: `,
		} {
			got, status := ending(t, reading(c, file)...)
			if !regexp.MustCompile(want).MatchString(got) || status != 2 && c.Name() != "corpus" {
				t.Errorf("%q ends with %d and %q, want %s", reading(c, file), status, got, want)
			}
		}
	}
}
