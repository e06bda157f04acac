package policies_test

import (
	"bytes"
	"os"
	"path/filepath"
	"testing"

	"github.com/google/go-cmp/cmp"
	registrationv1 "k8s.io/api/admissionregistration/v1"
	apiextensionsv1 "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"
	"sigs.k8s.io/yaml"

	"example.com/gatehouse/internal/offline/policies"
	"example.com/gatehouse/internal/offline/typecheck"
)

// TestTypeCheckingOfProjects compares the warnings of the policies of public projects.
func TestTypeCheckingOfProjects(t *testing.T) {
	t.Parallel()
	custom := &apiextensionsv1.CustomResourceDefinition{}
	if err := yaml.UnmarshalStrict([]byte(gadgets), custom); err != nil {
		t.Fatal(err)
	}
	ours, upstream := typecheck.New(), upstreamChecker(t, custom)
	all, warnings := projectPolicies(t), 0
	for _, p := range all {
		want, got := upstream.Check(p), ours.Check(p)
		if diff := cmp.Diff(withoutTypeNames(want), withoutTypeNames(got)); diff != "" {
			t.Errorf("%s (-upstream +ours):\n%s", p.Name, diff)
		}
		warnings += len(got)
	}
	t.Logf("%d policies with %d warnings", len(all), warnings)
	if len(all) < 70 || warnings < 14 {
		t.Error("the policies do not test enough")
	}
}

// projectPolicies returns the ValidatingAdmissionPolicies of public projects.
func projectPolicies(t *testing.T) []*registrationv1.ValidatingAdmissionPolicy {
	t.Helper()
	files, err := filepath.Glob("../../../../admission/registration/policy/testdata/projects/*.yaml")
	if err != nil {
		t.Fatal(err)
	}
	var all []*registrationv1.ValidatingAdmissionPolicy
	for _, file := range files {
		text, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		for _, document := range bytes.Split(text, []byte("\n---\n")) {
			object, err := yaml.YAMLToJSON(document)
			if err != nil {
				t.Fatalf("%s: %v", file, err)
			}
			parsed, _ := policies.Parse(object) // a manifest has a name that Parse refuses
			if p, ok := parsed.(*registrationv1.ValidatingAdmissionPolicy); ok {
				all = append(all, p)
			}
		}
	}
	return all
}
