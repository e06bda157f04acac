package embedding

import (
	"context"
	"io"
	"net/http"
	"strings"
	"sync"
	"testing"
	"time"

	registrationv1 "k8s.io/api/admissionregistration/v1"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/util/wait"
	"k8s.io/client-go/dynamic"
	"k8s.io/client-go/kubernetes"
	"k8s.io/client-go/rest"
)

// resource is what a server serves: one kind in two versions, of which the
// first is stored.
type resource struct {
	first, second schema.GroupVersionResource
	kind          string
	// size is the field with the number of replicas, by version.
	size map[string][]string
	// label is a field with a text that has to be there, by version; nil if
	// there is none.
	label map[string][]string
}

// object returns an object of a version.
func (r *resource) object(t *testing.T, at schema.GroupVersionResource, name string, size int64) *unstructured.Unstructured {
	t.Helper()
	object := &unstructured.Unstructured{Object: map[string]any{}}
	object.SetGroupVersionKind(at.GroupVersion().WithKind(r.kind))
	object.SetName(name)
	r.resize(t, object, size)
	if field := r.label[at.Version]; field != nil {
		if err := unstructured.SetNestedField(object.Object, "marvin", field...); err != nil {
			t.Fatal(err)
		}
	}
	return object
}

// resize changes the number of replicas.
func (r *resource) resize(t *testing.T, object *unstructured.Unstructured, size int64) {
	t.Helper()
	if err := unstructured.SetNestedField(object.Object, size, r.size[object.GroupVersionKind().Version]...); err != nil {
		t.Fatal(err)
	}
}

// server is an API server that is running with a set of plugins.
type server struct {
	name string
	// config leads to it, with all rights.
	config *rest.Config
	// audit is the file with its audit log.
	audit string
	resource
	// stop ends it and waits until it has ended.
	stop func()
}

// world is the environment of a scenario: a namespace, for which only its own
// webhooks are called.
type world struct {
	*server
	transcript
	host      kubernetes.Interface
	hooks     *hooks
	namespace string

	client   dynamic.Interface
	warnings warnings
}

// newWorld makes a namespace on the host, and waits until the server knows it.
func newWorld(t *testing.T, s *server, host kubernetes.Interface, h *hooks, namespace string) *world {
	t.Helper()
	w := &world{server: s, host: host, hooks: h, namespace: namespace}
	config := rest.CopyConfig(s.config)
	config.WarningHandler = &w.warnings
	var err error
	if w.client, err = dynamic.NewForConfig(config); err != nil {
		t.Fatal(err)
	}
	ns := &corev1.Namespace{ObjectMeta: metav1.ObjectMeta{Name: namespace}}
	if _, err := host.CoreV1().Namespaces().Create(t.Context(), ns, metav1.CreateOptions{}); err != nil {
		t.Fatal(err)
	}
	return w
}

// on returns the client of a version in the world's namespace.
func (w *world) on(at schema.GroupVersionResource) dynamic.ResourceInterface {
	return w.client.Resource(at).Namespace(w.namespace)
}

// outcome writes down what a client received: an error, warnings.
func (w *world) outcome(err error) {
	for _, text := range w.warnings.take() {
		w.note("  warning: %s", text)
	}
	if err != nil {
		w.note("  error: %s", w.plain(err.Error()))
	}
}

// plain takes from a text what differs from run to run.
func (w *world) plain(text string) string {
	text = strings.ReplaceAll(text, w.hooks.server.URL, "https://hooks")
	return strings.ReplaceAll(text, w.namespace, "NAMESPACE")
}

// warnings are those that a client received.
type warnings struct {
	mu    sync.Mutex
	texts []string
}

// HandleWarningHeader keeps a warning.
func (w *warnings) HandleWarningHeader(_ int, _, text string) {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.texts = append(w.texts, text)
}

func (w *warnings) take() []string {
	w.mu.Lock()
	defer w.mu.Unlock()
	taken := w.texts
	w.texts = nil
	return taken
}

// hook is a webhook of either phase.
type hook struct {
	name string
	answer
	// rules are those of all versions and subresources unless there are others.
	rules []registrationv1.RuleWithOperations
	// again is true if the policy is IfNeeded.
	again      bool
	conditions []registrationv1.MatchCondition
}

// mutating and validating install webhooks on the host, and return when the
// server calls them.
func (w *world) mutating(t *testing.T, all ...hook) {
	t.Helper()
	c := &registrationv1.MutatingWebhookConfiguration{ObjectMeta: metav1.ObjectMeta{Name: w.namespace}}
	for _, h := range append(all, w.marker("mutating")) {
		v := w.webhook(t, h)
		webhook := registrationv1.MutatingWebhook{
			Name: v.Name, ClientConfig: v.ClientConfig, Rules: v.Rules, NamespaceSelector: v.NamespaceSelector, ObjectSelector: v.ObjectSelector,
			SideEffects: v.SideEffects, AdmissionReviewVersions: v.AdmissionReviewVersions, MatchConditions: v.MatchConditions,
		}
		if h.again {
			webhook.ReinvocationPolicy = new(registrationv1.IfNeededReinvocationPolicy)
		}
		c.Webhooks = append(c.Webhooks, webhook)
	}
	client := w.host.AdmissionregistrationV1().MutatingWebhookConfigurations()
	if _, err := client.Create(t.Context(), c, metav1.CreateOptions{}); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		_ = client.Delete(context.WithoutCancel(t.Context()), c.Name, metav1.DeleteOptions{})
	})
	w.await(t, "mutating")
}

