package cli

import (
	"bytes"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"sigs.k8s.io/yaml"
)

// projectPolicies has the policies of public projects, and projectSuites what they
// do, each in a file by the same name.
const (
	projectPolicies = "../../admission/registration/policy/testdata/projects"
	projectSuites   = "testdata/projects"
)

// The suites may not be thinned out unnoticed. The policies in manifests of a server
// have no place in them.
const (
	fewestProjectPolicies = 97
	fewestProjectCases    = 235
)

// faulty is what no policy that a server accepts may lead to.
var faulty = regexp.MustCompile(`(?i)panic|internal error|compilation failed`)

// TestProjectPolicies runs the suites of the policies of public projects. Every policy
// is evaluated in one of them.
func TestProjectPolicies(t *testing.T) {
	t.Parallel()
	files, err := filepath.Glob(filepath.Join(projectPolicies, "*.yaml"))
	if err != nil {
		t.Fatal(err)
	}
	all, warned := outcomes{}, 0
	for _, file := range files {
		names := policyNames(t, file)
		if len(names) == 0 {
			continue
		}
		suite := filepath.Join(projectSuites, filepath.Base(file))
		succeeds(t, "test", suite)
		all.add(t, suite, names)
		warned += strings.Count(succeeds(t, "validate", "-f", file), "\nWarning: spec.")
	}
	t.Logf("%d policies in %d cases: %d passed, %d failed, %d mutated, %d skipped, %d with an error, "+
		"%d that do not match; %d requests denied, %d warnings of types", all.policies, all.cases, all.of["passed"],
		all.of["failed"], all.of["applied"], all.of["skipped"], all.of["error"], all.of[""], all.denied, warned)
	if all.policies < fewestProjectPolicies || all.cases < fewestProjectCases {
		t.Errorf("want at least %d policies in %d cases", fewestProjectPolicies, fewestProjectCases)
	}
}

// succeeds returns what a command prints that ends well.
func succeeds(t *testing.T, args ...string) string {
	t.Helper()
	var said bytes.Buffer
	code := execute(t.Context(), args, strings.NewReader(""), &said, &said)
	if code != 0 || faulty.Match(said.Bytes()) {
		t.Errorf("gatehouse %s ends with %d:\n%s", strings.Join(args, " "), code, &said)
	}
	return said.String()
}

// outcomes count what suites expect. As they pass, it is what happens.
type outcomes struct {
	policies, cases, denied int
	// of counts the outcomes of policies; "" is for those that do not match.
	of map[string]int
}

// add counts the cases of a file. It must have one in which each of the policies is
// evaluated.
func (o *outcomes) add(t *testing.T, file string, policies []string) {
	t.Helper()
	evaluated := map[string]bool{}
	if o.of == nil {
		o.of = map[string]int{}
	}
	for _, document := range yamlDocuments(t, file) {
		var suite struct {
			Cases []struct {
				Expect struct {
					Allowed  *bool
					Policies []struct{ Name, Outcome string }
				}
			}
		}
		if err := yaml.Unmarshal(document, &suite); err != nil {
			t.Fatalf("%s: %v", file, err)
		}
		o.cases += len(suite.Cases)
		for _, c := range suite.Cases {
			if c.Expect.Allowed != nil && !*c.Expect.Allowed {
				o.denied++
			}
			for _, p := range c.Expect.Policies {
				o.of[p.Outcome]++
				evaluated[p.Name] = evaluated[p.Name] || p.Outcome != "" || neverMatches[p.Name]
			}
		}
	}
	for _, name := range policies {
		o.policies++
		if !evaluated[name] {
			t.Errorf("%s: no case evaluates the policy %s", file, name)
		}
	}
}

// neverMatches are policies for versions that kube-apiserver no longer serves.
var neverMatches = map[string]bool{"resourceclaim-policy.dra.example.com": true}

// policyNames returns the policies of a file that the API accepts: not those with the
// names of manifests.
func policyNames(t *testing.T, file string) []string {
	t.Helper()
	var names []string
	for _, document := range yamlDocuments(t, file) {
		var o struct {
			Kind     string
			Metadata struct{ Name string }
		}
		if err := yaml.Unmarshal(document, &o); err != nil {
			t.Fatalf("%s: %v", file, err)
		}
		if strings.HasSuffix(o.Kind, "Policy") && !strings.HasSuffix(o.Metadata.Name, ".static.k8s.io") {
			names = append(names, o.Metadata.Name)
		}
	}
	return names
}

func yamlDocuments(t *testing.T, file string) [][]byte {
	t.Helper()
	text, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	return bytes.Split(text, []byte("\n---\n"))
}
