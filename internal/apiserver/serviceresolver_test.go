package apiserver

import (
	"encoding/base64"
	"net"
	"strings"
	"testing"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime/schema"

	"example.com/gatehouse/internal/apiserver/inforce"
	"example.com/gatehouse/internal/testutil/testtable"
)

// trusted is a clientConfig with the CA bundle of the webhooks behind TLS.
func (w *world) trusted(t *testing.T, where string) string {
	t.Helper()
	return `{` + where + `,"caBundle":"` + base64.StdEncoding.EncodeToString(w.caBundle) + `"}`
}

// put creates an object, given as JSON without its metadata, in a namespace,
// and returns when the server has noticed.
func (w *world) put(t *testing.T, namespace, name, plural, label, text string) {
	t.Helper()
	object := parse(t, text)
	object.SetName(name)
	object.SetLabels(map[string]string{"kubernetes.io/service-name": label})
	version := schema.FromAPIVersionAndKind(object.GetAPIVersion(), object.GetKind()).GroupVersion()
	created := must[*unstructured.Unstructured](t)(untyped(t, w.Server).Resource(version.WithResource(plural)).Namespace(namespace).Create(t.Context(), object, metav1.CreateOptions{}))
	w.get(t, inforce.Path+plural+"/"+namespace+"/"+name+"?resourceVersion="+created.GetResourceVersion(), "*/*")
}

// testServices reaches the same webhook in all ways. Its response shows that it
// was called.
func testServices(t *testing.T, w *world) {
	hooksNamespace := w.hooksNamespace(t)
	host, port, err := net.SplitHostPort(w.address)
	if err != nil {
		t.Fatal(err)
	}
	w.put(t, hooksNamespace, "stored", "services", "", `{"apiVersion":"v1","kind":"Service","spec":{"ports":[{"name":"web","port":80},{"name":"tls","port":8443,"targetPort":"https"}]}}`)
	w.put(t, hooksNamespace, "stored-1", "endpointslices", "stored", `{"apiVersion":"discovery.k8s.io/v1","kind":"EndpointSlice","addressType":"IPv4","ports":[{"name":"tls","port":`+port+`}],
		"endpoints":[{"addresses":["192.0.2.1"],"conditions":{"ready":false}},{"addresses":["`+host+`"]}]}`)
	type test struct {
		row
		client string
	}
	rows := []test{
		{row{"handler", "a test need not listen"}, handler("/always-deny")},
		{row{"route", "a webhook under development runs where its developer sits"}, w.trusted(t, `"service":{"namespace":"hooks","name":"routed","path":"/always-deny"}`)},
		{row{"stored", "a service has a port by number, and its endpoints have it by name"}, w.trusted(t, `"service":{"namespace":"hooks","name":"stored","port":8443,"path":"/always-deny"}`)},
		{row{"address", "URLs need no service"}, w.trusted(t, `"url":"https://`+w.address+`/always-deny"`)},
	}
	testtable.Run(t, rows, func(t *testing.T, r test) {
		namespace := w.namespace(t)
		w.install(t, "ValidatingWebhookConfiguration", webhook{r.client, `"CREATE"`, "/configmaps", inNamespace(namespace)})
		_, err := w.configMaps(t, namespace).Create(t.Context(), configMap(), metav1.CreateOptions{})
		wantText(t, err, `admission webhook "hook-0.example.com" denied the request: this webhook denies all requests`)
	})
}

// hooksNamespace is the namespace of the services in webhook configurations.
func (w *world) hooksNamespace(t *testing.T) string {
	t.Helper()
	object := parse(t, `{"apiVersion":"v1","kind":"Namespace","metadata":{"name":"hooks"}}`)
	must[*unstructured.Unstructured](t)(untyped(t, w.Server).Resource(schema.GroupVersionResource{Version: "v1", Resource: "namespaces"}).Create(t.Context(), object, metav1.CreateOptions{}))
	return "hooks"
}

func testLostServices(t *testing.T, w *world) {
	const slice = `{"apiVersion":"discovery.k8s.io/v1","kind":"EndpointSlice","addressType":"IPv4","ports":[{"name":"","port":443}],"endpoints":`
	type test struct {
		row
		client, service, slice string
		want                   string
	}
	rows := []test{
		{row{"no service", "it has no address"}, `{"service":{"namespace":"NS","name":"lost"}}`, "", "", `service "lost" not found`},
		{row{"other port", "the port of the reference is the service's"}, `{"service":{"namespace":"NS","name":"lost","port":8443}}`,
			`{"ports":[{"port":443}]}`, "", `no service port 8443 found for service "lost"`},
		{row{"no endpoints", "no controller creates them"}, `{"service":{"namespace":"NS","name":"lost"}}`,
			`{"ports":[{"port":443}]}`, "", `no endpoints available for service "lost"`},
		{row{"external name", "kube-apiserver does not follow it either"}, `{"service":{"namespace":"NS","name":"lost"}}`,
			`{"type":"ExternalName","externalName":"localhost"}`, "", `unsupported service type "ExternalName"`},
		{row{"endpoint elsewhere", "a cluster's webhooks are not called from here"}, `{"service":{"namespace":"NS","name":"lost"}}`,
			`{"ports":[{"port":443}]}`, slice + `[{"addresses":["192.0.2.1"]}]}`, `192.0.2.1:443 is not on this machine`},
		{row{"URL elsewhere", "a cluster's webhooks are not called from here"}, `{"url":"https://webhooks.example.com/"}`,
			"", "", `webhooks.example.com:443 is not on this machine, and connections to other machines are not allowed`},
	}
	testtable.Run(t, rows, func(t *testing.T, r test) {
		namespace := w.namespace(t)
		if r.service != "" {
			w.put(t, namespace, "lost", "services", "", `{"apiVersion":"v1","kind":"Service","spec":`+r.service+`}`)
		}
		if r.slice != "" {
			w.put(t, namespace, "lost-1", "endpointslices", "lost", r.slice)
		}
		client := strings.ReplaceAll(r.client, "NS", namespace)
		w.install(t, "ValidatingWebhookConfiguration", webhook{client, `"CREATE"`, "/configmaps", inNamespace(namespace)})
		_, err := w.configMaps(t, namespace).Create(t.Context(), configMap(), metav1.CreateOptions{})
		wantReason(t, err, metav1.StatusReasonInternalError)
		wantText(t, err, r.want)
	})
}
