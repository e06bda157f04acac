package handlers_test

import (
	"fmt"
	"go/format"
	"net/http"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"example.com/gatehouse/examples/suites/handlers"
	"example.com/gatehouse/test/webhooktest"
)

// TestSuites runs the suites in this process, where nothing has to be compiled
// or started.
func TestSuites(t *testing.T) {
	t.Parallel()
	webhooktest.Run(t, "../suites", webhooktest.Handler(platform()))
}

// platform returns the webhooks as the suites expect them to be started.
func platform() http.Handler {
	return handlers.New("registry.example.com/", "mirror.example.com:5000/")
}

// TestSizes changes every size into every other, which would be long in a file.
func TestSizes(t *testing.T) {
	t.Parallel()
	s := webhooktest.New(t, webhooktest.Files("../config"), webhooktest.Handler(handlers.New()))
	sizes := []string{"512Mi", "1Gi", "1025Mi", "20Gi", "1Ti"}
	var cases []webhooktest.Case
	for i, from := range sizes {
		for j, to := range sizes {
			want := webhooktest.Allowed()
			if j < i {
				want = webhooktest.Denied().Code(403).Message("cannot shrink from " + from + " to " + to)
			}
			cases = append(cases, webhooktest.Case{
				Name:    from + " to " + to,
				Request: webhooktest.Update(database(from), database(to)).As("ann", "developers"),
				Want:    want.Called("databases.platform.example.com"),
			})
		}
	}
	s.Run(t, cases...)
}

func database(storage string) string {
	return fmt.Sprintf(`{apiVersion: platform.example.com/v1, kind: Database,
		metadata: {name: orders, namespace: data}, spec: {engine: postgres, storage: %s}}`, storage)
}

// TestPage runs the suites of docs/suites.md in this project.
func TestPage(t *testing.T) {
	t.Parallel()
	project := t.TempDir()
	if err := os.CopyFS(project, os.DirFS("..")); err != nil {
		t.Fatal(err)
	}
	shown := blocks(t, "yaml")
	if len(shown) < 5 {
		t.Fatalf("the page shows %d suites", len(shown))
	}
	for i, text := range shown {
		file := filepath.Join(project, "suites", fmt.Sprintf("page-%d.yaml", i))
		if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		webhooktest.Run(t, file, webhooktest.Handler(platform()))
	}
}

// TestPageShowsThis looks in this file for the Go code of the page. Code that
// imports other modules is only checked for its format.
func TestPageShowsThis(t *testing.T) {
	t.Parallel()
	code, err := os.ReadFile("suites_test.go")
	if err != nil {
		t.Fatal(err)
	}
	shown := blocks(t, "go")
	if len(shown) == 0 {
		t.Error("the page shows no code")
	}
	for _, text := range shown {
		formatted, err := format.Source([]byte(text))
		switch {
		case strings.HasPrefix(text, `import "sigs.k8s.io/`):
			if err != nil || string(formatted) != text {
				t.Errorf("the code is not as gofmt has it: %v\n%s", err, text)
			}
		case !strings.Contains(string(code), text):
			t.Errorf("there is no such code here:\n%s", text)
		}
	}
}

// blocks returns the code blocks of the page in a language.
func blocks(t *testing.T, language string) []string {
	t.Helper()
	page, err := os.ReadFile("../../../docs/suites.md")
	if err != nil {
		t.Fatal(err)
	}
	var texts []string
	for _, found := range regexp.MustCompile("(?s)```"+language+"\n(.*?)```").FindAllSubmatch(page, -1) {
		texts = append(texts, string(found[1]))
	}
	return texts
}
