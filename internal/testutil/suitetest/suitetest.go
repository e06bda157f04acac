package suitetest

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"example.com/gatehouse/internal/suite"
)

// webhook is the configuration: a webhook that does not match namespaces, which
// all cases create.
const webhook = `apiVersion: gatehouse/v1alpha1
kind: AdmissionTest
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

// File returns the path of a suite with cases that pass, and after these some
// that fail. It is gone when the test ends.
func File(t *testing.T, pass, fail int) string {
	t.Helper()
	var text strings.Builder
	text.WriteString(webhook)
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
	return file
}

// Load returns the suite of File.
func Load(t *testing.T, pass, fail int) *suite.Suite {
	t.Helper()
	suites, err := suite.Load([]string{File(t, pass, fail)}, nil)
	if err != nil {
		t.Fatal(err)
	}
	return suites[0]
}
