package policy_test

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
	"example.com/gatehouse/admission/registration/policy"
	"example.com/gatehouse/internal/testutil/testtable"
)

// The fixtures may not be thinned out unnoticed.
const (
	fewestDocuments = 126
	fewestPolicies  = 99
)

// header is what every document begins with: where it is from, and what it adds
// to the others.
var header = regexp.MustCompile(`\A# Source: https://\S+\n# Why: (.+)\n`)

// projectCase is a policy or binding that a public project or the documentation
// of Kubernetes has. Its name is <file>/<kind>/<name>.
type projectCase struct {
	testtable.Row
	document []byte
}

// TestProjects accepts what API servers accept every day.
func TestProjects(t *testing.T) {
	t.Parallel()
	cases := projectCases(t)
	policies := 0
	for _, c := range cases {
		if !strings.Contains(c.Name(), "Binding/") {
			policies++
		}
	}
	if len(cases) < fewestDocuments || policies < fewestPolicies {
		t.Fatalf("there are %d documents with %d policies, fewer than %d with %d", len(cases), policies, fewestDocuments, fewestPolicies)
	}
	testtable.Run(t, cases, func(t *testing.T, tc projectCase) {
		o, warnings, err := policy.Decode(tc.document, registration.Strict)
		if err != nil || len(warnings) > 0 {
			t.Fatalf("decoding gives error %v and warnings %q", err, warnings)
		}
		policy.Default(o)
		wantNothing(t, "updating it with itself", policy.ValidateUpdate(o, o))
		wantNothing(t, "its v1 form", policy.ValidateStatic(policy.Convert(o)))
		if !strings.HasSuffix(o.GetName(), ".static.k8s.io") {
			wantNothing(t, "creating it", policy.Validate(o))
		} else if err := policy.CheckManifest(o); err != nil {
			t.Errorf("as a manifest: %v", err)
		}
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
		content, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		reader := yaml.NewYAMLReader(bufio.NewReader(bytes.NewReader(content)))
		for {
			document, err := reader.Read()
			if errors.Is(err, io.EOF) {
				break
			}
			if err != nil {
				t.Fatalf("%s: %v", file, err)
			}
			cases = append(cases, projectCaseOf(t, file, document))
		}
	}
	return cases
}

func projectCaseOf(t *testing.T, file string, document []byte) projectCase {
	t.Helper()
	why := header.FindSubmatch(document)
	if why == nil {
		t.Fatalf("%s: a document does not begin with # Source: and # Why:\n%s", file, document)
	}
	o, _, err := policy.Decode(document, registration.Warn)
	if err != nil {
		t.Fatalf("%s: %v", file, err)
	}
	name := fmt.Sprintf("%s/%s/%s", strings.TrimSuffix(filepath.Base(file), ".yaml"), o.GetObjectKind().GroupVersionKind().Kind, o.GetName())
	return projectCase{testtable.Row{name, string(why[1])}, document}
}
