package merge

import (
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"testing"

	appsv1 "k8s.io/api/apps/v1"
	corev1 "k8s.io/api/core/v1"
	apiextensionsv1 "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	"k8s.io/apimachinery/pkg/api/meta"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime"
	"sigs.k8s.io/yaml"

	"example.com/gatehouse/internal/offline/kinds"
	"example.com/gatehouse/internal/testutil/testtable"
)

// row is what every row of every table has to say about itself.
type row = testtable.Row

const widgets = `
metadata: {name: widgets.example.com}
spec:
  group: example.com
  scope: Namespaced
  names: {plural: widgets, kind: Widget}
  versions:
  - name: v1
    served: true
    storage: true
    subresources: {status: {}, scale: {specReplicasPath: .spec.size, statusReplicasPath: .status.size}}
    schema:
      openAPIV3Schema:
        type: object
        properties:
          spec:
            type: object
            properties:
              size: {type: integer}
              limit: {x-kubernetes-int-or-string: true}
              any: {type: object, x-kubernetes-preserve-unknown-fields: true}
              template: {type: object, x-kubernetes-embedded-resource: true, properties: {data: {type: string}}}
              tags: {type: array, items: {type: string}, x-kubernetes-list-type: set}
              plain: {type: array, items: {type: string}}
              parts:
                type: array
                x-kubernetes-list-type: map
                x-kubernetes-list-map-keys: [name]
                items: {type: object, required: [name], properties: {name: {type: string}, count: {type: integer}}}
          status: {type: object, properties: {ready: {type: boolean}}}
  - {name: v2, served: true, storage: false}
`

const deployment = `
apiVersion: apps/v1
kind: Deployment
metadata: {name: web, namespace: shop, uid: u1, labels: {app: web}}
spec:
  replicas: 2
  selector: {matchLabels: {app: web}}
  template:
    metadata: {labels: {app: web}}
    spec:
      containers:
      - {name: web, image: "web:1"}
      - {name: log, image: "log:1"}
`

const widget = `
apiVersion: example.com/v1
kind: Widget
metadata: {name: w, namespace: shop, uid: u2}
spec: {size: 1, tags: [a], plain: [a], parts: [{name: x, count: 1}]}
`

const namespace = `
apiVersion: v1
kind: Namespace
metadata: {name: shop, uid: u3}
`

func into[T any](t testing.TB, text string) *T {
	t.Helper()
	object := new(T)
	if err := yaml.UnmarshalStrict([]byte(text), object); err != nil {
		t.Fatal(err)
	}
	return object
}

func config(t testing.TB, text string) *unstructured.Unstructured {
	t.Helper()
	return &unstructured.Unstructured{Object: *into[map[string]any](t, text)}
}

// object returns what a manifest says, typed if it is one of the kinds of these
// tests that are built in.
func object(t testing.TB, text string) runtime.Object {
	t.Helper()
	switch custom := config(t, text); custom.GetKind() {
	case "Deployment":
		return into[appsv1.Deployment](t, text)
	case "Namespace":
		return into[corev1.Namespace](t, text)
	case "Secret":
		return into[corev1.Secret](t, text)
	case "ConfigMap":
		return into[corev1.ConfigMap](t, text)
	default:
		// As it is read from JSON.
		sent, err := asSent(custom)
		if err != nil {
			t.Fatal(err)
		}
		return sent
	}
}

// merger knows the schema of widgets unless it is told not to.
func merger(t testing.TB, withSchema bool) *Merger {
	t.Helper()
	crd := into[apiextensionsv1.CustomResourceDefinition](t, widgets)
	registry := kinds.New()
	if err := registry.AddCRD(crd); err != nil {
		t.Fatal(err)
	}
	var definitions []*apiextensionsv1.CustomResourceDefinition
	if withSchema {
		definitions = append(definitions, crd)
	}
	m, err := New(registry.ObjectInterfaces(), definitions...)
	if err != nil {
		t.Fatal(err)
	}
	return m
}

// asJSON is an object as webhooks see it, but for the times in managedFields.
func asJSON(t testing.TB, o runtime.Object) string {
	t.Helper()
	o = o.DeepCopyObject()
	accessor, err := meta.Accessor(o)
	if err != nil {
		t.Fatal(err)
	}
	owners := accessor.GetManagedFields()
	for i := range owners {
		owners[i].Time = nil
	}
	accessor.SetManagedFields(owners)
	encoded, err := json.Marshal(o)
	if err != nil {
		t.Fatal(err)
	}
	return strings.TrimSpace(string(encoded))
}

// coding is an error with its code, as in "400 the text". Errors without a code
// become the code 500 on a server.
func coding(err error) string {
	if err == nil {
		return ""
	}
	var status apierrors.APIStatus
	if !errors.As(err, &status) {
		return "500 " + err.Error()
	}
	return fmt.Sprintf("%d %s", status.Status().Code, err)
}
