package kinds

import (
	apiextensionsv1 "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"
	utilruntime "k8s.io/apimachinery/pkg/util/runtime"
	clientscheme "k8s.io/client-go/kubernetes/scheme"
)

// The words in which the table is written.
const (
	namespaced    = true
	clusterScoped = false
	withStatus    = true
	noStatus      = false
)

// builtin is a row of the table. The versions of a kind follow one another, in
// the order in which an API server prefers them.
type builtin struct {
	group, version, kind, resource string
	namespaced, status             bool
}

func (b builtin) gvk() schema.GroupVersionKind {
	return schema.GroupVersionKind{Group: b.group, Version: b.version, Kind: b.kind}
}

func (b builtin) gvr() schema.GroupVersionResource {
	return schema.GroupVersionResource{Group: b.group, Version: b.version, Resource: b.resource}
}

// body is a kind that is sent to a subresource and is no resource itself.
type body struct{ group, version, kind, subresource string }

func (b body) gvk() schema.GroupVersionKind {
	return schema.GroupVersionKind{Group: b.group, Version: b.version, Kind: b.kind}
}

// newScheme returns the Go types of the built-in kinds. It is a scheme of our
// own, because anyone may add to client-go's.
func newScheme() *runtime.Scheme {
	s := runtime.NewScheme()
	// Registering the same types twice under one name is all that could fail.
	utilruntime.Must(clientscheme.AddToScheme(s))
	utilruntime.Must(apiextensionsv1.AddToScheme(s))
	return s
}

// identity makes resources of different groups equivalent. The events of the
// core group and of events.k8s.io are the only ones left that kube-apiserver
// stores in one place and therefore takes for the same.
func identity(resource schema.GroupResource) string {
	if resource == (schema.GroupResource{Group: "events.k8s.io", Resource: "events"}) {
		return schema.GroupResource{Resource: "events"}.String()
	}
	return ""
}