func (w *world) validating(t *testing.T, all ...hook) {
	t.Helper()
	c := &registrationv1.ValidatingWebhookConfiguration{ObjectMeta: metav1.ObjectMeta{Name: w.namespace}}
	for _, h := range append(all, w.marker("validating")) {
		c.Webhooks = append(c.Webhooks, w.webhook(t, h))
	}
	client := w.host.AdmissionregistrationV1().ValidatingWebhookConfigurations()
	if _, err := client.Create(t.Context(), c, metav1.CreateOptions{}); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		_ = client.Delete(context.WithoutCancel(t.Context()), c.Name, metav1.DeleteOptions{})
	})
	w.await(t, "validating")
}

// markerLabel is on objects that only ask whether a configuration is in force.
const markerLabel = "marker"

// marker is a webhook that refuses the objects which ask for a phase.
func (w *world) marker(phase string) hook {
	return hook{name: phase + markerLabel, answer: deny(phase + " is in force")}
}

// webhook returns a webhook as it is configured, and serves it.
func (w *world) webhook(t *testing.T, h hook) registrationv1.ValidatingWebhook {
	path := "/" + w.namespace + "/" + h.name
	w.hooks.serve(t, path, h.answer)
	rules := h.rules
	if rules == nil {
		rules = everything(w.first.Group, "*")
	}
	return registrationv1.ValidatingWebhook{
		Name:                    h.name + ".example.com",
		ClientConfig:            registrationv1.WebhookClientConfig{URL: new(w.hooks.server.URL + path), CABundle: w.hooks.caBundle},
		Rules:                   rules,
		NamespaceSelector:       &metav1.LabelSelector{MatchLabels: map[string]string{corev1.LabelMetadataName: w.namespace}},
		ObjectSelector:          selects(h.name),
		SideEffects:             new(registrationv1.SideEffectClassNone),
		AdmissionReviewVersions: []string{"v1"},
		MatchConditions:         h.conditions,
	}
}

// selects keeps markers and the others apart.
func selects(name string) *metav1.LabelSelector {
	if phase, ok := strings.CutSuffix(name, markerLabel); ok {
		return &metav1.LabelSelector{MatchLabels: map[string]string{markerLabel: phase}}
	}
	return &metav1.LabelSelector{MatchExpressions: []metav1.LabelSelectorRequirement{
		{Key: markerLabel, Operator: metav1.LabelSelectorOpDoesNotExist},
	}}
}

// everything is a rule for all resources and subresources of a group's version.
func everything(group, version string) []registrationv1.RuleWithOperations {
	return []registrationv1.RuleWithOperations{{
		Operations: []registrationv1.OperationType{registrationv1.OperationAll},
		Rule:       registrationv1.Rule{APIGroups: []string{group}, APIVersions: []string{version}, Resources: []string{"*/*"}},
	}}
}

// await polls until the server denies a marker object.
func (w *world) await(t *testing.T, phase string) {
	t.Helper()
	marker := w.object(t, w.first, markerLabel, 1)
	marker.SetLabels(map[string]string{markerLabel: phase})
	var last error
	err := wait.PollUntilContextTimeout(t.Context(), 10*time.Millisecond, 2*time.Minute, true, func(ctx context.Context) (bool, error) {
		_, last = w.on(w.first).Create(ctx, marker, metav1.CreateOptions{DryRun: []string{metav1.DryRunAll}})
		return last != nil && strings.Contains(last.Error(), phase+" is in force"), nil
	})
	if err != nil {
		t.Fatalf("the %s webhooks are not in force: %v; the server said: %v", phase, err, last)
	}
	w.warnings.take()
}

// get returns what the server answers at a path.
func (w *world) get(t *testing.T, path string) string {
	t.Helper()
	client, err := rest.HTTPClientFor(w.config)
	if err != nil {
		t.Fatal(err)
	}
	request, err := http.NewRequestWithContext(t.Context(), http.MethodGet, w.config.Host+path, nil)
	if err != nil {
		t.Fatal(err)
	}
	response, err := client.Do(request)
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = response.Body.Close() }()
	text, err := io.ReadAll(response.Body)
	if err != nil || response.StatusCode != http.StatusOK {
		t.Fatalf("%s: status %d, %v: %s", path, response.StatusCode, err, text)
	}
	return string(text)
}
