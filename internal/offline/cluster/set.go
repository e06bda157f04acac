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

// Files are what is to be read: files, folders or "-".
type Files struct {
	// Configs say what the cluster is like. What is in them is not admitted.
	Configs []string
	// Inline are documents that stand where the Configs are named, in place of files.
	Inline []*manifest.Document
	// RBAC may hold nothing but RBAC objects.
	RBAC []string
	// Old hold stored objects, which arguments update.
	Old []string
	// Objects are the arguments: what is to be admitted.
	Objects []string
	// Optional says that Objects may be empty. Files that are named hold something in any
	// case.
	Optional bool
	// Stdin is what "-" stands for. It is read at most once.
	Stdin io.Reader

	// Namespace is that of namespaced RBAC objects that name none. Required.
	Namespace string
	// Pairs says that arguments may update the arguments before them, which then
	// describe the cluster and the later ones do not.
	Pairs bool
}

// Set is everything that was read, sorted by what it is good for.
type Set struct {
	// Definitions are the CustomResourceDefinitions.
	Definitions []*apiextensionsv1.CustomResourceDefinition
	// Configurations are webhook configurations, in v1.
	Configurations []runtime.Object
	// Namespaces are those that are described, each once.
	Namespaces []*corev1.Namespace
	// Policy is what the RBAC objects say, and HasPolicy that there are some.
	Policy    rbac.Policy
	HasPolicy bool
	// Objects are what is asked for, in order; Stored what they update.
	Objects, Stored []requests.Source

	// kinds knows the built-in kinds and those of Definitions.
	kinds    *kinds.Registry
	problems []error
	// unused are documents that stand where nothing is admitted.
	unused []requests.Source
	// deprecated are configurations of a version that is no longer served.
	deprecated []*manifest.Document
	// places says where each configuration and namespace was found.
	places map[identity]string
	// described says why the files were read that describe the cluster.
	described map[identity]role
	// pairs is as in Files.
	pairs bool
}

// identity is what has to be unique among the inputs.
type identity struct{ kind, namespace, name string }

// role is why a file is read.
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

// Unused returns the documents that stand where nothing is admitted and say nothing about
// the cluster.
func (in *Set) Unused() []requests.Source { return in.unused }
