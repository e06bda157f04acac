package github_test

import (
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"unicode"

	"example.com/gatehouse/internal/report/github"
	"example.com/gatehouse/internal/testutil/testtable"
)

func TestAnnotation(t *testing.T) {
	t.Setenv("GITHUB_WORKSPACE", "")
	type test struct {
		testtable.Row
		file, title, text string
		want              string
	}
	for _, tc := range testtable.Checked(t, []test{
		{testtable.Row{"plain", "most are"}, "a/b.yaml", "a/one", "want 1, got 2: no", "::error file=a/b.yaml,line=7,title=a/one::want 1, got 2: no"},
		{testtable.Row{"separators", "they would end a property"}, "a,b:c.yaml", "a: b, c::d", "x::y", "::error file=a%2Cb%3Ac.yaml,line=7,title=a%3A b%2C c%3A%3Ad::x::y"},
		{testtable.Row{"lines", "the message is one line of the log"}, "a.yaml", "a\r\nb", "c\r\nd", "::error file=a.yaml,line=7,title=a%0D%0Ab::c%0D%0Ad"},
		{testtable.Row{"percent", "what looks like an escape is none"}, "a%2C.yaml", "100%", "%0A", "::error file=a%252C.yaml,line=7,title=100%25::%250A"},
		{testtable.Row{"standard input", "it is no file of the repository"}, "standard input", "a", "no", "::error title=a::no"},
		{testtable.Row{"nowhere", "the position is unknown"}, "", "a", "no", "::error title=a::no"},
		{testtable.Row{"old command", "another one in the message must not count"}, "a.yaml", "a", "##[add-mask]x", "::error file=a.yaml,line=7,title=a::## [add-mask]x"},
	}) {
		if got := string(github.Annotation(github.Error, tc.file, 7, tc.title, tc.text)); got != tc.want+"\n" {
			t.Errorf("%s: %s:\n got %swant %s", tc.Name(), tc.Why(), got, tc.want)
		}
	}
}

// isCommand reports whether the runner takes a line for a workflow command: after any space,
// or in the form of its first version.
func isCommand(line string) bool {
	return strings.HasPrefix(strings.TrimLeftFunc(line, unicode.IsSpace), "::") || regexp.MustCompile(`##\[`).MatchString(line)
}

func TestInert(t *testing.T) {
	t.Parallel()
	type test struct {
		testtable.Row
		line, want string
	}
	testtable.Run(t, []test{
		{testtable.Row{"command", "it begins the line"}, "::error::x", ": :error::x"},
		{testtable.Row{"indented", "the runner takes no notice of that"}, "    ::error::x", "    : :error::x"},
		{testtable.Row{"other space", "nor of which space it is"}, "\t\u00a0\u3000::error::x", "\t\u00a0\u3000: :error::x"},
		{testtable.Row{"twice", "the rest begins a line as well"}, "::::error::x", ": :::error::x"},
		{testtable.Row{"old command", "it may be anywhere"}, "said: ##[error]x ##[debug]y", "said: ## [error]x ## [debug]y"},
		{testtable.Row{"old in old", "the rest must not be a command"}, "###[[error]", "### [[error]"},
		{testtable.Row{"after text", "what does not begin the line is none"}, "    | ::error::x", "    | ::error::x"},
		{testtable.Row{"nothing", "there is nothing to do"}, "", ""},
	}, func(t *testing.T, tc test) {
		got := github.Inert(tc.line)
		if got != tc.want || isCommand(got) {
			t.Errorf("%s: got %q, want %q", tc.Why(), got, tc.want)
		}
	})
}

// TestRepositoryPath: GitHub knows files by their path in the repository,
// wherever in it the command runs.
func TestRepositoryPath(t *testing.T) {
	here, err := filepath.Abs(".")
	if err != nil {
		t.Fatal(err)
	}
	type test struct {
		testtable.Row
		workspace, path, want string
	}
	for _, tc := range testtable.Checked(t, []test{
		{testtable.Row{"relative", "as it is"}, "", "suites/a.yaml", "suites/a.yaml"},
		{testtable.Row{"absolute", "GitHub has the repository elsewhere"}, "", filepath.Join(here, "suites", "a.yaml"), "suites/a.yaml"},
		{testtable.Row{"workspace", "the command runs in a folder of it"}, filepath.Dir(here), "a.yaml", "github/a.yaml"},
		{testtable.Row{"outside", "there is no such path"}, "", filepath.FromSlash("../a.yaml"), "../a.yaml"},
	}) {
		t.Setenv("GITHUB_WORKSPACE", tc.workspace)
		if got := github.RepositoryPath(tc.path); got != tc.want {
			t.Errorf("%s: got %q, want %q: %s", tc.Name(), got, tc.want, tc.Why())
		}
	}
}
