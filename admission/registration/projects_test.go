package registration_test

import (
	"bufio"
	"bytes"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"k8s.io/apimachinery/pkg/util/validation/field"
	"k8s.io/apimachinery/pkg/util/yaml"

	"example.com/gatehouse/admission/registration"
	"example.com/gatehouse/internal/testutil/testtable"
)

// fewestProjectDocuments keeps the fixtures from being thinned out unnoticed.
const fewestProjectDocuments = 60

// Every fixture says first where its facts are from, and then what it adds to
// the others.
var (
	sourceLine = regexp.MustCompile(`(?m)\A# Source: (https://\S+)$`)
	whyLine    = regexp.MustCompile(`(?m)^# Why: (.+)$`)
)

// projectCase is one configuration that a real project installs. Its name is
// <file>/<kind>/<name>, and its reason is in the file.
type projectCase struct {
	testtable.Row
	document []byte
	source   string
}

// TestProjects holds this package to configurations that API servers accept
// every day: there must be nothing to object to in any of them.
func TestProjects(t *testing.T) {
	t.Parallel()
	cases := projectCases(t)
	if len(cases) < fewestProjectDocuments {
		t.Fatalf("there are %d documents, which is fewer than %d", len(cases), fewestProjectDocuments)
	}
	testtable.Run(t, cases, func(t *testing.T, tc projectCase) {
		if tc.source == "" {
			t.Error("the first line must be a comment that says # Source: and a URL")
		}
		c, warnings, err := registration.Decode(tc.document, registration.Strict)
		if err != nil || len(warnings) > 0 {
			t.Fatalf("decoding gives error %v and warnings %q", err, warnings)
		}
		// Some projects put their configurations into a namespace. An API
		// server takes it away before it looks.
		c.SetNamespace("")
		registration.Default(c)
		wantNothing(t, "creating it", registration.Validate(c))
		wantNothing(t, "updating it with itself", registration.ValidateUpdate(c, c))
		// Not creating, because v1 would ask those of v1beta1 for their side
		// effects.
		stored := registration.Convert(c)
		wantNothing(t, "updating its v1 form with itself", registration.ValidateUpdate(stored, stored))
	})
}

func wantNothing(t *testing.T, doing string, problems field.ErrorList) {
	t.Helper()
	for _, problem := range problems {
		t.Errorf("%s: %v", doing, problem)
	}
}

// projectCases reads the fixtures.
func projectCases(t *testing.T) []projectCase {
	t.Helper()
	files, err := filepath.Glob(filepath.Join("testdata", "projects", "*.yaml"))
	if err != nil {
		t.Fatal(err)
	}
	var cases []projectCase
	for _, file := range files {
		for i, document := range documents(t, file) {
			cases = append(cases, projectCaseOf(t, file, i, document))
		}
	}
	return cases
}

// documents splits a file as kubectl does.
func documents(t *testing.T, file string) [][]byte {
	t.Helper()
	content, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	reader := yaml.NewYAMLReader(bufio.NewReader(bytes.NewReader(content)))
	var all [][]byte
	for {
		document, err := reader.Read()
		if errors.Is(err, io.EOF) {
			return all
		}
		if err != nil {
			t.Fatalf("%s: %v", file, err)
		}
		all = append(all, document)
	}
}

// projectCaseOf names the case after what it contains, which needs only be good
// enough for that: the test decodes the document properly.
func projectCaseOf(t *testing.T, file string, i int, document []byte) projectCase {
	t.Helper()
	var object struct {
		Kind     string
		Metadata struct{ Name string }
	}
	if err := yaml.Unmarshal(document, &object); err != nil {
		t.Fatalf("%s, document %d: %v", file, i+1, err)
	}
	project := strings.TrimSuffix(filepath.Base(file), ".yaml")
	return projectCase{
		Row:      testtable.Row{fmt.Sprintf("%s/%s/%s", project, object.Kind, object.Metadata.Name), group(whyLine, document)},
		document: document,
		source:   group(sourceLine, document),
	}
}

// group returns what the parentheses of the pattern matched, and nothing if it
// did not match.
func group(pattern *regexp.Regexp, text []byte) string {
	if match := pattern.FindSubmatch(text); match != nil {
		return string(match[1])
	}
	return ""
}
