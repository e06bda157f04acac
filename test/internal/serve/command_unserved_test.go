package serve_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"example.com/gatehouse/internal/testutil/process"
)

// TestSkipUnknown: what is served is there, and what is not is listed once.
func TestSkipUnknown(t *testing.T) {
	t.Parallel()
	file := filepath.Join(t.TempDir(), "project.yaml")
	const project = `{apiVersion: cert-manager.io/v1, kind: Certificate, metadata: {name: a, namespace: none}}
---
{apiVersion: example.com/v1, kind: Widget, metadata: {name: b}}
---
{apiVersion: cert-manager.io/v1, kind: Certificate, metadata: {name: c}}
---
apiVersion: apiextensions.k8s.io/v1
kind: CustomResourceDefinition
metadata: {name: widgets.example.com}
spec:
  group: example.com
  scope: Namespaced
  names: {plural: widgets, kind: Widget}
  versions: [{name: v1, served: true, storage: true, schema: {openAPIV3Schema: {type: object}}}]
`
	if err := os.WriteFile(file, []byte(project), 0o600); err != nil {
		t.Fatal(err)
	}
	s := process.Start(t, binary, "--skip-unknown", "-f", file)
	listNamespaces(t, s.Config(t))
	if status := s.Stop(t); status != 0 {
		t.Errorf("exit status %d, want 0: %s", status, s.Printed())
	}
	want := "gatehouse: skipped, because the server does not serve them: cert-manager.io/v1 Certificate " +
		"(2 objects, the first in " + file + ": document 1 (line 1))\n"
	if printed := s.Printed(); !strings.Contains(printed, want) || strings.Contains(printed, `"none"`) {
		t.Errorf("printed %s; want %s", printed, want)
	}
}
