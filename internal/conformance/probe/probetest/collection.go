package probetest

import (
	"context"
	"errors"
	"net"
	"net/http"
	"slices"
	"testing"

	corev1 "k8s.io/api/core/v1"
	apiextensionsv1 "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"

	"example.com/gatehouse/admission"
	"example.com/gatehouse/dispatcher/client"
	"example.com/gatehouse/dispatcher/source"
	"example.com/gatehouse/internal/conformance/probe"
	"example.com/gatehouse/internal/offline/defaults"
	"example.com/gatehouse/internal/offline/kinds"
	"example.com/gatehouse/matching"
)

// New returns a Collection of the webhooks in the configurations, all served by
// the handler, after Collect. The configurations may include
// CustomResourceDefinitions, which define kinds, and Namespaces. New adds the
// namespaces of the requests. The caller may change the Collection's Config.
func New(
	t testing.TB, handler http.Handler, configurations []runtime.Object,
	requests ...*admission.Request,
) *probe.Collection {
	t.Helper()
	inProcess := client.InProcess(func(*admission.Webhook) http.Handler { return handler })
	config := probe.Config{
		Samples:        probe.Samples(requests),
		InsecureClient: inProcess, Dial: unconnected, OwnServer: true, Calls: 20,
	}
	known := kinds.New(kinds.Defaulting(defaults.Scheme()))
	var described []*corev1.Namespace
	for _, object := range configurations {
		switch o := object.(type) {
		case *corev1.Namespace:
			described = append(described, o)
		case *apiextensionsv1.CustomResourceDefinition:
			if err := known.AddCRD(o); err != nil {
				t.Fatal(err)
			}
			config.Definitions = append(config.Definitions, o)
		default:
			config.Configurations = append(config.Configurations, o)
		}
	}
	config.Objects, config.Namespaces = known.ObjectInterfaces(), namespaces(t, described, requests)
	c, err := probe.New(t.Context(), config)
	if err != nil {
		t.Fatal(err)
	}
	if err := c.Collect(t.Context()); err != nil {
		t.Fatal(err)
	}
	return c
}

// unconnected is a Dial that always fails.
func unconnected(context.Context, string, string) (net.Conn, error) {
	return nil, errors.New("there is no network in this test")
}

// namespaces returns the described namespaces and those of the requests.
func namespaces(
	t testing.TB, described []*corev1.Namespace, requests []*admission.Request,
) matching.Namespaces {
	t.Helper()
	all := slices.Clone(described)
	for _, r := range requests {
		known := slices.ContainsFunc(all, func(n *corev1.Namespace) bool { return n.Name == r.Namespace })
		if r.Namespace != "" && !known {
			all = append(all, &corev1.Namespace{ObjectMeta: metav1.ObjectMeta{Name: r.Namespace}})
		}
	}
	fixed, err := source.FixedNamespaces(all...)
	if err != nil {
		t.Fatal(err)
	}
	return fixed
}
