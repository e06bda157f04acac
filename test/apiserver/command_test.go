package apiserver_test

import (
	"context"
	"crypto/tls"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/util/wait"
	"k8s.io/client-go/kubernetes"
	"k8s.io/client-go/rest"
	"k8s.io/client-go/tools/clientcmd"

	"example.com/gatehouse/internal/certs"
	"example.com/gatehouse/internal/testtable"
)

// serving is a `gatehouse serve` in a process of its own.
type serving struct {
	*exec.Cmd
	// temporary is its folder for temporary files, kubeconfig where it writes one.
	temporary, kubeconfig string
	stdout, stderr        *strings.Builder
}

// buildCommand builds the command as users have it.
func buildCommand(t testing.TB) string {
	t.Helper()
	binary := filepath.Join(t.TempDir(), "gatehouse")
	build := exec.CommandContext(t.Context(), "go", "build", "-o", binary, "example.com/gatehouse/cmd/gatehouse")
	if text, err := build.CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, text)
	}
	return binary
}

func serve(t testing.TB, binary string, args ...string) *serving {
	t.Helper()
	s := &serving{
		temporary: t.TempDir(), kubeconfig: filepath.Join(t.TempDir(), "kubeconfig"),
		stdout: &strings.Builder{}, stderr: &strings.Builder{},
	}
	args = append([]string{"serve", "--write-kubeconfig", s.kubeconfig}, args...)
	s.Cmd = exec.CommandContext(context.WithoutCancel(t.Context()), binary, args...)
	s.Stdout, s.Stderr = s.stdout, s.stderr
	s.Env = append(os.Environ(), "TMPDIR="+s.temporary)
	if err := s.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if s.ProcessState == nil {
			_ = s.Process.Kill()
			_ = s.Wait()
		}
	})
	return s
}

// client returns how the server is reached, when its kubeconfig is there.
func (s *serving) client(t testing.TB) *rest.Config {
	t.Helper()
	err := wait.PollUntilContextTimeout(t.Context(), time.Millisecond, time.Minute, true, func(context.Context) (bool, error) {
		_, err := os.Stat(s.kubeconfig)
		return err == nil, nil
	})
	if err != nil {
		t.Fatalf("there is no kubeconfig: %v; the command said %s", err, s.stderr)
	}
	config, err := clientcmd.BuildConfigFromFlags("", s.kubeconfig)
	if err != nil {
		t.Fatal(err)
	}
	return config
}

// end asks the command to stop and returns its exit status.
func (s *serving) end(t testing.TB) int {
	t.Helper()
	if err := s.Process.Signal(syscall.SIGTERM); err != nil {
		t.Fatal(err)
	}
	_ = s.Wait()
	return s.ProcessState.ExitCode()
}

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

// serveOrders runs the webhooks of testdata/manifests.yaml over TLS, and returns their
// address and a file with their CA.
func serveOrders(t *testing.T) (address, caFile string) {
	t.Helper()
	authority, err := certs.NewAuthority("orders")
	if err != nil {
		t.Fatal(err)
	}
	certificate, err := authority.Server("webhook-service.system.svc")
	if err != nil {
		t.Fatal(err)
	}
	server := httptest.NewUnstartedServer(orders())
	server.TLS = &tls.Config{Certificates: []tls.Certificate{certificate}, MinVersion: tls.VersionTLS12}
	server.StartTLS()
	t.Cleanup(server.Close)
	caFile = filepath.Join(t.TempDir(), "ca.crt")
	if err := os.WriteFile(caFile, authority.Bundle(), 0o600); err != nil {
		t.Fatal(err)
	}
	return server.Listener.Addr().String(), caFile
}

// TestCommand drives the command from its start to its end: what it puts in, that
// webhooks are called, and that it leaves nothing behind and tells nobody the token.
func TestCommand(t *testing.T) {
	t.Parallel()
	address, caFile := serveOrders(t)
	data := t.TempDir()
	s := serve(t, buildCommand(t), "-f", "testdata", "--ca-file", caFile, "--data-dir", data, "-v", "9",
		"--resolve", "webhook-service.system.svc:443:"+address)
	config := s.client(t)
	info, err := os.Stat(s.kubeconfig)
	if err != nil || info.Mode().Perm() != 0o600 {
		t.Errorf("the kubeconfig has mode %v (%v), want 0600", info.Mode(), err)
	}
	if _, err := ordersIn(t, config).Create(t.Context(), order("one", 3), metav1.CreateOptions{}); err != nil {
		t.Error(err)
	}
	_, err = ordersIn(t, config).Create(t.Context(), order("none", 0), metav1.CreateOptions{})
	const want = `admission webhook "vorder-v1.kb.io" denied the request: nothing is ordered`
	if got := testtable.Text(err); got != want {
		t.Errorf("got %q, want %q", got, want)
	}
	listNamespaces(t, byCertificate(t, s.kubeconfig))
	// Its end is not held up by those who watch.
	watched, err := ordersIn(t, config).Watch(t.Context(), metav1.ListOptions{})
	if err != nil {
		t.Fatal(err)
	}
	defer watched.Stop()
	if status := s.end(t); status != 0 {
		t.Errorf("exit status %d, want 0: %s", status, s.stderr)
	}
	if names := append(left(t, s.temporary), left(t, filepath.Dir(s.kubeconfig))...); len(names) > 0 {
		t.Errorf("it has left behind %q", names)
	}
	if s.stderr.Len() == 0 || strings.Contains(s.stdout.String()+s.stderr.String(), config.BearerToken) {
		t.Error("the log is empty, or has the token in it")
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
