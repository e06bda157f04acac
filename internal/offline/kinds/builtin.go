package kinds

import (
	"sync"

	apiextensionsv1 "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"
	utilruntime "k8s.io/apimachinery/pkg/util/runtime"
	clientscheme "k8s.io/client-go/kubernetes/scheme"
)

// The values of builtin.namespaced in the table.
const (
	namespaced    = true
	clusterScoped = false
)

// subresources are those of status and scale that a kind has.
type subresources uint8

const (
	// noStatus: neither of the two.
	noStatus subresources = 1 + iota
	withStatus
	// withScale: both.
	withScale
)

// has reports whether a kind has a subresource. "" is the resource itself.
func (s subresources) has(subresource string) bool {
	switch subresource {
	case "status":
		return s != noStatus
	case "scale":
		return s == withScale
	default:
		return subresource == ""
	}
}

// builtin is a row of the table. The versions of a kind are consecutive, in the
// order in which an API server prefers them.
type builtin struct {
	group, version, kind, resource string
	namespaced                     bool
	subresources                   subresources
}

func (b builtin) gvk() schema.GroupVersionKind {
	return schema.GroupVersionKind{Group: b.group, Version: b.version, Kind: b.kind}
}

func (b builtin) gvr() schema.GroupVersionResource {
	return schema.GroupVersionResource{Group: b.group, Version: b.version, Resource: b.resource}
}

// builtinTypes are the Go types of the built-in kinds, for all registries: making them takes
// as long as all the rest of New.
var builtinTypes = sync.OnceValue(NewScheme)

// NewScheme returns the Go types of the built-in kinds. It is a new scheme,
// because other packages may add to client-go's.
func NewScheme() *runtime.Scheme {
	s := runtime.NewScheme()
	// Registering a type twice is the only error.
	utilruntime.Must(clientscheme.AddToScheme(s))
	utilruntime.Must(apiextensionsv1.AddToScheme(s))
	return s
}
