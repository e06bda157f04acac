package cluster

import (
	"io"

	corev1 "k8s.io/api/core/v1"
	apiextensionsv1 "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"
	"k8s.io/apimachinery/pkg/runtime"

	"example.com/gatehouse/internal/manifest"
	"example.com/gatehouse/internal/offline/kinds"
	"example.com/gatehouse/internal/offline/rbac"
	"example.com/gatehouse/internal/offline/requests"
)

// Files are the inputs: files, folders or "-".
type Files struct {
	// Configs describe the cluster. Their objects are not admitted.
	Configs []string
	// Inline are documents in addition to the Configs.
	Inline []*manifest.Document
	// RBAC have RBAC objects only.
	RBAC []string
	// Old hold stored objects, which arguments update.
	Old []string
	// Objects are the arguments, which are admitted.
	Objects []string
	// Optional says that Objects may be empty. No file may be empty.
	Optional bool
	// Stdin is the input "-". It is read at most once.
	Stdin io.Reader

	// Namespace is that of namespaced RBAC objects without one. Required.
	Namespace string
	// Pairs says that arguments may update the arguments before them, which
	// then describe the cluster and the later ones do not.
	Pairs bool
}

// Set has the documents of the inputs, sorted by kind.
type Set struct {
	// Definitions are the CustomResourceDefinitions.
	Definitions []*apiextensionsv1.CustomResourceDefinition
	// Configurations are webhook configurations, in v1.
	Configurations []runtime.Object
	// Namespaces are the Namespaces, each once.
	Namespaces []*corev1.Namespace
	// Policy has the RBAC objects; HasPolicy says that there are any.
	Policy    rbac.Policy
	HasPolicy bool
	// Objects are admitted, in order; Stored are the objects that they update.
	Objects, Stored []requests.Source

	// kinds knows the built-in kinds and those of Definitions.
	kinds    *kinds.Registry
	problems []error
	// unused are documents of -f that would have to be arguments.
	unused []requests.Source
	// deprecated are configurations of a version that is no longer served.
	deprecated []*manifest.Document
	// positions has the position of each configuration and namespace.
	positions map[identity]string
	// described has the role of each object that describes the cluster.
	described map[identity]role
	// pairs is as in Files.
	pairs bool
}

// identity is unique among the inputs.
type identity struct{ kind, namespace, name string }

// role is the role of a file.
type role uint8

const (
	// configuring: the file stands after -f.
	configuring role = 1 + iota
	// admitting: the file is an argument.
	admitting
	// authorizing: the file stands after --authorizer.
	authorizing
	// storing: the file stands after --old.
	storing
)

// Unused returns the documents that stand where nothing is admitted and say
// nothingToAdmit about the cluster.
func (in *Set) Unused() []requests.Source { return in.unused }
