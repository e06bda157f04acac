package integration_test

import (
	"encoding/json"
	"fmt"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	registrationv1 "k8s.io/api/admissionregistration/v1"

	"example.com/gatehouse/internal/testutil/process"
	"example.com/gatehouse/internal/testutil/reviewtest"
)

// pluginNames are those of the plugins, by phase.
func pluginNames() map[string]string {
	return map[string]string{"mutating": "MutatingAdmissionWebhook", "validating": "ValidatingAdmissionWebhook"}
}

// writeFile returns the path of a new file.
func writeFile(t *testing.T, name, text string) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), name)
	if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	return path
}

// admissionConfig returns a file for --admission-control-config-file which
// gives the plugin of each phase its configuration, in JSON.
func admissionConfig(t *testing.T, configurations map[string]string) string {
	t.Helper()
	var plugins []map[string]any
	for _, phase := range phases() {
		plugins = append(plugins, map[string]any{"name": pluginNames()[phase], "configuration": json.RawMessage(configurations[phase])})
	}
	text, err := json.Marshal(map[string]any{"apiVersion": "apiserver.k8s.io/v1alpha1", "kind": "AdmissionConfiguration", "plugins": plugins})
	if err != nil {
		t.Fatal(err)
	}
	return writeFile(t, "admission.json", string(text))
}

// TestClientAuthentication is I-C1: webhooks are shown the credentials that a
// kubeconfig has for where they are, and of those that fit the closest.
func TestClientAuthentication(t *testing.T) {
	t.Parallel()
	var shown list
	allow := reviewtest.Answer(reviewtest.Allow)
	hooks := process.ServeTLS(t, http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		shown.add(r.URL.Path + " " + r.Header.Get("Authorization"))
		allow.ServeHTTP(w, r)
	}), "localhost")
	_, port, _ := strings.Cut(hooks.Address, ":")
	users := fmt.Sprintf(`[{"name":"localhost:%s","user":{"token":"localhost-match-with-port"}},{"name":"localhost","user":{"token":"localhost-match-without-port"}},
		{"name":"*.localhost","user":{"token":"localhost-prefix"}},{"name":"*","user":{"token":"fallback"}}]`, port)
	kubeconfig := writeFile(t, "webhooks.kubeconfig", `{"apiVersion":"v1","kind":"Config","users":`+users+`}`)
	plugin := fmt.Sprintf(`{"apiVersion":"apiserver.config.k8s.io/v1","kind":"WebhookAdmissionConfiguration","kubeConfigFile":%q}`, kubeconfig)
	s := start(t, "--admission-control-config-file", admissionConfig(t, map[string]string{"mutating": plugin, "validating": plugin}))
	namespace := s.namespace(t, "i-c1")
	for _, phase := range phases() {
		s.install(t, phase, "i-c1", registrationv1.MutatingWebhook{
			Name:              "admission.integration.test",
			ClientConfig:      registrationv1.WebhookClientConfig{URL: new("https://localhost:" + port + "/" + phase), CABundle: hooks.CA},
			Rules:             on("pods", registrationv1.OperationAll),
			NamespaceSelector: within(namespace),
		})
	}
	s.createPods(t, namespace, "one", "two")
	want := []string{"/mutating Bearer localhost-match-with-port", "/validating Bearer localhost-match-with-port"}
	if diff := cmp.Diff(append(want, want...), shown.take()); diff != "" {
		t.Errorf("webhooks were shown (-want, +got):\n%s", diff)
	}
}
