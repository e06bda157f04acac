package generate

import (
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime/schema"

	"example.com/gatehouse/test/internal/parity/scenario"
)

// resource is something that requests are about.
type resource struct {
	group, version, plural string
	subresource            string
	kind                   metav1.GroupVersionKind
	operations             []string
	clusterScoped          bool
	form                   scenario.Form
	// object is what an object has beside its metadata, as JSON members.
	object string
	// others are the versions that rules may name instead.
	others []schema.GroupVersion
}

func (r *resource) groupResource() schema.GroupResource {
	return schema.GroupResource{Group: r.group, Resource: r.plural}
}

func (r *resource) gvr() metav1.GroupVersionResource {
	return metav1.GroupVersionResource{Group: r.group, Version: r.version, Resource: r.plural}
}

// connections are all that can be connected to.
func connections() []*resource {
	connect := func(plural, subresource, kind, object string, clusterScoped bool) *resource {
		return &resource{version: "v1", plural: plural, subresource: subresource,
			kind: gvk("", "v1", kind), operations: []string{"CONNECT"},
			object: object, clusterScoped: clusterScoped}
	}
	return []*resource{
		connect("pods", "exec", "PodExecOptions", `"command":["ls"]`, false),
		connect("pods", "attach", "PodAttachOptions", `"stdin":true,"container":"main"`, false),
		connect("pods", "portforward", "PodPortForwardOptions", `"ports":[80,443]`, false),
		connect("pods", "proxy", "PodProxyOptions", `"path":"/a"`, false),
		connect("services", "proxy", "ServiceProxyOptions", `"path":"/b"`, false),
		connect("nodes", "proxy", "NodeProxyOptions", `"path":"/c"`, true),
	}
}

// whole is the resource with its subresource, as rules write it.
func (r *resource) whole() string {
	if r.subresource == "" {
		return r.plural
	}
	return r.plural + "/" + r.subresource
}

// stored are the operations on what is stored; only few deletions, because no
// patch fits them.
var stored = []string{"CREATE", "CREATE", "CREATE", "CREATE", "UPDATE", "UPDATE",
	"UPDATE", "DELETE"}

const (
	exampleGroup  = "example.apiserver.k8s.io"
	example2Group = "example2.apiserver.k8s.io"
	acmeGroup     = "acme.example.com"
)

func gvk(group, version, kind string) metav1.GroupVersionKind {
	return metav1.GroupVersionKind{Group: group, Version: version, Kind: kind}
}

// resources are typed without and with an internal version, unstructured,
// namespaced or not, with and without subresources. Widgets are there more
// often, because there are two versions of them.
func resources() []*resource {
	const pod = `"spec":{"containers":[{"name":"main","image":"a"}]}`
	second := []schema.GroupVersion{{Group: acmeGroup, Version: "v2"}}
	widget := &resource{group: acmeGroup, version: "v1", plural: "widgets",
		kind: gvk(acmeGroup, "v1", "Widget"), operations: stored,
		form: scenario.Unstructured, object: `"spec":{"size":3,"list":[1,null,"x"]}`, others: second}
	return []*resource{
		{version: "v1", plural: "configmaps", kind: gvk("", "v1", "ConfigMap"), operations: stored, object: `"data":{"x":"1"}`},
		{version: "v1", plural: "pods", kind: gvk("", "v1", "Pod"), operations: stored, object: pod},
		{version: "v1", plural: "pods", subresource: "status", kind: gvk("", "v1", "Pod"), operations: []string{"UPDATE"}, object: pod},
		connections()[0], connections()[0],
		{version: "v1", plural: "namespaces", kind: gvk("", "v1", "Namespace"), operations: stored, clusterScoped: true, object: `"spec":{}`},
		{version: "v1", plural: "nodes", kind: gvk("", "v1", "Node"), operations: stored, clusterScoped: true, object: `"spec":{}`},
		widget, widget, widget, widget, widget, widget, widget, widget, widget, widget, widget, widget,
		{group: exampleGroup, version: "v1", plural: "pods", kind: gvk(exampleGroup, "v1", "Pod"), operations: stored, object: `"spec":{"hostname":"h"}`},
		{group: example2Group, version: "v1", plural: "replicasets", kind: gvk(example2Group, "v1", "ReplicaSet"), operations: stored, object: `"spec":{"replicas":2}`},
		{group: "apps", version: "v1", plural: "deployments", kind: gvk("apps", "v1", "Deployment"), operations: stored,
			object: `"spec":{"selector":{"matchLabels":{"a":"1"}},"template":{"metadata":{"labels":{"a":"1"}},"spec":{"containers":[{"name":"main","image":"a"}]}}}`,
			others: []schema.GroupVersion{{Group: "extensions", Version: "v1beta1"}}},
		{group: "apps", version: "v1", plural: "deployments", subresource: "scale", kind: gvk("autoscaling", "v1", "Scale"), operations: []string{"UPDATE"}, object: `"spec":{"replicas":2}`},
		{group: "admissionregistration.k8s.io", version: "v1", plural: "validatingwebhookconfigurations",
			kind: gvk("admissionregistration.k8s.io", "v1", "ValidatingWebhookConfiguration"), operations: stored, clusterScoped: true, object: `"webhooks":[]`},
	}
}

// equivalents are the resources that go under several names: in two versions,
// and in two groups.
func equivalents() []scenario.Equivalent {
	same := func(resource, kind string, versions ...schema.GroupVersion) scenario.Equivalent {
		var e scenario.Equivalent
		for _, v := range versions {
			e.Resources = append(e.Resources, scenario.EquivalentResource{
				Resource: metav1.GroupVersionResource{Group: v.Group, Version: v.Version, Resource: resource},
				Kind:     gvk(v.Group, v.Version, kind),
			})
		}
		return e
	}
	return []scenario.Equivalent{
		same("widgets", "Widget", schema.GroupVersion{Group: acmeGroup, Version: "v1"},
			schema.GroupVersion{Group: acmeGroup, Version: "v2"}),
		same("deployments", "Deployment", schema.GroupVersion{Group: "apps", Version: "v1"},
			schema.GroupVersion{Group: "extensions", Version: "v1beta1"}),
	}
}
