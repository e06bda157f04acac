package cli

import (
	"bytes"
	"context"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// aSuite returns the file of a suite whose only case fails, without anybody being called.
func aSuite(t *testing.T) string {
	t.Helper()
	file := filepath.Join(t.TempDir(), "suite.yaml")
	text := `apiVersion: gatehouse/v1alpha1
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
- name: fails
  request: {object: {apiVersion: v1, kind: Namespace, metadata: {name: a}}}
  expect: {called: [policy.example.com]}
`
	if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	return file
}

// TestSuitesUnwritable: a failure of the output is not one of a suite.
func TestSuitesUnwritable(t *testing.T) {
	t.Parallel()
	for _, args := range [][]string{{"-o", "text"}, {"-o", "json"}, {"-o", "junit"}, {"-o", "github"}, {"--list"}} {
		var stderr bytes.Buffer
		status := execute(t.Context(), append([]string{"test", aSuite(t)}, args...), nil, brokenPipe{}, &stderr)
		if status != exitFailed || !strings.HasSuffix(stderr.String(), "gatehouse: writing the output: broken pipe\n") {
			t.Errorf("%s: status %d and %q, want %d and the reason", args, status, &stderr, exitFailed)
		}
	}
}

// TestSuitesInterrupted before there is anything to be run.
func TestSuitesInterrupted(t *testing.T) {
	t.Parallel()
	ctx, interrupt := context.WithCancel(t.Context())
	interrupt()
	var stderr bytes.Buffer
	if status := execute(ctx, []string{"test", aSuite(t)}, nil, io.Discard, &stderr); status != exitInterrupted {
		t.Errorf("status %d and %q, want %d", status, &stderr, exitInterrupted)
	}
}
