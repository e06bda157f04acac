package apiserver

import (
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/util/wait"
	"k8s.io/client-go/dynamic"

	"example.com/gatehouse/internal/apiserver/inforce"
	"example.com/gatehouse/internal/apiserver/serviceresolver"
	"example.com/gatehouse/internal/offline/resolve"
)

// world is a server with webhooks: behind a handler, a route, and an address.
type world struct {
	*Server
	address  string
	caBundle []byte
	auditLog string
	// shapeless and sized are kinds that several tests use, by their schemas.
	shapeless, sized pandas
}

// TestWebhooks runs all tests that need webhooks on one server.
func TestWebhooks(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	for name, test := range map[string]func(*testing.T, *world){
		"deny custom resource (E-04)":        testDenyCustom,
		"configurations are exempt (E-08)":   testExempt,
		"mutate custom resource (E-09)":      testMutateCustom,
		"deny definition (E-10)":             testDenyDefinition,
		"different stored version (E-11)":    testStoredVersion,
		"pruning (E-12)":                     testPruning,
		"life of a definition":               testDefinitionLife,
		"first list of a kind":               testFirstList,
		"legacy and aggregated discovery":    testCustomDiscovery,
		"documents":                          testCustomDocuments,
		"table":                              testCustomTable,
		"status and scale":                   testCustomSubresources,
		"defaults":                           testCustomDefaults,
		"apply":                              testCustomApply,
		"conversion webhook":                 testConversion,
		"services":                           testServices,
		"services that do not lead anywhere": testLostServices,
		"warnings":                           testWarnings,
		"audit annotations":                  testAudit,
		"metrics of admission":               testAdmissionMetrics,
		"namespaces must exist":              testNamespaceLifecycle,
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			test(t, w)
		})
	}
}

const auditPolicy = `{"apiVersion":"audit.k8s.io/v1","kind":"Policy","omitStages":["RequestReceived"],"rules":[{"level":"Metadata"}]}`

func newWorld(t *testing.T) *world {
	t.Helper()
	w := &world{auditLog: filepath.Join(t.TempDir(), "audit.log")}
	w.address, w.caBundle = remote(t, "routed.hooks.svc", "stored.hooks.svc", "127.0.0.1")
	policy := filepath.Join(t.TempDir(), "policy.json")
	if err := os.WriteFile(policy, []byte(auditPolicy), 0o600); err != nil {
		t.Fatal(err)
	}
	w.Server = start(t, Config{
		Admission: DefaultAdmission(""),
		Webhooks: serviceresolver.Config{
			Handlers: map[serviceresolver.Service]http.Handler{{Namespace: "hooks", Name: "handler"}: hooks()},
			Routes:   resolve.Table{"routed.hooks.svc:443": w.address},
		},
		Audit: Audit{PolicyFile: policy, LogFile: w.auditLog},
	})
	w.shapeless, w.sized = w.define(t, "shapeless", shapeless, ""), w.define(t, "sized", sized, "")
	return w
}

// namespace creates the test's own.
func (w *world) namespace(t *testing.T) string {
	t.Helper()
	namespace := &corev1.Namespace{ObjectMeta: metav1.ObjectMeta{Name: own(t)}}
	must[*corev1.Namespace](t)(typed(t, w.Server).CoreV1().Namespaces().Create(t.Context(), namespace, metav1.CreateOptions{}))
	return namespace.Name
}

// webhook is an entry of a configuration.
type webhook struct {
	// client is the clientConfig; rules have defaults.
	client, operations, resource, more string
}

// handler is the clientConfig of a webhook in this process.
func handler(path string) string {
	return `{"service":{"namespace":"hooks","name":"handler","path":"` + path + `"}}`
}

// install creates a configuration named like the test and returns when it is in
// force.
func (w *world) install(t *testing.T, kind string, webhooks ...webhook) {
	t.Helper()
	var entries []string
	for i, h := range webhooks {
		group, resource, _ := strings.Cut(h.resource, "/")
		entries = append(entries, fmt.Sprintf(`{"name":"hook-%d.example.com","sideEffects":"None","admissionReviewVersions":["v1"],"clientConfig":%s,
			"rules":[{"operations":[%s],"apiGroups":[%q],"apiVersions":["*"],"resources":[%q]}]%s}`, i, h.client, h.operations, group, resource, h.more))
	}
	object := parse(t, `{"apiVersion":"admissionregistration.k8s.io/v1","kind":"`+kind+`","metadata":{"name":"`+own(t)+`"},"webhooks":[`+strings.Join(entries, ",")+`]}`)
	plural := strings.ToLower(kind) + "s"
	client := untyped(t, w.Server).Resource(schema.GroupVersionResource{Group: "admissionregistration.k8s.io", Version: "v1", Resource: plural})
	created := must[*unstructured.Unstructured](t)(client.Create(t.Context(), object, metav1.CreateOptions{}))
	w.get(t, inforce.Path+plural+"/"+created.GetName()+"?resourceVersion="+created.GetResourceVersion(), "*/*")
}

// inNamespace is a namespaceSelector, to go after a rule.
func inNamespace(name string) string {
	return `,"namespaceSelector":{"matchLabels":{"` + corev1.LabelMetadataName + `":"` + name + `"}}`
}

func parse(t *testing.T, text string) *unstructured.Unstructured {
	t.Helper()
	object := &unstructured.Unstructured{}
	if err := json.Unmarshal([]byte(text), &object.Object); err != nil {
		t.Fatalf("%v: %s", err, text)
	}
	return object
}

// get returns what the server answers at a path, which is not an error.
func (w *world) get(t *testing.T, path, accept string) []byte {
	t.Helper()
	body, err := typed(t, w.Server).Discovery().RESTClient().Get().RequestURI(path).SetHeader("Accept", accept).DoRaw(t.Context())
	if err != nil {
		t.Fatalf("%s: %v %s", path, err, body)
	}
	return body
}

// eventually polls until the condition is true.
func eventually(t *testing.T, what string, ask func() bool) {
	t.Helper()
	err := wait.PollUntilContextTimeout(t.Context(), 10*time.Millisecond, 2*time.Minute, true, func(context.Context) (bool, error) {
		return ask(), nil
	})
	if err != nil {
		t.Fatalf("%s: %v", what, err)
	}
}

func (w *world) configMaps(t *testing.T, namespace string) dynamic.ResourceInterface {
	t.Helper()
	return untyped(t, w.Server).Resource(corev1.SchemeGroupVersion.WithResource("configmaps")).Namespace(namespace)
}

func configMap() *unstructured.Unstructured {
	return &unstructured.Unstructured{Object: map[string]any{"apiVersion": "v1", "kind": "ConfigMap", "metadata": map[string]any{"name": "a"}}}
}
