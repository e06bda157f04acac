package embedding

import (
	"context"
	"io"
	"net/http"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
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
	// id is the API server ID in its metrics.
	id string
	// config leads to it, with all rights.
	config *rest.Config
	// audit is the file with its audit log.
	audit string
	// static is the namespace for which its static manifests are.
	static string
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

	http     *http.Client
	client   dynamic.Interface
	warnings warnings
	// requests counts those in the namespace.
	requests atomic.Int64
}

// newWorld makes a namespace on the host, and waits until the server knows it.
func newWorld(t *testing.T, s *server, host kubernetes.Interface, h *hooks, namespace string) *world {
	t.Helper()
	w := &world{server: s, host: host, hooks: h, namespace: namespace}
	config := rest.CopyConfig(s.config)
	config.WarningHandler = &w.warnings
	config.Wrap(func(next http.RoundTripper) http.RoundTripper { return counter{w, next} })
	var err error
	if w.http, err = rest.HTTPClientFor(config); err != nil {
		t.Fatal(err)
	}
	if w.client, err = dynamic.NewForConfigAndClient(config, w.http); err != nil {
		t.Fatal(err)
	}
	ns := &corev1.Namespace{ObjectMeta: metav1.ObjectMeta{Name: namespace}}
	if _, err := host.CoreV1().Namespaces().Create(t.Context(), ns, metav1.CreateOptions{}); err != nil {
		t.Fatal(err)
	}
	return w
}

// counter counts the requests in the namespace of its world.
type counter struct {
	*world
	next http.RoundTripper
}

// RoundTrip implements http.RoundTripper.
func (c counter) RoundTrip(r *http.Request) (*http.Response, error) {
	if strings.Contains(r.URL.Path, c.namespace) {
		c.requests.Add(1)
	}
	return c.next.RoundTrip(r)
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
	// service is the webhook's; if it is "", the webhook has a URL.
	service string
	// rules are those of all versions and subresources unless there are others.
	rules []registrationv1.RuleWithOperations
	// again is true if the policy is IfNeeded.
	again bool
	// open is true if failurePolicy is Ignore.
	open       bool
	conditions []registrationv1.MatchCondition
}

// mutating and validating install webhooks on the host, and return when the
// server calls them.
func (w *world) mutating(t *testing.T, all ...hook) {
	t.Helper()
	c := &registrationv1.MutatingWebhookConfiguration{ObjectMeta: metav1.ObjectMeta{Name: w.namespace}}
	for _, h := range append(all, w.marker("mutating")) {
		c.Webhooks = append(c.Webhooks, mutatingHook(w.webhook(t, h), h.again))
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
	w.hooks.serve(t, hookPath(w.namespace, h.name), h.answer)
	rules := h.rules
	if rules == nil {
		rules = everything(w.first.Group, "*")
	}
	return h.configured(w.hooks, w.namespace, rules)
}

// hookPath is the path of a webhook for a namespace.
func hookPath(namespace, name string) string { return "/" + namespace + "/" + name }

// configured returns a webhook for a namespace. Its name contains the
// namespace, so that metrics tell the scenarios apart.
func (h hook) configured(served *hooks, namespace string, rules []registrationv1.RuleWithOperations) registrationv1.ValidatingWebhook {
	path := hookPath(namespace, h.name)
	config := registrationv1.WebhookClientConfig{CABundle: served.caBundle}
	if h.service == "" {
		config.URL = new(served.server.URL + path)
	} else {
		config.Service = &registrationv1.ServiceReference{Namespace: serviceNamespace, Name: h.service, Path: &path}
	}
	policy := registrationv1.Fail
	if h.open {
		policy = registrationv1.Ignore
	}
	return registrationv1.ValidatingWebhook{
		Name:                    h.name + "." + namespace + ".example.com",
		ClientConfig:            config,
		Rules:                   rules,
		FailurePolicy:           &policy,
		NamespaceSelector:       &metav1.LabelSelector{MatchLabels: map[string]string{corev1.LabelMetadataName: namespace}},
		ObjectSelector:          selects(h.name, rules),
		SideEffects:             new(registrationv1.SideEffectClassNone),
		AdmissionReviewVersions: []string{"v1"},
		MatchConditions:         h.conditions,
	}
}

// mutatingHook returns the same webhook for the other phase.
func mutatingHook(v registrationv1.ValidatingWebhook, again bool) registrationv1.MutatingWebhook {
	webhook := registrationv1.MutatingWebhook{
		Name: v.Name, ClientConfig: v.ClientConfig, Rules: v.Rules, FailurePolicy: v.FailurePolicy,
		NamespaceSelector: v.NamespaceSelector, ObjectSelector: v.ObjectSelector, SideEffects: v.SideEffects,
		AdmissionReviewVersions: v.AdmissionReviewVersions, MatchConditions: v.MatchConditions,
	}
	if again {
		webhook.ReinvocationPolicy = new(registrationv1.IfNeededReinvocationPolicy)
	}
	return webhook
}

// selects keeps markers and the others apart. The options of a CONNECT request
// have no labels, and no selector but the empty one matches them.
func selects(name string, rules []registrationv1.RuleWithOperations) *metav1.LabelSelector {
	if slices.Contains(rules[0].APIGroups, phoneVersion.Group) {
		return &metav1.LabelSelector{}
	}
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

// get returns the text at a path.
func (w *world) get(t *testing.T, path string) string {
	t.Helper()
	status, text := w.send(t, path)
	if status != http.StatusOK {
		t.Fatalf("%s: status %d: %s", path, status, text)
	}
	return text
}

// send sends a GET request.
func (w *world) send(t *testing.T, path string) (status int, text string) {
	t.Helper()
	request, err := http.NewRequestWithContext(t.Context(), http.MethodGet, w.config.Host+path, nil)
	if err != nil {
		t.Fatal(err)
	}
	response, err := w.http.Do(request)
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = response.Body.Close() }()
	body, err := io.ReadAll(response.Body)
	if err != nil {
		t.Fatalf("%s: %v", path, err)
	}
	return response.StatusCode, string(body)
}
