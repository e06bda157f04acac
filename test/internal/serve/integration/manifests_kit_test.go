package integration_test

import (
	"fmt"
	"net/http"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"testing"

	admissionv1 "k8s.io/api/admission/v1"
	registrationv1 "k8s.io/api/admissionregistration/v1"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	admissionclient "k8s.io/client-go/kubernetes/typed/admissionregistration/v1"

	"example.com/gatehouse/internal/testutil/process"
	"example.com/gatehouse/internal/testutil/reviewtest"
	"example.com/gatehouse/internal/testutil/shop"
)

// manifests is a server whose plugins load webhooks from files.
type manifests struct {
	*server
	// folders have the files, by phase.
	folders map[string]string
	hooks   *process.Webhooks
	// called are the paths of the webhooks that have been called.
	called *list
	// made is how many objects there have been.
	made int
}

// newManifests prepares folders and webhooks. The server is still to be
// started.
func newManifests(t *testing.T) *manifests {
	t.Helper()
	m := &manifests{folders: map[string]string{}, called: &list{}}
	for _, phase := range phases() {
		m.folders[phase] = t.TempDir()
	}
	mux := http.NewServeMux()
	mux.Handle("/mutating", m.noting(&admissionv1.AdmissionResponse{
		Allowed: true, PatchType: new(admissionv1.PatchTypeJSONPatch),
		Patch: []byte(`[{"op":"add","path":"/metadata/labels/static-mutated","value":"true"}]`),
	}))
	for _, path := range []string{"/validating", "/list", "/api"} {
		mux.Handle(path, m.noting(&admissionv1.AdmissionResponse{Allowed: true}))
	}
	m.hooks = process.ServeTLS(t, mux)
	return m
}

// noting records its calls, and responds with answer; it denies configurations.
func (m *manifests) noting(answer *admissionv1.AdmissionResponse) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		reviewtest.Answer(func(q *admissionv1.AdmissionRequest) *admissionv1.AdmissionResponse {
			if q.Resource.Resource == "validatingwebhookconfigurations" {
				return shop.Deny("denied by static webhook")(q)
			}
			m.called.add(r.URL.Path)
			return answer.DeepCopy()
		}).ServeHTTP(w, r)
	})
}

// start starts the server with the folders.
func (m *manifests) start(t *testing.T) {
	t.Helper()
	plugins := map[string]string{}
	for phase, folder := range m.folders {
		plugins[phase] = fmt.Sprintf(`{"apiVersion":"apiserver.config.k8s.io/v1","kind":"WebhookAdmissionConfiguration","staticManifestsDir":%q}`, folder)
	}
	m.server = start(t, "--admission-control-config-file", admissionConfig(t, plugins))
}

// static is a manifest of a webhook with a path, for the creation of a
// resource. All but the mutating one also match validating configurations.
func (m *manifests) static(t *testing.T, path, resource string) string {
	t.Helper()
	phase, rules := "mutating", on(resource, registrationv1.Create)
	if path != phase {
		phase = "validating"
		rules = append(rules, registrationv1.RuleWithOperations{
			Operations: []registrationv1.OperationType{registrationv1.Create},
			Rule: registrationv1.Rule{
				APIGroups: []string{"admissionregistration.k8s.io"}, APIVersions: []string{"v1"}, Resources: []string{"validatingwebhookconfigurations"},
			},
		})
	}
	name := path + ".integration.static.k8s.io"
	webhook := registrationv1.MutatingWebhook{
		Name: name, ClientConfig: at(m.hooks, "/"+path), Rules: rules, FailurePolicy: new(registrationv1.Fail),
		NamespaceSelector: &metav1.LabelSelector{}, ObjectSelector: &metav1.LabelSelector{},
		SideEffects: new(registrationv1.SideEffectClassNone), AdmissionReviewVersions: []string{"v1"},
	}
	return string(configuration(t, phase, name, []registrationv1.MutatingWebhook{webhook}))
}

