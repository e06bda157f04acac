package request_test

import (
	authenticationv1 "k8s.io/api/authentication/v1"
	autoscalingv1 "k8s.io/api/autoscaling/v1"
	certificatesv1 "k8s.io/api/certificates/v1"
	corev1 "k8s.io/api/core/v1"
	policyv1 "k8s.io/api/policy/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"

	"example.com/gatehouse/admission/request"
)

// The endpoints of these tests; at adds a subresource.
var (
	pods        = namespaced("", "v1", "Pod", "pods")
	services    = namespaced("", "v1", "Service", "services")
	accounts    = namespaced("", "v1", "ServiceAccount", "serviceaccounts")
	bindings    = namespaced("", "v1", "Binding", "bindings")
	controllers = namespaced("", "v1", "ReplicationController", "replicationcontrollers")
	deployments = namespaced("apps", "v1", "Deployment", "deployments")
	// oldDeployments are of the first version that there was.
	gadgets    = namespaced("toys.example.com", "v1", "Gadget", "gadgets")
	namespaces = clusterScoped("", "v1", "Namespace", "namespaces")
	nodes      = clusterScoped("", "v1", "Node", "nodes")
	csrs       = clusterScoped("certificates.k8s.io", "v1", "CertificateSigningRequest", "certificatesigningrequests")
	reviews    = clusterScoped("authentication.k8s.io", "v1", "TokenReview", "tokenreviews")
)

func namespaced(group, version, kind, resource string) request.Endpoint {
	at := clusterScoped(group, version, kind, resource)
	at.Namespaced = true
	return at
}

func clusterScoped(group, version, kind, resource string) request.Endpoint {
	gv := schema.GroupVersion{Group: group, Version: version}
	return request.Endpoint{Resource: gv.WithResource(resource), Kind: gv.WithKind(kind)}
}

// at returns the endpoint of a subresource of an object.
func at(e request.Endpoint, subresource, namespace, name string) request.Endpoint {
	e.Subresource, e.Namespace, e.Name = subresource, namespace, name
	return e
}

var ann = request.By{User: authenticationv1.UserInfo{Username: "ann"}}

// by returns ann with options.
func by(edit func(*request.By)) request.By {
	b := ann
	edit(&b)
	return b
}

func dry(b *request.By)     { b.DryRun = true }
func manager(b *request.By) { b.FieldManager = "kubectl" }

// web is the metadata of all that is called web in namespace shop, labeled so
// that old and new can be told apart.
func web(label string) metav1.ObjectMeta {
	return metav1.ObjectMeta{Name: "web", Namespace: "shop", Labels: map[string]string{"is": label}}
}

func pod(label string) *corev1.Pod { return &corev1.Pod{ObjectMeta: web(label)} }

func scale(replicas int32) *autoscalingv1.Scale {
	return &autoscalingv1.Scale{ObjectMeta: web("scaled"), Spec: autoscalingv1.ScaleSpec{Replicas: replicas}}
}

func binding() *corev1.Binding {
	return &corev1.Binding{ObjectMeta: web("bound"), Target: corev1.ObjectReference{Kind: "Node", Name: "one"}}
}

func eviction() *policyv1.Eviction {
	return &policyv1.Eviction{ObjectMeta: web("evicted"), DeleteOptions: &metav1.DeleteOptions{GracePeriodSeconds: new(int64)}}
}

func namespace(label string) *corev1.Namespace {
	return &corev1.Namespace{ObjectMeta: metav1.ObjectMeta{Name: "shop", Labels: map[string]string{"is": label}}}
}

func csr(label string) *certificatesv1.CertificateSigningRequest {
	return &certificatesv1.CertificateSigningRequest{ObjectMeta: metav1.ObjectMeta{Name: "ann", Labels: map[string]string{"is": label}}}
}

func gadget(label string) *unstructured.Unstructured {
	return &unstructured.Unstructured{Object: map[string]any{
		"apiVersion": "toys.example.com/v1", "kind": "Gadget",
		"metadata": map[string]any{"name": "web", "namespace": "shop", "labels": map[string]any{"is": label}},
	}}
}

type object = runtime.Object

func generated() object {
	return &corev1.Pod{ObjectMeta: metav1.ObjectMeta{GenerateName: "web-", Namespace: "shop"}}
}
