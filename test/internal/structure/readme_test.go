package structure

import (
	"os"
	"regexp"
	"strings"
	"testing"
)

// TestREADMEShowsTheExamples keeps the code in the README what is compiled and
// run as examples.
func TestREADMEShowsTheExamples(t *testing.T) {
	readme, err := os.ReadFile("../../../README.md")
	if err != nil {
		t.Fatal(err)
	}
	for name, file := range map[string]string{
		"ExampleNew":       "dispatcher/example_test.go",
		"Example_simulate": "dispatcher/example_test.go",
		"ExampleRegister":  "dispatcher/plugin/example_test.go",
	} {
		examples, err := os.ReadFile("../../../" + file)
		if err != nil {
			t.Fatal(err)
		}
		body := regexp.MustCompile(`(?s)func ` + name + `\(\) \{\n(.*?)\n\t// Output:`).FindSubmatch(examples)
		if body == nil {
			t.Fatalf("there is no %s with an output", name)
		}
		code := strings.ReplaceAll("\n"+string(body[1]), "\n\t", "\n")
		if !strings.Contains(string(readme), "```go"+code+"\n```") {
			t.Errorf("README.md does not show %s as it is now", name)
		}
	}
}
