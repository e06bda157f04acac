package apiserver

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"net/http"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/google/go-cmp/cmp"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime"
	apiadmission "k8s.io/apiserver/pkg/admission"
	"k8s.io/apiserver/pkg/admission/plugin/namespace/lifecycle"
	"k8s.io/client-go/rest"

	"example.com/gatehouse/internal/testutil/testtable"
)

// witness is a plugin that writes down what it sees, by the user agent's last
// word.
type witness struct {
	lock sync.Mutex
	seen []string
}

var (
	_ apiadmission.MutationInterface   = (*witness)(nil)
	_ apiadmission.ValidationInterface = (*witness)(nil)
)

func (*witness) Handles(apiadmission.Operation) bool { return true }

func (w *witness) Admit(_ context.Context, a apiadmission.Attributes, _ apiadmission.ObjectInterfaces) error {
	return w.note("mutating", a)
}

func (w *witness) Validate(_ context.Context, a apiadmission.Attributes, _ apiadmission.ObjectInterfaces) error {
	return w.note("validating", a)
}

func (w *witness) note(phase string, a apiadmission.Attributes) error {
	w.lock.Lock()
	defer w.lock.Unlock()
	resource := a.GetResource().Resource
	if a.GetSubresource() != "" {
		resource += "/" + a.GetSubresource()
	}
	w.seen = append(w.seen, fmt.Sprintf("%s %s %s %s %q object=%s old=%s options=%s", phase, a.GetOperation(), resource,
		a.GetKind().GroupVersion().String()+"."+a.GetKind().Kind, a.GetName(), typeOf(a.GetObject()), typeOf(a.GetOldObject()), typeOf(a.GetOperationOptions())))
	return nil
}

func typeOf(object runtime.Object) string {
	_, name, _ := strings.Cut(fmt.Sprintf("%T", object), ".")
	return name
}

// told returns what it has seen that is about something, and forgets
// everything.
func (w *witness) told(about string) []string {
	w.lock.Lock()
	defer w.lock.Unlock()
	var found []string
	for _, line := range w.seen {
		if strings.Contains(line, about) {
			found = append(found, line)
		}
	}
	w.seen = nil
	return found
}

func (w *witness) register(plugins *apiadmission.Plugins) {
	lifecycle.Register(plugins)
	plugins.Register("Witness", func(io.Reader) (apiadmission.Interface, error) { return w, nil })
}

func witnessed(t *testing.T, folder string) (*witness, *Server) {
	t.Helper()
	w := &witness{}
	return w, start(t, Config{DataDir: folder, Admission: Admission{Register: w.register, Order: []string{lifecycle.PluginName, "Witness"}}})
}

// send returns the code of the answer and its text.
func send(t *testing.T, server *Server, verb, path, body string) (int, string) {
	t.Helper()
	config := server.ClientConfig()
	client, err := rest.HTTPClientFor(config)
	if err != nil {
		t.Fatal(err)
	}
	request, err := http.NewRequestWithContext(t.Context(), verb, config.Host+path, bytes.NewBufferString(body))
	if err != nil {
		t.Fatal(err)
	}
	request.Header.Set("Content-Type", "application/json")
	if verb == http.MethodPatch {
		request.Header.Set("Content-Type", "application/merge-patch+json")
	}
	response, err := client.Do(request)
	if err != nil {
		t.Fatal(err)
	}
	defer response.Body.Close()
	text, err := io.ReadAll(response.Body)
	if err != nil {
		t.Fatal(err)
	}
	return response.StatusCode, string(text)
}

// distinct leaves out what was there before. The store calls admission again if
// the object in its watch cache turns out to be old, which depends on how busy
// the machine is.
func distinct(texts []string) []string {
	var first []string
	for _, text := range texts {
		if !slices.Contains(first, text) {
			first = append(first, text)
		}
	}
	return first
}

