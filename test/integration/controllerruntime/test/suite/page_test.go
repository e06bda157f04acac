package suite_test

import (
	"os"
	"strings"
	"testing"
)

// TestPageShowsTheSuites keeps the code in the page about envtest what is
// compiled, and with gatehouse also run, here.
func TestPageShowsTheSuites(t *testing.T) {
	page, err := os.ReadFile("../../../../../docs/envtest.md")
	if err != nil {
		t.Fatal(err)
	}
	for _, file := range []string{"suite_test.go", "suite_envtest_test.go"} {
		text, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		_, code, found := strings.Cut(string(text), "\nvar _ = BeforeSuite(")
		if !found || !strings.Contains(string(page), "```go\nvar _ = BeforeSuite("+code+"```\n") {
			t.Errorf("docs/envtest.md does not show BeforeSuite of %s as it is now", file)
		}
	}
}
