package structure

import (
	"fmt"
	"go/ast"
	"go/token"
	"os"
	"os/exec"
	"regexp"
	"strings"
	"testing"
	"unicode/utf8"

	"example.com/gatehouse/internal/testutil/testenv"
)

// unnamedActor finds sentences that do not name who acts.
var unnamedActor = regexp.MustCompile(`\b([Nn]obody|[Ww]hoever|[Ss]omebody|[Aa]nybody)\b`)

// TestSentencesNameTheActor looks at comments, messages and pages: the caller,
// the client, the webhook, the embedder or the API server acts.
func TestSentencesNameTheActor(t *testing.T) {
	for _, path := range tracked(t, "*.go", "*.md", "Makefile", ".ci/*") {
		for n, line := range linesOf(t, path) {
			if word := unnamedActor.FindString(line); word != "" && !allowedActors[path] {
				t.Errorf("%s:%d: %q: say who", path, n+1, word)
			}
		}
	}
}

// allowedActors are files with data that has these words, and why.
var allowedActors = map[string]bool{
	"docs/conformance-findings.md":             true, // a webhook's response
	"test/faultserver/named_test.go":           true, // a UID
	"test/internal/structure/language_test.go": true, // the words
}

// vague are identifiers that had several meanings each.
var vague = map[string]bool{"settle": true, "place": true, "room": true}

// TestOneWordOneMeaning finds identifiers that say nothing.
func TestOneWordOneMeaning(t *testing.T) {
	sources(t, func(path string, fset *token.FileSet, file *ast.File) {
		ast.Inspect(file, func(n ast.Node) bool {
			if id, ok := n.(*ast.Ident); ok && vague[strings.ToLower(id.Name)] {
				t.Errorf("%s: %s: use the field's word", fset.Position(id.Pos()), id.Name)
			}
			return true
		})
	})
}

// TestLinesAreShort finds lines of more than 100 columns. It leaves out tests,
// whose rows are tables, their programs, and lines with a string or a directive.
func TestLinesAreShort(t *testing.T) {
	const most = 100
	excused := regexp.MustCompile("[\"`]|^\\s*//(go:| \\+)|^ +gatehouse ")
	for _, path := range tracked(t, "*.go") {
		if strings.HasSuffix(path, "_test.go") || isUnder(path, "test/internal") || isGenerated(t, path) {
			continue
		}
		for n, line := range linesOf(t, path) {
			if utf8.RuneCountInString(line) > most && !excused.MatchString(line) {
				t.Errorf("%s:%d: %d columns", path, n+1, utf8.RuneCountInString(line))
			}
		}
	}
}

func isGenerated(t *testing.T, path string) bool {
	t.Helper()
	const head = 6
	lines := linesOf(t, path)
	return strings.Contains(strings.Join(lines[:min(head, len(lines))], ""), "DO NOT EDIT")
}

// tracked returns the files of the repository that match a pattern.
func tracked(t *testing.T, patterns ...string) []string {
	t.Helper()
	command := exec.Command("git", append([]string{"ls-files", "--"}, patterns...)...)
	command.Dir = "../../.."
	out, err := command.Output()
	if err != nil {
		testenv.Missing(t, fmt.Errorf("git ls-files: %w", err))
	}
	return strings.Fields(string(out))
}

func linesOf(t *testing.T, path string) []string {
	t.Helper()
	data, err := os.ReadFile("../../../" + path)
	if err != nil {
		t.Fatal(err)
	}
	return strings.Split(string(data), "\n")
}
