package suitefile_test

import (
	"fmt"
	"os"
	"reflect"
	"regexp"
	"strings"
	"testing"

	"example.com/gatehouse/internal/manifest"
	"example.com/gatehouse/internal/suite/suitefile"
	"example.com/gatehouse/internal/testutil/schematest"
)

// page returns the page about suites.
func page(t *testing.T) string {
	t.Helper()
	text, err := os.ReadFile("../../../docs/suites.md")
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

// TestPage reads every suite on the page as if it were one of examples/suites,
// where the files are that they name.
func TestPage(t *testing.T) {
	t.Parallel()
	examples := regexp.MustCompile("(?s)```yaml\n(.*?)```").FindAllStringSubmatch(page(t), -1)
	if len(examples) < 5 {
		t.Errorf("there are %d examples", len(examples))
	}
	for i, example := range examples {
		name := fmt.Sprintf("../../../examples/suites/suites/example %d", i+1)
		for d, err := range manifest.Documents(name, strings.NewReader(example[1])) {
			if err == nil {
				_, err = suitefile.Read(d)
			}
			if err != nil {
				t.Error(err)
			}
		}
	}
}

// TestPageNamesAllFields looks for every field of the format in the tables.
func TestPageNamesAllFields(t *testing.T) {
	t.Parallel()
	var tables strings.Builder
	for line := range strings.Lines(page(t)) {
		if strings.HasPrefix(line, "|") {
			tables.WriteString(line)
		}
	}
	for field := range schematest.GoFields(t, reflect.TypeFor[suitefile.AdmissionTest]()) {
		if field == "apiVersion" || field == "kind" {
			continue // they are in every example
		}
		name := field[strings.LastIndex(field, ".")+1:]
		if !strings.Contains(tables.String(), "`"+name+"`") {
			t.Errorf("no table names %s", field)
		}
	}
}
