package test

import (
	"errors"
	"fmt"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"unicode"

	"github.com/google/go-cmp/cmp"

	"example.com/gatehouse/internal/testutil/testtable"
)

func TestAnnotation(t *testing.T) {
	t.Parallel()
	type test struct {
		row
		file, title, text string
		want              string
	}
	testtable.Run(t, []test{
		{row{"plain", "most are"}, "a/b.yaml", "a/one", "want 1, got 2: no", "::error file=a/b.yaml,line=7,title=a/one::want 1, got 2: no"},
		{row{"separators", "they would end a property"}, "a,b:c.yaml", "a: b, c::d", "x::y", "::error file=a%2Cb%3Ac.yaml,line=7,title=a%3A b%2C c%3A%3Ad::x::y"},
		{row{"lines", "the message is one line of the log"}, "a.yaml", "a\r\nb", "c\r\nd", "::error file=a.yaml,line=7,title=a%0D%0Ab::c%0D%0Ad"},
		{row{"percent", "what looks like an escape is none"}, "a%2C.yaml", "100%", "%0A", "::error file=a%252C.yaml,line=7,title=100%25::%250A"},
		{row{"standard input", "it is no file of the repository"}, "standard input", "a", "no", "::error title=a::no"},
		{row{"nowhere", "the position is unknown"}, "", "a", "no", "::error title=a::no"},
		{row{"old command", "another one in the message must not count"}, "a.yaml", "a", "##[add-mask]x", "::error file=a.yaml,line=7,title=a::## [add-mask]x"},
	}, func(t *testing.T, tc test) {
		if got := string(annotation(tc.file, 7, tc.title, tc.text)); got != tc.want+"\n" {
			t.Errorf("%s:\n got %swant %s", tc.Why(), got, tc.want)
		}
	})
}

// TestSeparate: each error has its own annotation, unless it has more text than those in
// it.
func TestSeparate(t *testing.T) {
	t.Parallel()
	a, b, c := errors.New("a"), errors.New("b"), errors.New("c")
	type test struct {
		row
		err  error
		want []string
	}
	testtable.Run(t, []test{
		{row{"nothing", "there is no error"}, nil, nil},
		{row{"one", "it is made of nothing"}, a, []string{"a"}},
		{row{"joined", "they stand on lines of their own"}, errors.Join(a, errors.Join(b, c)), []string{"a", "b", "c"}},
		{row{"in a sentence", "half a sentence means nothing"}, fmt.Errorf("%w; %w", a, b), []string{"a; b"}},
		{row{"wrapped", "the prefix belongs to all of them"}, fmt.Errorf("x: %w", errors.Join(a, b)), []string{"x: a\nb"}},
	}, func(t *testing.T, tc test) {
		var got []string
		for _, err := range splitErrors(tc.err) {
			got = append(got, err.Error())
		}
		if diff := cmp.Diff(tc.want, got); diff != "" {
			t.Errorf("%s (-want +got):\n%s", tc.Why(), diff)
		}
	})
}

// isCommand reports whether the runner takes a line for a workflow command: after any space,
// or in the form of its first version.
func isCommand(line string) bool {
	return strings.HasPrefix(strings.TrimLeftFunc(line, unicode.IsSpace), "::") || regexp.MustCompile(`##\[`).MatchString(line)
}

func TestInert(t *testing.T) {
	t.Parallel()
	type test struct {
		row
		line, want string
	}
	testtable.Run(t, []test{
		{row{"command", "it begins the line"}, "::error::x", ": :error::x"},
		{row{"indented", "the runner takes no notice of that"}, "    ::error::x", "    : :error::x"},
		{row{"other space", "nor of which space it is"}, "\t\u00a0\u3000::error::x", "\t\u00a0\u3000: :error::x"},
		{row{"twice", "the rest begins a line as well"}, "::::error::x", ": :::error::x"},
		{row{"old command", "it may be anywhere"}, "said: ##[error]x ##[debug]y", "said: ## [error]x ## [debug]y"},
		{row{"old in old", "the rest must not be a command"}, "###[[error]", "### [[error]"},
		{row{"after text", "what does not begin the line is none"}, "    | ::error::x", "    | ::error::x"},
		{row{"nothing", "there is nothing to do"}, "", ""},
	}, func(t *testing.T, tc test) {
		got := inert(tc.line)
		if got != tc.want || isCommand(got) {
			t.Errorf("%s: got %q, want %q", tc.Why(), got, tc.want)
		}
	})
	err := inertError(errors.Join(errors.New("::a::b"), errors.New("c ##[d]\x1b")))
	if got, want := err.Error(), ": :a::b\nc ## [d]\\x1b"; got != want {
		t.Errorf("got %q, want %q", got, want)
	}
}

// TestRepositoryPath: GitHub knows files by their path in the repository,
// wherever in it the command runs.
func TestRepositoryPath(t *testing.T) {
	here, err := filepath.Abs(".")
	if err != nil {
		t.Fatal(err)
	}
	type test struct {
		row
		workspace, path, want string
	}
	for _, tc := range testtable.Checked(t, []test{
		{row{"relative", "as it is"}, "", "suites/a.yaml", "suites/a.yaml"},
		{row{"absolute", "GitHub has the repository elsewhere"}, "", filepath.Join(here, "suites", "a.yaml"), "suites/a.yaml"},
		{row{"workspace", "the command runs in a folder of it"}, filepath.Dir(here), "a.yaml", "test/a.yaml"},
		{row{"outside", "there is no such path"}, "", filepath.FromSlash("../a.yaml"), "../a.yaml"},
	}) {
		t.Setenv("GITHUB_WORKSPACE", tc.workspace)
		if got := repositoryPath(tc.path); got != tc.want {
			t.Errorf("%s: got %q, want %q: %s", tc.Name(), got, tc.want, tc.Why())
		}
	}
}
