package podsecurity

import (
	"context"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	apiserver "k8s.io/apiserver/pkg/server"
	"k8s.io/client-go/rest"
	"k8s.io/pod-security-admission/admission/api/load"
	"k8s.io/pod-security-admission/cmd/webhook/server"
	podsecuritytest "k8s.io/pod-security-admission/test"

	"example.com/gatehouse/internal/testutil/process"
)

// binary is the built command.
var binary string

func TestMain(m *testing.M) { os.Exit(process.Run(context.Background(), m, &binary)) }

// TestPodSecurity runs every fixture of every level and version: dry runs of
// pods and of Deployments.
func TestPodSecurity(t *testing.T) {
	mux := http.NewServeMux()
	hooks := process.ServeTLS(t, mux, "webhook.pod-security-webhook.svc")
	ca := filepath.Join(t.TempDir(), "ca.pem")
	if err := os.WriteFile(ca, hooks.CA, 0o600); err != nil {
		t.Fatal(err)
	}
	s := process.Start(t, binary, "--quiet", "--ca-file", ca, "-f", manifest(t),
		"--resolve", "webhook.pod-security-webhook.svc:443:"+hooks.Address)
	config := s.Config(t)
	config.QPS = -1 // thousands of requests follow
	mux.HandleFunc("/", newWebhook(t, config).HandleValidate)
	podsecuritytest.Run(t, podsecuritytest.Options{ClientConfig: config})
}

// manifest returns the path of the webhook's configuration.
func manifest(t *testing.T) string {
	t.Helper()
	const module = "k8s.io/pod-security-admission"
	folder, err := exec.CommandContext(t.Context(), "go", "list", "-m", "-f", "{{.Dir}}", module).Output()
	if err != nil {
		t.Fatal(err)
	}
	return filepath.Join(strings.TrimSpace(string(folder)),
		"webhook/manifests/70-validatingwebhookconfiguration.yaml")
}

func newWebhook(t *testing.T, config *rest.Config) *server.Server {
	t.Helper()
	defaults, err := load.LoadFromData(nil)
	if err != nil {
		t.Fatal(err)
	}
	webhook, err := server.Setup(&server.Config{
		SecureServing: &apiserver.SecureServingInfo{}, KubeConfig: config, PodSecurityConfig: defaults,
	})
	if err != nil {
		t.Fatal(err)
	}
	return webhook
}
