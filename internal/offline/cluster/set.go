package cluster

import (
	"io"
	"iter"
	"slices"

	corev1 "k8s.io/api/core/v1"
	apiextensionsv1 "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"

	"example.com/gatehouse/internal/manifest"
	"example.com/gatehouse/internal/offline/kinds"
	"example.com/gatehouse/internal/offline/rbac"
	"example.com/gatehouse/internal/offline/requests"
)

// Files are the inputs: files, folders or "-".
type Files struct {
	// Configs describe the cluster.
	Configs []string
	// Inline are documents in addition to the Configs.
	Inline []*manifest.Document
	// RBAC have RBAC objects only.
	RBAC []string
	// Old hold stored objects, which arguments update.
	Old []string
	// Objects are the arguments, which are admitted, in requests by Settings.
	// There may be any number of objects in them: they are read several times.
	// Without arguments the objects of Configs are admitted, as far as they do not
	// describe the cluster.
	Objects  []string
	Settings requests.Settings
	// Optional allows inputs without objects to admit. No file may be empty.
	Optional bool
	// Stdin is the input "-", which is kept; see manifest.Reader.
	Stdin io.Reader
	// Recursive reads sub-folders as well.
	Recursive bool

	// Namespace is that of namespaced RBAC objects without one. Required.
	Namespace string
	// Pairs allows arguments to update earlier arguments. Then the earlier ones
	// describe the cluster, and the later ones do not.
	Pairs bool
}

// Set has the documents of the inputs, sorted by kind. The caller closes it.
type Set struct {
	// Definitions are the CustomResourceDefinitions.
	Definitions []*apiextensionsv1.CustomResourceDefinition
	// Configurations are webhook configurations, in v1.
	Configurations []runtime.Object
	// Policies are admission policies and bindings, in v1 and with defaults, and
	// Params the objects after -f that they name as params.
	Policies []runtime.Object
	Params   []runtime.Object
	// Namespaces are the Namespaces, each once.
	Namespaces []*corev1.Namespace
	// Policy has the RBAC objects; HasPolicy is true if there are any.
	Policy    rbac.Policy
	HasPolicy bool
	// Stored are the stored objects that arguments update.
	Stored []requests.Source

	// kinds knows the built-in kinds and those of Definitions.
	kinds    *kinds.Registry
	problems []error
	files    *Files
	reader   *manifest.Reader
	checked  checked
	// definitions are the CustomResourceDefinitions that are not added yet.
	definitions []definition
	// unused are documents of -f that do not describe the cluster, and pointless
	// the paths with nothing else.
	unused    []*manifest.Document
	pointless []pointlessPath
	// unread are the folders that were not read.
	unread []string
	// deprecated are configurations of a version that is no longer served.
	deprecated []*manifest.Document
	// descriptions has the first description or param of each kind and name, in
	// order, and first has them by these.
	descriptions []requests.Source
	first        map[identity]requests.Source
	// described has the role of each object that describes the cluster.
	described map[identity]role
}

// identity is unique among the inputs. version is that of a param, and empty for
// what describes the cluster: such a kind has one group, and its versions share
// the names.
type identity struct {
	version               schema.GroupVersion
	kind, namespace, name string
}

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

// Unused returns the documents after -f that do not describe the cluster and are
// no params of policies. They are not decoded.
func (in *Set) Unused() []*manifest.Document { return in.unused }

// Descriptions returns the first document of each object that describes the cluster
// or is a param.
func (in *Set) Descriptions() []*manifest.Document {
	var all []*manifest.Document
	for _, s := range in.descriptions {
		all = append(all, s.Document)
	}
	return all
}

// Documents returns the documents that describe the cluster, those of RBAC
// included. It reads the files again.
func (in *Set) Documents() iter.Seq2[*manifest.Document, error] {
	return func(yield func(*manifest.Document, error) bool) {
		for _, d := range in.files.Inline {
			if !yield(d, nil) {
				return
			}
		}
		for d, err := range in.reader.Files(slices.Concat(in.files.Configs, in.files.RBAC)) {
			if !yield(d, err) {
				return
			}
		}
	}
}

// DocumentOf returns the first document that describes an object of a kind, by its
// namespace and name; nil if none does.
func (in *Set) DocumentOf(kind, namespace, name string) *manifest.Document {
	return in.first[identity{kind: kind, namespace: namespace, name: name}].Document
}
