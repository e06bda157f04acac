package draw

import (
	"bytes"
	"encoding/json"
	"fmt"

	admissionv1 "k8s.io/api/admission/v1"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"

	"example.com/gatehouse/internal/manifest"
	"example.com/gatehouse/internal/offline/requests"
)

// The parts of Case.Fields.
const (
	requestPart   = "request"
	namespacePart = "namespace"
)

// Case is a generated request.
type Case struct {
	Endpoint *Endpoint
	// Fields has the AdmissionRequest as "request" and, if the request's namespace has
	// labels, its Namespace as "namespace".
	Fields map[string]any
}

// Clone copies a case.
func (c *Case) Clone() *Case {
	return &Case{c.Endpoint, runtime.DeepCopyJSON(c.Fields)}
}

// Key identifies a case among others.
func (c *Case) Key() string {
	text, err := json.Marshal(c.Fields)
	if err != nil {
		return "" // it is not valid either
	}
	return string(text)
}

// Smallest returns the smallest request for an endpoint.
func (e *Endpoint) Smallest() *Case {
	r := map[string]any{
		"apiVersion": "gatehouse/v1alpha1", "kind": "AdmissionRequest",
		"operation": string(e.Operation),
		"resource":  e.path(),
	}
	if e.Subresource != "" {
		r["subResource"] = e.Subresource
	}
	o := Required(e.body, e.of)
	if get(o, "metadata") == nil || e.Operation == admissionv1.Connect {
		r["name"] = "a"
	}
	if e.Operation == admissionv1.Update || e.Operation == admissionv1.Delete {
		r["oldObject"] = o
	}
	if e.Operation != admissionv1.Delete {
		r["object"] = runtime.DeepCopyJSON(o)
	}
	return &Case{e, map[string]any{requestPart: r}}
}

// path is the resource as AdmissionRequest.Resource has it.
func (e *Endpoint) path() string {
	path := e.GroupVersionResource.Resource + "." + e.Version
	if e.Group != "" {
		path += "." + e.Group
	}
	return path
}

// Manifest returns the AdmissionRequest in JSON.
func (c *Case) Manifest() (json.RawMessage, error) { return json.Marshal(c.Fields[requestPart]) }

// Namespace returns the namespace of the request with its labels; nil if it has none.
func (c *Case) Namespace() *corev1.Namespace {
	fields, ok := c.Fields[namespacePart].(map[string]any)
	if !ok || !c.Endpoint.Namespaced {
		return nil
	}
	ns := &corev1.Namespace{
		TypeMeta: metav1.TypeMeta{APIVersion: "v1", Kind: "Namespace"},
	}
	if runtime.DefaultUnstructuredConverter.FromUnstructured(fields, ns) != nil {
		return nil
	}
	ns.Name = c.namespace()
	return ns
}

func (c *Case) namespace() string {
	if name, ok := get(c.Fields, requestPart, "namespace").(string); ok && name != "" {
		return name
	}
	return metav1.NamespaceDefault
}

// Make makes the request, as `gatehouse run` makes that of a file.
func (c *Case) Make(maker *requests.Maker) (*requests.Made, error) {
	text, err := c.Manifest()
	if err != nil {
		return nil, err
	}
	for d, err := range manifest.Documents("request", bytes.NewReader(text)) {
		if err != nil {
			return nil, err
		}
		return maker.One(requests.Source{Document: d})
	}
	return nil, fmt.Errorf("there is no request")
}

// Extra returns how many fields a case has besides those that its endpoint requires.
func (c *Case) Extra() int {
	required := map[string]any{}
	Leaves(c.Endpoint.Smallest().Fields, "", func(path string, value any) { required[path] = value })
	extra := 0
	Leaves(c.Fields, "", func(path string, value any) {
		if of, ok := required[path]; !ok || fmt.Sprint(of) != fmt.Sprint(value) {
			extra++
		}
	})
	return extra
}