// dynamic is a configuration for the API, of a webhook that is called at /api
// when a secret is created.
func (m *manifests) dynamic(name string) *registrationv1.ValidatingWebhookConfiguration {
	return &registrationv1.ValidatingWebhookConfiguration{
		ObjectMeta: metav1.ObjectMeta{Name: name},
		Webhooks: []registrationv1.ValidatingWebhook{{
			Name: "api.example.com", ClientConfig: at(m.hooks, "/api"), Rules: on("secrets", registrationv1.Create),
			SideEffects: new(registrationv1.SideEffectClassNone), AdmissionReviewVersions: []string{"v1"},
		}},
	}
}

// validating is the client of configurations.
func (m *manifests) validating() admissionclient.ValidatingWebhookConfigurationInterface {
	return m.AdmissionregistrationV1().ValidatingWebhookConfigurations()
}

// write puts a file into the folder of a phase, in one piece.
func (m *manifests) write(t *testing.T, phase, name, text string) {
	t.Helper()
	if err := os.Rename(writeFile(t, name, text), filepath.Join(m.folders[phase], name)); err != nil {
		t.Fatal(err)
	}
}

func (m *manifests) remove(t *testing.T, phase, name string) {
	t.Helper()
	if err := os.Remove(filepath.Join(m.folders[phase], name)); err != nil {
		t.Fatal(err)
	}
}

// create creates a ConfigMap or a Secret and returns its labels.
func (m *manifests) create(t *testing.T, resource string) map[string]string {
	t.Helper()
	m.made++
	about := metav1.ObjectMeta{Name: fmt.Sprintf("object-%d", m.made), Labels: map[string]string{"app": "test"}}
	var stored metav1.Object
	var err error
	if resource == "secrets" {
		stored, err = m.CoreV1().Secrets("default").Create(t.Context(), &corev1.Secret{ObjectMeta: about}, metav1.CreateOptions{})
	} else {
		stored, err = m.CoreV1().ConfigMaps("default").Create(t.Context(), &corev1.ConfigMap{ObjectMeta: about}, metav1.CreateOptions{})
	}
	if err != nil {
		t.Fatal(err)
	}
	return stored.GetLabels()
}

// await creates objects until exactly the webhooks at some paths are called for
// one.
func (m *manifests) await(t *testing.T, resource string, paths ...string) {
	t.Helper()
	var called []string
	defer func() {
		if t.Failed() {
			t.Logf("at last, %s were seen by the webhooks at %q", resource, called)
		}
	}()
	eventually(t, fmt.Sprintf("%s are not seen by the webhooks at %q", resource, paths), func() bool {
		m.create(t, resource)
		called = m.called.sorted()
		return slices.Equal(called, paths)
	})
}

// wantMutated checks whether the mutating webhook changes stored objects.
func (m *manifests) wantMutated(t *testing.T, want bool) {
	t.Helper()
	if got := m.create(t, "configmaps")["static-mutated"] == "true"; got != want {
		t.Errorf("what is stored has been mutated: %t, want %t", got, want)
	}
	m.called.take()
}

// reload is what the metrics say of the manifests of a plugin.
type reload struct {
	count int
	hash  string
}

// reloaded returns when the metrics of a phase have advanced.
func (m *manifests) reloaded(t *testing.T, phase string, since reload) reload {
	t.Helper()
	const prefix = "apiserver_manifest_admission_config_controller_"
	// The server is known by a hash, as long as those of files.
	series := `\{apiserver_id_hash="sha256:[0-9a-f]{64}",(?:hash="(sha256:[0-9a-f]{64})",)?plugin="` + pluginNames()[phase] + `"(?:,status="success")?\} (\S+)`
	find := func(text, name string) []string {
		return append(regexp.MustCompile(prefix+name+series).FindStringSubmatch(text), "", "", "")
	}
	var now reload
	eventually(t, "the metrics of "+pluginNames()[phase]+" do not advance", func() bool {
		body, err := m.Discovery().RESTClient().Get().AbsPath("/metrics").DoRaw(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		text := string(body)
		now.count, _ = strconv.Atoi(find(text, "automatic_reloads_total")[2])
		now.hash = find(text, "last_config_info")[1]
		return now.count > since.count && now.hash != since.hash && find(text, "automatic_reload_last_timestamp_seconds")[2] > "0"
	})
	return now
}