// TestSubresourcesInAdmission is I-A6…I-A13: what plugins see of requests to
// subresources.
func TestSubresourcesInAdmission(t *testing.T) {
	t.Parallel()
	type test struct {
		row
		verb, path, body string
		code             int
		// want is empty if no plugin is called.
		want string
	}
	const (
		binding = `{"apiVersion":"v1","kind":"Binding","metadata":{"name":"pods"},"target":{"kind":"Node","name":"foo"}}`
		connect = `object=%s old= options=`
		patched = `object=%[1]s old=%[1]s options=UpdateOptions`
		note    = `{"metadata":{"annotations":{"subresourcepatch":"true"}}}`
	)
	pods := "/api/v1/namespaces/default/pods/pods"
	rows := []test{
		{row{"status", "I-A7"}, http.MethodPatch, pods + "/status", note, 200, `UPDATE pods/status v1.Pod "pods" ` + fmt.Sprintf(patched, "Pod")},
		{row{"scale", "I-A7"}, http.MethodPatch, "/apis/apps/v1/namespaces/default/deployments/deployments/scale", note, 200, `UPDATE deployments/scale autoscaling/v1.Scale "deployments" ` + fmt.Sprintf(patched, "Scale")},
		{row{"old scale", "I-A7: the parent is in the core group"}, http.MethodPatch, "/api/v1/namespaces/default/replicationcontrollers/replicationcontrollers/scale", note, 200, `UPDATE replicationcontrollers/scale autoscaling/v1.Scale "replicationcontrollers" ` + fmt.Sprintf(patched, "Scale")},
		{row{"ephemeral containers", "I-A7"}, http.MethodPatch, pods + "/ephemeralcontainers", note, 200, `UPDATE pods/ephemeralcontainers v1.Pod "pods" ` + fmt.Sprintf(patched, "Pod")},
		{row{"resize", "I-A7"}, http.MethodPatch, pods + "/resize", note, 200, `UPDATE pods/resize v1.Pod "pods" ` + fmt.Sprintf(patched, "Pod")},
		{row{"finalize", "I-A6"}, http.MethodPut, "/api/v1/namespaces/namespaces/finalize", `{"apiVersion":"v1","kind":"Namespace","metadata":{"name":"namespaces"},"spec":{"finalizers":["kubernetes"]}}`, 200, `UPDATE namespaces/finalize v1.Namespace "namespaces" ` + fmt.Sprintf(patched, "Namespace")},
		{row{"exec", "I-A10: of a GET"}, http.MethodGet, pods + "/exec?command=a&stdin=true", "", 501, `CONNECT pods/exec v1.PodExecOptions "pods" ` + fmt.Sprintf(connect, "PodExecOptions")},
		{row{"exec post", "I-A10: of a POST"}, http.MethodPost, pods + "/exec", "", 501, `CONNECT pods/exec v1.PodExecOptions "pods" ` + fmt.Sprintf(connect, "PodExecOptions")},
		{row{"attach", "I-A10"}, http.MethodPost, pods + "/attach", "", 501, `CONNECT pods/attach v1.PodAttachOptions "pods" ` + fmt.Sprintf(connect, "PodAttachOptions")},
		{row{"port forward", "I-A10"}, http.MethodGet, pods + "/portforward?ports=80", "", 501, `CONNECT pods/portforward v1.PodPortForwardOptions "pods" ` + fmt.Sprintf(connect, "PodPortForwardOptions")},
		{row{"port forward nowhere", "I-A10: admission does not get what cannot be read"}, http.MethodGet, pods + "/portforward?ports=a", "", 400, ""},
		{row{"pod proxy", "I-A12: of a PUT"}, http.MethodPut, pods + "/proxy/a/b", "", 501, `CONNECT pods/proxy v1.PodProxyOptions "pods" ` + fmt.Sprintf(connect, "PodProxyOptions")},
		{row{"service proxy", "I-A12: of a DELETE"}, http.MethodDelete, "/api/v1/namespaces/default/services/https:services:80/proxy", "", 501, `CONNECT services/proxy v1.ServiceProxyOptions "https:services:80" ` + fmt.Sprintf(connect, "ServiceProxyOptions")},
		{row{"node proxy", "I-A12: of a PATCH"}, http.MethodPatch, "/api/v1/nodes/nodes/proxy/a", "", 501, `CONNECT nodes/proxy v1.NodeProxyOptions "nodes" ` + fmt.Sprintf(connect, "NodeProxyOptions")},
		{row{"log", "it is read, not connected to: admission has no part in it"}, http.MethodGet, pods + "/log?container=a&follow=true&tailLines=1", "", 501, ""},
		{row{"log of a missing pod", "the first thing to be told"}, http.MethodGet, "/api/v1/namespaces/default/pods/missing/log", "", 404, ""},
		{row{"exec in a missing pod", "I-A10: admission precedes the lookup of the pod"}, http.MethodGet, "/api/v1/namespaces/default/pods/missing/exec", "", 404, `CONNECT pods/exec v1.PodExecOptions "missing" ` + fmt.Sprintf(connect, "PodExecOptions")},
		{row{"token", "I-A13"}, http.MethodPost, "/api/v1/namespaces/default/serviceaccounts/serviceaccounts/token", `{"apiVersion":"authentication.k8s.io/v1","kind":"TokenRequest","metadata":{"name":"serviceaccounts"}}`, 201,
			`CREATE serviceaccounts/token authentication.k8s.io/v1.TokenRequest "serviceaccounts" object=TokenRequest old= options=CreateOptions`},
		{row{"binding", "I-A11"}, http.MethodPost, pods + "/binding", binding, 201, `CREATE pods/binding v1.Binding "pods" object=Binding old= options=CreateOptions`},
		{row{"bindings", "I-A11: which fails, as the pod is bound"}, http.MethodPost, "/api/v1/namespaces/default/bindings", binding, 409, `CREATE bindings v1.Binding "pods" object=Binding old= options=CreateOptions`},
		{row{"eviction", "I-A11"}, http.MethodPost, pods + "/eviction", `{"apiVersion":"policy/v1","kind":"Eviction","metadata":{"name":"pods"},"deleteOptions":{"gracePeriodSeconds":0}}`, 201, `CREATE pods/eviction policy/v1.Eviction "pods" object=Eviction old= options=CreateOptions`},
	}
	w, server := witnessed(t, "")
	for _, plural := range []string{"namespaces", "pods", "deployments", "replicationcontrollers", "services", "nodes", "serviceaccounts"} {
		r := find(t, plural)
		client := untyped(t, server).Resource(r.GroupVersion().WithResource(plural))
		if r.NamespaceScoped {
			must[*unstructured.Unstructured](t)(client.Namespace("default").Create(t.Context(), sample(t, r, plural), metav1.CreateOptions{}))
		} else {
			must[*unstructured.Unstructured](t)(client.Create(t.Context(), sample(t, r, plural), metav1.CreateOptions{}))
		}
	}
	// One after the other: the witness records all requests.
	for _, r := range testtable.Checked(t, rows) {
		w.told("")
		code, text := send(t, server, r.verb, r.path, r.body)
		if code != r.code {
			t.Errorf("%s: got %d %s, want %d", r.Name(), code, text, r.code)
		}
		var want []string
		if r.want != "" {
			want = []string{"mutating " + r.want, "validating " + r.want}
		}
		if diff := cmp.Diff(want, distinct(w.told(""))); diff != "" {
			t.Errorf("%s: seen (-want, +got):\n%s", r.Name(), diff)
		}
	}
}

// TestNoNodes is about the words, which people see in kubectl.
func TestNoNodes(t *testing.T) {
	t.Parallel()
	name := seed(t, "pods")
	for path, want := range map[string]string{
		"exec":        `pods/exec of \"%s\" was admitted, but `,
		"attach":      `pods/attach of \"%s\" was admitted, but `,
		"portforward": `pods/portforward of \"%s\" was admitted, but `,
		"proxy":       `pods/proxy of \"%s\" was admitted, but `,
		"log":         `pods/log of \"%s\": `,
	} {
		_, text := send(t, shared, http.MethodGet, "/api/v1/namespaces/"+own(t)+"/pods/"+name+"/"+path, "")
		want = `"message":"` + fmt.Sprintf(want, name) + `this API server has no nodes that could serve it","reason":"NotImplemented","code":501`
		if !strings.Contains(text, want) {
			t.Errorf("got  %s\nwant %s", text, want)
		}
	}
}
