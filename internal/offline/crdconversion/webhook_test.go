package crdconversion_test

import (
	"context"
	"crypto/tls"
	"encoding/json"
	"fmt"
	"io"
	"log"
	"net"
	"net/http"
	"net/http/httptest"
	"net/url"
	"sync/atomic"
	"testing"

	apiextensionsv1 "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"

	"example.com/gatehouse/internal/certs"
	"example.com/gatehouse/internal/offline/crdconversion"
)

const serviceAddress = "converter.widgets.svc:8443"

// sizes says where a widget's size is, which is all that its versions differ
// in.
var sizes = map[string][]string{
	"example.com/v1": {"size"},
	"example.com/v2": {"spec", "size"},
	"example.com/v3": {"spec", "dimensions", "size"},
}

// webhook is a conversion webhook for widgets, on loopback.
type webhook struct {
	*httptest.Server
	bundle []byte
	calls  atomic.Int32
	last   atomic.Pointer[http.Request]
	// served is how many objects the last request had.
	served atomic.Int32
}

// newWebhook starts a webhook. Spoil, if not nil, may change a right answer.
func newWebhook(t testing.TB, spoil func(review map[string]any)) *webhook {
	t.Helper()
	w := &webhook{}
	w.start(t, func(out http.ResponseWriter, r *http.Request) {
		var review map[string]any
		if err := json.NewDecoder(r.Body).Decode(&review); err != nil {
			http.Error(out, err.Error(), http.StatusBadRequest)
			return
		}
		w.answer(review)
		if spoil != nil {
			spoil(review)
		}
		_ = json.NewEncoder(out).Encode(review)
	})
	return w
}

// newHandler starts a webhook that answers as it likes. It has read the
// request.
func newHandler(t testing.TB, handler http.HandlerFunc) *webhook {
	t.Helper()
	w := &webhook{}
	w.start(t, handler)
	return w
}

// unstarted is a webhook that is never called.
func unstarted() *webhook {
	return &webhook{Server: &httptest.Server{URL: "https://127.0.0.1:1"}}
}

func (w *webhook) start(t testing.TB, handler http.HandlerFunc) {
	t.Helper()
	authority, err := certs.NewAuthority("widgets")
	if err != nil {
		t.Fatal(err)
	}
	certificate, err := authority.Server("127.0.0.1", "converter.widgets.svc")
	if err != nil {
		t.Fatal(err)
	}
	w.bundle = authority.Bundle()
	w.Server = httptest.NewUnstartedServer(http.HandlerFunc(func(out http.ResponseWriter, r *http.Request) {
		w.calls.Add(1)
		w.last.Store(r.Clone(context.Background()))
		handler(out, r)
	}))
	w.Server.Config.ErrorLog = log.New(io.Discard, "", 0) // clients that do not trust it
	w.TLS = &tls.Config{Certificates: []tls.Certificate{certificate}}
	w.StartTLS()
	t.Cleanup(w.Close)
}

// answer makes a response of a review's request.
func (w *webhook) answer(review map[string]any) {
	request := review["request"].(map[string]any)
	objects := request["objects"].([]any)
	w.served.Store(int32(len(objects)))
	for _, o := range objects {
		convert(o.(map[string]any), request["desiredAPIVersion"].(string))
	}
	delete(review, "request")
	review["response"] = map[string]any{
		"uid": request["uid"], "convertedObjects": objects, "result": map[string]any{"status": "Success"},
	}
}

// convert moves the size to where it belongs, and leaves a label.
func convert(o map[string]any, to string) {
	size, _, _ := unstructured.NestedFieldNoCopy(o, sizes[o["apiVersion"].(string)]...)
	from := o["apiVersion"].(string)
	delete(o, "size")
	delete(o, "spec")
	o["apiVersion"] = to
	_ = unstructured.SetNestedField(o, size, sizes[to]...)
	_ = unstructured.SetNestedField(o, from[len("example.com/"):], "metadata", "labels", "from")
}

// config reaches the webhook under the name of its service, and nothing but
// loopback otherwise.
func (w *webhook) config() crdconversion.Config {
	return crdconversion.Config{
		Dial: func(ctx context.Context, network, address string) (net.Conn, error) {
			if address == serviceAddress {
				address = w.Listener.Addr().String()
			}
			if host, _, _ := net.SplitHostPort(address); host != "127.0.0.1" {
				return nil, fmt.Errorf("no route to %s", address)
			}
			return (&net.Dialer{}).DialContext(ctx, network, address)
		},
		Proxy: func(*http.Request) (*url.URL, error) { return nil, nil },
	}
}

// crd is a definition of widgets in three versions, which are converted by the
// webhook at its URL.
func (w *webhook) crd(reviews ...string) *apiextensionsv1.CustomResourceDefinition {
	c := &apiextensionsv1.CustomResourceDefinition{
		ObjectMeta: metav1.ObjectMeta{Name: "widgets.example.com"},
		Spec: apiextensionsv1.CustomResourceDefinitionSpec{
			Group: "example.com",
			Scope: apiextensionsv1.NamespaceScoped,
			Names: apiextensionsv1.CustomResourceDefinitionNames{Plural: "widgets", Kind: "Widget"},
			Conversion: &apiextensionsv1.CustomResourceConversion{
				Strategy: apiextensionsv1.WebhookConverter,
				Webhook: &apiextensionsv1.WebhookConversion{
					ConversionReviewVersions: reviews,
					ClientConfig:             &apiextensionsv1.WebhookClientConfig{URL: new(w.URL + "/convert"), CABundle: w.bundle},
				},
			},
		},
	}
	for _, v := range []string{"v1", "v2", "v3"} {
		c.Spec.Versions = append(c.Spec.Versions, apiextensionsv1.CustomResourceDefinitionVersion{Name: v, Served: true, Storage: v == "v3"})
	}
	return c
}

// byService has the webhook called as a service instead.
func byService(c *apiextensionsv1.CustomResourceDefinition) {
	client := c.Spec.Conversion.Webhook.ClientConfig
	client.URL = nil
	client.Service = &apiextensionsv1.ServiceReference{Namespace: "widgets", Name: "converter", Path: new("/convert"), Port: new(int32(8443))}
}

func (w *webhook) convertor(t testing.TB, reviews ...string) runtime.ObjectConvertor {
	t.Helper()
	return mustMake(t, w.config(), w.crd(reviews...))
}

func mustMake(t testing.TB, c crdconversion.Config, crd *apiextensionsv1.CustomResourceDefinition) runtime.ObjectConvertor {
	t.Helper()
	convertor, err := crdconversion.Make(c, crd)
	if err != nil {
		t.Fatal(err)
	}
	return convertor
}

// widget makes a widget of a version, with metadata that no webhook may change.
func widget(version string, size int64) *unstructured.Unstructured {
	u := &unstructured.Unstructured{Object: map[string]any{
		"kind": "Widget", "apiVersion": "example.com/" + version,
		"metadata": map[string]any{
			"name": "one", "namespace": "shop", "uid": "11-22", "resourceVersion": "7",
			"labels": map[string]any{"app": "a"}, "annotations": map[string]any{"note": "b"},
		},
	}}
	_ = unstructured.SetNestedField(u.Object, size, sizes["example.com/"+version]...)
	return u
}

func gv(version string) schema.GroupVersion {
	return schema.GroupVersion{Group: "example.com", Version: version}
}
