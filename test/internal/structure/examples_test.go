package structure

import (
	"os"
	"regexp"
	"strings"
	"testing"
)

// TestPagesShowTheExamples keeps the code on the pages what is compiled and run as
// examples.
func TestPagesShowTheExamples(t *testing.T) {
	read := func(name string) string {
		content, err := os.ReadFile("../../../" + name)
		if err != nil {
			t.Fatal(err)
		}
		return string(content)
	}
	for _, shown := range []struct{ page, name, file string }{
		{"README.md", "ExampleRegister", "dispatcher/plugin/example_test.go"},
		{"docs/embedding.md", "ExampleNew", "dispatcher/example_test.go"},
		{"docs/embedding.md", "Example_simulate", "dispatcher/example_test.go"},
	} {
		body := regexp.MustCompile(`(?s)func ` + shown.name + `\(\) \{\n(.*?)\n\t// Output:`).FindStringSubmatch(read(shown.file))
		if body == nil {
			t.Fatalf("there is no %s with an output", shown.name)
		}
		code := strings.ReplaceAll("\n"+body[1], "\n\t", "\n")
		if !strings.Contains(read(shown.page), "```go"+code+"\n```") {
			t.Errorf("%s does not show %s as it is now", shown.page, shown.name)
		}
	}
}
