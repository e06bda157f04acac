package apiserver

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/client-go/dynamic"
)

func testNamespaceLifecycle(t *testing.T, w *world) {
	_, err := w.configMaps(t, own(t)).Create(t.Context(), configMap(), metav1.CreateOptions{})
	wantReason(t, err, metav1.StatusReasonNotFound)
	wantText(t, err, `namespaces "`+own(t)+`" not found`)
}

// testWarnings checks that clients receive the warnings of webhooks.
func testWarnings(t *testing.T, w *world) {
	namespace := w.namespace(t)
	w.install(t, "ValidatingWebhookConfiguration", webhook{handler("/talkative"), `"CREATE"`, "/configmaps", inNamespace(namespace)})
	var got heard
	config := w.ClientConfig()
	config.WarningHandler = &got
	client, err := dynamic.NewForConfig(config)
	if err != nil {
		t.Fatal(err)
	}
	must[*unstructured.Unstructured](t)(client.Resource(find(t, "configmaps").GroupVersion().WithResource("configmaps")).Namespace(namespace).Create(t.Context(), configMap(), metav1.CreateOptions{}))
	if diff := cmp.Diff(heard{"think twice"}, got); diff != "" {
		t.Errorf("warnings (-want, +got):\n%s", diff)
	}
}

// testAdmissionMetrics asks for what is counted of webhooks. Each family comes
// once, though the plugins and k8s.io/apiserver both know of it.
func testAdmissionMetrics(t *testing.T, w *world) {
	namespace := w.namespace(t)
	w.install(t, "ValidatingWebhookConfiguration", webhook{handler("/talkative"), `"CREATE"`, "/configmaps", inNamespace(namespace)})
	must[*unstructured.Unstructured](t)(w.configMaps(t, namespace).Create(t.Context(), configMap(), metav1.CreateOptions{}))
	text := string(w.get(t, "/metrics", "*/*"))
	for _, family := range []string{"apiserver_admission_webhook_admission_duration_seconds", "apiserver_admission_webhook_request_total",
		"apiserver_admission_controller_admission_duration_seconds", "apiserver_admission_step_admission_duration_seconds"} {
		if n := strings.Count(text, "# TYPE "+family+" "); n != 1 {
			t.Errorf("%s comes %d times", family, n)
		}
	}
}

// TestPluginConfiguration hands the plugins a file, which they do not like.
func TestPluginConfiguration(t *testing.T) {
	t.Parallel()
	file := filepath.Join(t.TempDir(), "admission.json")
	const config = `{"apiVersion":"apiserver.config.k8s.io/v1","kind":"AdmissionConfiguration","plugins":[{"name":"MutatingAdmissionWebhook",
		"configuration":{"apiVersion":"apiserver.config.k8s.io/v1","kind":"WebhookAdmissionConfiguration","kubeConfigFile":"/nowhere"}}]}`
	if err := os.WriteFile(file, []byte(config), 0o600); err != nil {
		t.Fatal(err)
	}
	rejected(t, t.Context(), Config{Admission: DefaultAdmission(file)}, `couldn't init admission plugin "MutatingAdmissionWebhook": stat /nowhere: no such file or directory`)
}
