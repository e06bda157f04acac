package test

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"go.uber.org/goleak"

	"example.com/gatehouse/internal/suite"
	"example.com/gatehouse/internal/testtable"
)

// row is what every row of every table has to say about itself.
type row = testtable.Row

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

// configuration has a webhook that is not asked about namespaces.
const configuration = `apiVersion: gatehouse/v1alpha1
kind: AdmissionTest
name: %s
configurations:
- apiVersion: admissionregistration.k8s.io/v1
  kind: ValidatingWebhookConfiguration
  metadata: {name: policy}
  webhooks:
  - name: policy.example.com
    clientConfig: {url: "https://127.0.0.1:1/"}
    rules: [{operations: [CREATE], apiGroups: [""], apiVersions: [v1], resources: [pods]}]
    sideEffects: None
    admissionReviewVersions: [v1]
cases:
`

// loaded returns a suite with cases that pass, and after these some that fail.
func loaded(t *testing.T, name string, pass, fail int) *suite.Suite {
	t.Helper()
	var text strings.Builder
	fmt.Fprintf(&text, configuration, name)
	for i := range pass + fail {
		called := ""
		if i >= pass {
			called = "policy.example.com"
		}
		fmt.Fprintf(&text, "- name: case %d\n  request: {object: {apiVersion: v1, kind: Namespace, metadata: {name: a}}}\n  expect: {called: [%s]}\n", i, called)
	}
	file := filepath.Join(t.TempDir(), "suite.yaml")
	if err := os.WriteFile(file, []byte(text.String()), 0o600); err != nil {
		t.Fatal(err)
	}
	suites, err := suite.Load([]string{file}, nil)
	if err != nil {
		t.Fatal(err)
	}
	return suites[0]
}
