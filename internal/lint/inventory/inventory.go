package inventory

import (
	"cmp"
	"io"
	"slices"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"

	"example.com/gatehouse/internal/manifest"
	"example.com/gatehouse/internal/offline/cluster"
	"example.com/gatehouse/internal/offline/kinds"
	"example.com/gatehouse/internal/offline/requests"
	"example.com/gatehouse/internal/offline/resolve"
)

// Inventory is what the files say about a cluster.
type Inventory struct {
	// Cluster has the configurations, policies, namespaces and definitions.
	Cluster *cluster.Set
	// Kinds knows the built-in kinds and those of the definitions.
	Kinds *kinds.Registry
	// Webhooks are those of all configurations, in the order of the files.
	Webhooks []*Webhook
	// Unknown counts the objects of kinds that are neither built in nor defined
	// in the files.
	Unknown map[schema.GroupKind]int

	objects []Object[runtime.Object]
}

// Object is an object and the document that it was read from.
type Object[T runtime.Object] struct {
	Object   T
	Document *manifest.Document
}

// Files are the inputs.
type Files struct {
	// Paths are files, folders or "-", which is Stdin.
	Paths []string
	Stdin io.Reader
	// Recursive says that the folders in folders are read as well.
	Recursive bool
}

// Read reads the files. The caller must Close the inventory. The error has one line
// for each mistake in a document.
func Read(f Files) (*Inventory, error) {
	// Conversion webhooks are not called: the dialer has no routes.
	known := cluster.NewKinds(&resolve.Dialer{}, nil, true)
	set, err := cluster.Read(&cluster.Files{
		Configs: f.Paths, Stdin: f.Stdin, Recursive: f.Recursive, Optional: true,
		Namespace: metav1.NamespaceDefault,
		Settings:  requests.Settings{Namespace: metav1.NamespaceDefault},
	}, known)
	if err != nil {
		return nil, err
	}
	in := &Inventory{Cluster: set, Kinds: known, Unknown: map[schema.GroupKind]int{}}
	if err := in.addObjects(set.Unused()); err != nil {
		in.Close()
		return nil, err
	}
	in.Webhooks = webhooks(set)
	return in, nil
}

// Documents returns the documents, by file and line.
func (in *Inventory) Documents() []*manifest.Document {
	all := append(in.Cluster.Descriptions(), in.Cluster.Unused()...)
	slices.SortStableFunc(all, func(a, b *manifest.Document) int {
		return cmp.Or(cmp.Compare(a.File, b.File), cmp.Compare(a.Line, b.Line))
	})
	return all
}

// Close removes what was kept of standard input.
func (in *Inventory) Close() { in.Cluster.Close() }

// Objects returns the objects of a Go type, such as *corev1.Service, in the order of
// the files. Objects without a namespace are in default.
func Objects[T runtime.Object](in *Inventory) []Object[T] {
	var all []Object[T]
	for _, o := range in.objects {
		if typed, ok := o.Object.(T); ok {
			all = append(all, Object[T]{typed, o.Document})
		}
	}
	return all
}
