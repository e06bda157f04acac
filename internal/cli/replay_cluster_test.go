package cli

import (
	"bytes"
	"context"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"example.com/gatehouse/internal/cli/program"
	"example.com/gatehouse/internal/testutil/forwardtest"
)

// clusterReplay is a corpus of two requests, for each of which a webhook is called.
type clusterReplay struct {
	folder string
	hooks  *hookServer
}

func newClusterReplay(t *testing.T) *clusterReplay {
	t.Helper()
	r := &clusterReplay{t.TempDir(), serveHooks(t)}
	t.Cleanup(r.hooks.Close)
	for name, text := range map[string]string{
		"kubeconfig": "{apiVersion: v1, kind: Config}",
		"ca.crt":     string(r.hooks.caBundle),
		"hooks.yaml": `apiVersion: admissionregistration.k8s.io/v1
kind: ValidatingWebhookConfiguration
metadata: {name: told}
webhooks:
- name: told.example.com
  clientConfig: {service: {namespace: webhooks, name: hooks, path: /told}}
  rules: [{operations: ["*"], apiGroups: [""], apiVersions: [v1], resources: [configmaps]}]
  sideEffects: None
  admissionReviewVersions: [v1]
`,
		"objects.yaml": `{apiVersion: v1, kind: ConfigMap, metadata: {name: a, namespace: default}}
---
{apiVersion: v1, kind: ConfigMap, metadata: {name: b, namespace: default}}
`,
	} {
		if err := os.WriteFile(r.path(name), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	var stderr bytes.Buffer
	args := []string{"run", "--record", r.path("corpus"), r.path("objects.yaml")}
	if status := execute(t.Context(), args, nil, &bytes.Buffer{}, &stderr); status != 0 {
		t.Fatalf("exit status %d: %s", status, stderr.String())
	}
	return r
}

func (r *clusterReplay) path(name string) string { return filepath.Join(r.folder, name) }

// run replays the corpus with the cluster of a server.
func (r *clusterReplay) run(ctx context.Context, server string) (status int, stdout, stderr string) {
	var out, said bytes.Buffer
	status = execute(ctx, []string{
		"replay", r.path("corpus"), "-f", r.path("hooks.yaml"), "--ca-file", r.path("ca.crt"),
		"--cluster", "--kubeconfig", r.path("kubeconfig"), "--server", server,
		"-o", r.path("results"), "--parallel", "1",
	}, nil, &out, &said)
	return status, out.String(), said.String()
}

// TestForbiddenCluster: a replay that may not forward ports ends without a result, and the
// same command continues when it may.
func TestForbiddenCluster(t *testing.T) {
	t.Parallel()
	r := newClusterReplay(t)
	forbidding := forwardtest.Server{Forbidden: "portforward"}
	forbidding.Start(t)
	status, stdout, stderr := r.run(t.Context(), forbidding.URL)
	const want = `gatehouse: forwarding a port to service webhooks/hooks: portforward "portforward" is forbidden`
	if status != 2 || stdout != "" || !strings.Contains(stderr, want) {
		t.Errorf("exit status %d, and it says %s%s", status, stdout, stderr)
	}
	permitting := forwardtest.Server{Backend: r.hooks.Listener.Addr().String(), WebSocket: true}
	permitting.Start(t)
	status, stdout, stderr = r.run(t.Context(), permitting.URL)
	if status != 0 || !strings.HasPrefix(stdout, "2 requests: 2 allowed, 0 denied\n") {
		t.Errorf("exit status %d, and it says %s%s", status, stdout, stderr)
	}
	if n := len(permitting.Requests()); n != 3 {
		t.Errorf("%d requests, want the three of one port-forward", n)
	}
}

// TestInterruptedCluster: a replay ends at once while the API server does not answer.
func TestInterruptedCluster(t *testing.T) {
	t.Parallel()
	r := newClusterReplay(t)
	ctx, interrupt := context.WithCancel(t.Context())
	defer interrupt()
	server := httptest.NewServer(http.HandlerFunc(func(_ http.ResponseWriter, q *http.Request) {
		interrupt()
		<-q.Context().Done()
	}))
	defer server.Close()
	status, stdout, stderr := r.run(ctx, server.URL)
	if status != program.Interrupted || stdout != "" || !strings.HasSuffix(stderr, "gatehouse: interrupted\n") {
		t.Errorf("exit status %d, and it says %s%s", status, stdout, stderr)
	}
}
