package equivalence_test

import (
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	registrationv1 "k8s.io/api/admissionregistration/v1"
	"sigs.k8s.io/yaml"

	"example.com/gatehouse/internal/equivalence"
	"example.com/gatehouse/internal/manifest"
)

// projects has the policies of public projects.
const projects = "../../admission/registration/policy/testdata/projects/*.yaml"

// everyMutant: one of so many mutants is tried.
const everyMutant = 23

// slips are mistakes in expressions: the first text is replaced by the second.
var slips = [][2]string{
	{"<=", "<"}, {">=", ">"}, {" < ", " <= "}, {" > ", " >= "}, {"==", "!="}, {"&&", "||"}, {"||", "&&"},
	{".all(", ".exists("}, {".exists(", ".all("}, {"!has(", "has("}, {"startsWith", "contains"},
	{"endsWith", "contains"}, {"initContainers", "containers"}, {"true", "false"}, {"false", "true"},
}

var quoted = regexp.MustCompile(`['"][A-Za-z][A-Za-z0-9./-]+['"]`)

// mutants returns an expression with one slip each, or one letter more in a constant.
func mutants(e string) []string {
	var all []string
	for _, slip := range slips {
		for at := 0; ; at += len(slip[0]) {
			next := strings.Index(e[at:], slip[0])
			if next < 0 {
				break
			}
			at += next
			all = append(all, e[:at]+slip[1]+e[at+len(slip[0]):])
		}
	}
	for _, at := range quoted.FindAllStringIndex(e, -1) {
		all = append(all, e[:at[1]-1]+"x"+e[at[1]-1:])
	}
	return all
}

// mutant is a policy and the same with a slip.
type mutant struct {
	policy, mutated *registrationv1.ValidatingAdmissionPolicy
}

// projectMutants returns the mutants of the policies that have neither params nor calls of
// the authorizer, which no request changes.
func projectMutants(t *testing.T) []mutant {
	t.Helper()
	files, err := filepath.Glob(projects)
	if err != nil {
		t.Fatal(err)
	}
	var all []mutant
	for d, err := range manifest.Files(files, nil) {
		if err != nil {
			t.Fatal(err)
		}
		p := &registrationv1.ValidatingAdmissionPolicy{}
		if d.Kind.Kind != "ValidatingAdmissionPolicy" || strings.Contains(string(d.JSON), "authorizer") {
			continue
		}
		if err := yaml.Unmarshal(d.JSON, p); err != nil {
			t.Fatal(err)
		}
		if p.APIVersion = registrationv1.SchemeGroupVersion.String(); p.Spec.ParamKind != nil {
			continue
		}
		for i := range p.Spec.Validations {
			for _, e := range mutants(p.Spec.Validations[i].Expression) {
				m := mutant{p, p.DeepCopy()}
				m.mutated.Spec.Validations[i].Expression = e
				all = append(all, m)
			}
		}
	}
	return all
}

// bound returns a file with a policy and a binding.
func bound(t *testing.T, p *registrationv1.ValidatingAdmissionPolicy) string {
	t.Helper()
	text, err := yaml.Marshal(p)
	if err != nil {
		t.Fatal(err)
	}
	return file(t, string(text)+`---
apiVersion: admissionregistration.k8s.io/v1
kind: ValidatingAdmissionPolicyBinding
metadata: {name: bound}
spec: {policyName: `+p.Name+`, validationActions: [Deny]}
`)
}

// TestProjects finds most slips in policies of public projects for built-in kinds. Some
// mutants are equal to the policy, and are not found either.
func TestProjects(t *testing.T) {
	t.Parallel()
	found, tried := 0, 0
	for i, m := range projectMutants(t) {
		if i%everyMutant != 0 {
			continue
		}
		o := equivalence.Options{Requests: mostTried, Deadline: -1}
		v, err := equivalence.Compare(t.Context(), side(t, "before", bound(t, m.policy)),
			side(t, "after", bound(t, m.mutated)), o)
		if err != nil || len(v.Unknown) > 0 {
			continue // a mutant that does not compile, or a custom kind
		}
		tried++
		if v.Different == nil {
			t.Logf("%s: not found: %v", m.policy.Name, m.mutated.Spec.Validations)
			continue
		}
		found++
		if v.Different.Extra() > 5 {
			t.Errorf("%s: %d fields", m.policy.Name, v.Different.Extra())
		}
	}
	if tried < 6 || found*4 < tried*3 {
		t.Errorf("%d of %d found", found, tried)
	}
}
