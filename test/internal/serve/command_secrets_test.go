package serve_test

import (
	"bufio"
	"bytes"
	"os"
	"path/filepath"
	"strings"
	"testing"

	authenticationv1 "k8s.io/api/authentication/v1"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/client-go/kubernetes"
	"k8s.io/client-go/rest"

	"example.com/gatehouse/internal/testutil/process"
)

// TestCommandSecrets: no credential is in a log, even at the highest verbosity.
func TestCommandSecrets(t *testing.T) {
	t.Parallel()
	folder := t.TempDir()
	policy, log := filepath.Join(folder, "policy.yaml"), filepath.Join(folder, "log")
	if err := os.WriteFile(policy, []byte("apiVersion: audit.k8s.io/v1\nkind: Policy\nrules: [{level: RequestResponse}]\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	s := process.Start(t, binary, "--log-level", "9", "--audit-policy-file", policy, "--audit-log-path", log)
	config := s.Config(t)
	certificate := byCertificate(t, s.Kubeconfig)
	wrong := rest.CopyConfig(config)
	wrong.BearerToken += "x"
	for _, by := range []*rest.Config{config, certificate, wrong} {
		client, err := kubernetes.NewForConfig(by)
		if err != nil {
			t.Fatal(err)
		}
		// The results do not matter here.
		accounts := client.CoreV1().ServiceAccounts(metav1.NamespaceDefault)
		_, _ = accounts.Create(t.Context(), &corev1.ServiceAccount{ObjectMeta: metav1.ObjectMeta{Name: "a"}}, metav1.CreateOptions{})
		_, _ = accounts.CreateToken(t.Context(), "a", &authenticationv1.TokenRequest{}, metav1.CreateOptions{})
		_, _ = client.Discovery().RESTClient().Get().AbsPath("/nowhere").DoRaw(t.Context())
	}
	if status := s.Stop(t); status != 0 {
		t.Errorf("exit status %d", status)
	}
	audit, err := os.ReadFile(log)
	if err != nil {
		t.Fatal(err)
	}
	logs := s.Printed() + string(audit)
	for _, expected := range []string{"/nowhere", "ResponseComplete", "level=DEBUG"} {
		if !strings.Contains(logs, expected) {
			t.Errorf("the logs say nothing of %q: they are not what they should be", expected)
		}
	}
	secrets := append(keyLines(certificate.KeyData), config.BearerToken)
	for _, secret := range secrets {
		if strings.Contains(logs, secret) {
			t.Errorf("a secret of %d bytes is in the logs", len(secret))
		}
	}
}

// keyLines returns the lines of a key that are its own.
func keyLines(key []byte) (lines []string) {
	for scanner := bufio.NewScanner(bytes.NewReader(key)); scanner.Scan(); {
		if line := scanner.Text(); !strings.HasPrefix(line, "-----") {
			lines = append(lines, line)
		}
	}
	return lines
}
