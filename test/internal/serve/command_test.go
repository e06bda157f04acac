package serve_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/client-go/kubernetes"
	"k8s.io/client-go/rest"
	"k8s.io/client-go/tools/clientcmd"

	"example.com/gatehouse/internal/testutil/process"
	"example.com/gatehouse/internal/testutil/shop"
	"example.com/gatehouse/internal/testutil/testtable"
)

// left returns what there is in a folder.
func left(t *testing.T, folder string) []string {
	t.Helper()
	entries, err := os.ReadDir(folder)
	if err != nil {
		t.Fatal(err)
	}
	names := []string{}
	for _, entry := range entries {
		names = append(names, entry.Name())
	}
	return names
}

// wantNothingLeft looks for files of a server that has ended.
func wantNothingLeft(t *testing.T, s *process.Process) {
	t.Helper()
	if names := append(left(t, s.Temporary), left(t, filepath.Dir(s.Kubeconfig))...); len(names) > 0 {
		t.Errorf("it has left behind %q", names)
	}
}

// TestCommand runs the command from start to end: it applies its manifests,
// calls and explains webhooks, leaves nothing behind, and does not print the
// token.
func TestCommand(t *testing.T) {
	t.Parallel()
	webhooks := process.ServeTLS(t, shop.Webhooks(), "webhook-service.system.svc")
	caFile := filepath.Join(t.TempDir(), "ca.crt")
	if err := os.WriteFile(caFile, webhooks.CA, 0o600); err != nil {
		t.Fatal(err)
	}
	data := t.TempDir()
	s := process.Start(t, binary, "-f", shop.Folder(), "--ca-file", caFile, "--data-dir", data, "--log-level", "9", "--trace",
		"--resolve", "webhook-service.system.svc:443:"+webhooks.Address)
	config := s.Config(t)
	info, err := os.Stat(s.Kubeconfig)
	if err != nil || info.Mode().Perm() != 0o600 {
		t.Errorf("the kubeconfig has mode %v (%v), want 0600", info.Mode(), err)
	}
	if _, err := shop.Orders(t, config).Create(t.Context(), shop.Order("one", 3), metav1.CreateOptions{}); err != nil {
		t.Error(err)
	}
	_, err = shop.Orders(t, config).Create(t.Context(), shop.Order("none", 0), metav1.CreateOptions{})
	const want = `admission webhook "vorder-v1.kb.io" denied the request: nothing is ordered`
	if got := testtable.Text(err); got != want {
		t.Errorf("got %q, want %q", got, want)
	}
	listNamespaces(t, byCertificate(t, s.Kubeconfig))
	// Open watches do not delay the shutdown.
	watched, err := shop.Orders(t, config).Watch(t.Context(), metav1.ListOptions{})
	if err != nil {
		t.Fatal(err)
	}
	defer watched.Stop()
	if status := s.Stop(t); status != 0 {
		t.Errorf("exit status %d, want 0: %s", status, s.Printed())
	}
	wantNothingLeft(t, s)
	if log := s.Printed(); !strings.Contains(log, "level=INFO") || strings.Contains(log, config.BearerToken) {
		t.Error("the log is empty, or has the token in it")
	}
	for _, explained := range []string{"/none in ", "vorder-v1.kb.io (", "denied the request: nothing is ordered"} {
		if !strings.Contains(s.Printed(), explained) {
			t.Errorf("--trace has not printed %q", explained)
		}
	}
	if strings.Contains(s.Printed(), "/one in ") {
		t.Error("--trace has printed what was admitted")
	}
}

// byCertificate returns how the server is reached without the token.
func byCertificate(t *testing.T, kubeconfig string) *rest.Config {
	t.Helper()
	rules := &clientcmd.ClientConfigLoadingRules{ExplicitPath: kubeconfig}
	overrides := &clientcmd.ConfigOverrides{CurrentContext: "gatehouse-certificate"}
	config, err := clientcmd.NewNonInteractiveDeferredLoadingClientConfig(rules, overrides).ClientConfig()
	if err != nil {
		t.Fatal(err)
	}
	if config.BearerToken != "" {
		t.Fatal("there is a token as well")
	}
	return config
}

func listNamespaces(t *testing.T, config *rest.Config) {
	t.Helper()
	client, err := kubernetes.NewForConfig(config)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := client.CoreV1().Namespaces().List(t.Context(), metav1.ListOptions{}); err != nil {
		t.Error(err)
	}
}
