package probetest

import (
	"fmt"

	admissionv1 "k8s.io/api/admission/v1"
	authenticationv1 "k8s.io/api/authentication/v1"
	corev1 "k8s.io/api/core/v1"
	apiextensionsv1 "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"

	"example.com/gatehouse/admission"
	"example.com/gatehouse/admission/request"
)

// Pod returns a request to create, update or delete the pod "web" in the
// namespace "shop", or to run a command in it. It has one container. An update
// changes nothing by itself. change modifies the new object, or the stored one
// of a deletion.
func Pod(operation admissionv1.Operation, change ...func(*corev1.Pod)) *admission.Request {
	old := &corev1.Pod{
		ObjectMeta: metav1.ObjectMeta{Name: "web", Namespace: "shop",
			Labels: map[string]string{"app": "web"}},
		Spec: corev1.PodSpec{Containers: []corev1.Container{{Name: "main",
			Image: "registry.example.com/web:1.0"}}},
	}
	pod := old.DeepCopy()
	for _, f := range change {
		f(pod)
	}
	at := request.Endpoint{
		Resource: corev1.SchemeGroupVersion.WithResource("pods"), Kind: corev1.SchemeGroupVersion.WithKind("Pod"),
		Namespaced: true, Namespace: "shop",
	}
	if operation == admissionv1.Connect {
		at.Subresource, at.Name = "exec", "web"
		return must(request.Connect(at, &corev1.PodExecOptions{Container: "main", Command: []string{"date"}}, testUser()))
	}
	return newRequest(operation, at, old, pod)
}

// Widgets defines the custom kind Widget of example.com/v1, without a schema.
func Widgets() *apiextensionsv1.CustomResourceDefinition {
	crd := &apiextensionsv1.CustomResourceDefinition{ObjectMeta: metav1.ObjectMeta{Name: "widgets.example.com"}}
	crd.Spec.Group, crd.Spec.Scope = "example.com", apiextensionsv1.NamespaceScoped
	crd.Spec.Names.Plural, crd.Spec.Names.Kind = "widgets", "Widget"
	crd.Spec.Versions = []apiextensionsv1.CustomResourceDefinitionVersion{{Name: "v1",
		Served: true, Storage: true}}
	return crd
}

// Widget returns a request to create, update or delete the custom object
// "sprocket" in the namespace "shop". change is as for Pod.
func Widget(
	operation admissionv1.Operation, change ...func(*unstructured.Unstructured),
) *admission.Request {
	return sprocket("widgets", "Widget", operation, change)
}

func sprocket(
	resource, kind string, operation admissionv1.Operation, change []func(*unstructured.Unstructured),
) *admission.Request {
	group := schema.GroupVersion{Group: "example.com", Version: "v1"}
	old := &unstructured.Unstructured{Object: map[string]any{"spec": map[string]any{"size": int64(1)}}}
	old.SetGroupVersionKind(group.WithKind(kind))
	old.SetName("sprocket")
	old.SetNamespace("shop")
	object := old.DeepCopy()
	for _, f := range change {
		f(object)
	}
	at := request.Endpoint{Resource: group.WithResource(resource), Kind: group.WithKind(kind),
		Namespaced: true, Namespace: "shop"}
	return newRequest(operation, at, old, object)
}

// Gadgets defines the custom kind Gadget of example.com/v1 with a schema:
// spec.size from 1 to 9, and nothing else.
func Gadgets() *apiextensionsv1.CustomResourceDefinition {
	crd := Widgets()
	crd.Name, crd.Spec.Names.Plural, crd.Spec.Names.Kind = "gadgets.example.com", "gadgets", "Gadget"
	size := apiextensionsv1.JSONSchemaProps{Type: "integer", Minimum: new(1.0), Maximum: new(9.0)}
	spec := apiextensionsv1.JSONSchemaProps{Type: "object",
		Properties: map[string]apiextensionsv1.JSONSchemaProps{"size": size}}
	crd.Spec.Versions[0].Schema = &apiextensionsv1.CustomResourceValidation{
		OpenAPIV3Schema: &apiextensionsv1.JSONSchemaProps{Type: "object",
			Properties: map[string]apiextensionsv1.JSONSchemaProps{"spec": spec}},
	}
	return crd
}

// Gadget is Widget for the kind Gadget.
func Gadget(
	operation admissionv1.Operation, change ...func(*unstructured.Unstructured),
) *admission.Request {
	return sprocket("gadgets", "Gadget", operation, change)
}

func newRequest(
	operation admissionv1.Operation, at request.Endpoint, old, object runtime.Object,
) *admission.Request {
	switch operation {
	case admissionv1.Create:
		return must(request.Create(at, object, testUser()))
	case admissionv1.Update:
		return must(request.Update(at, old, object, testUser()))
	case admissionv1.Delete:
		return must(request.Delete(at, object, testUser()))
	default:
		panic(
			fmt.Sprintf("no request for %s of %s: want CREATE, UPDATE or DELETE", operation, at.Kind.Kind))
	}
}

// testUser is the user of all requests.
func testUser() request.By {
	return request.By{User: authenticationv1.UserInfo{Username: "ann",
		Groups: []string{"system:authenticated"}}}
}

func must(r *admission.Request, err error) *admission.Request {
	if err != nil {
		panic(fmt.Sprintf("building a request: %v", err))
	}
	return r
}
