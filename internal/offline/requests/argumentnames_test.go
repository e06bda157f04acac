package requests

import (
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
)

// unsaid are the arguments that have no flag, and why.
func unsaid() map[string]string {
	return map[string]string{"By.Preconditions": "no flag asks for them"}
}

// TestWords looks for every argument that package request may blame in both
// vocabularies.
func TestWords(t *testing.T) {
	t.Parallel()
	arguments, excused := blamed(t), unsaid()
	if !slices.Contains(arguments, "Endpoint.Name") || len(arguments) < 10 {
		t.Fatalf("package request blames only %q", arguments)
	}
	for _, argument := range arguments {
		if _, ok := fields()[argument]; !ok {
			t.Errorf("files have no word for %s", argument)
		}
		if _, ok := flags()[argument]; !ok == (excused[argument] == "") {
			t.Errorf("the command line has a word for %s: %t, excused: %q", argument, ok, excused[argument])
		}
	}
}

// blamed returns the arguments in the sources of package request, and those
// that are named after fields of options.
func blamed(t *testing.T) []string {
	t.Helper()
	arguments := []string{"By.DryRun", "By.FieldManager", "By.FieldValidation", "By.PropagationPolicy"}
	files, err := filepath.Glob("../../../admission/request/*.go")
	if err != nil {
		t.Fatal(err)
	}
	for _, file := range files {
		source, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		if strings.HasSuffix(file, "_test.go") {
			continue
		}
		for _, found := range regexp.MustCompile(`(?:wrong|hasNone)\("([A-Z][\w.]*\w)"`).FindAllSubmatch(source, -1) {
			arguments = append(arguments, string(found[1]))
		}
	}
	return arguments
}
