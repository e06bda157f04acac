package apiserver

import (
	"slices"
	"strings"

	"k8s.io/apimachinery/pkg/api/validation"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/util/validation/field"
	genericregistry "k8s.io/apiserver/pkg/registry/generic/registry"
	"k8s.io/apiserver/pkg/registry/rest"
)

// resource is a row of the table of what is served. Most of its fields say in what
// a resource differs from a plain one; left out, they stand for no difference.
type resource struct {
	version schema.GroupVersion
	// also are other versions under which the same objects are served.
	also   []schema.GroupVersion
	kind   string
	plural string
	short  []string
	// categories are the names under which clients ask for several resources.
	categories []string
	scope      scope
	puts       puts
	// name says whether an object may have a name; nil is a DNS subdomain.
	name validation.ValidateNameFunc
	// counts says whether metadata.generation counts the change of an object from
	// the second argument to the first; nil means that it stays 0.
	counts func(object, old runtime.Object) bool
	// rules replace the validation of metadata, and check adds to it.
	rules rules
	check check
	// born changes an object that is new. Nil takes its status away.
	born func(runtime.Object)
	// kept changes an object that replaces old, which has its status already.
	kept func(object, old runtime.Object)
	// complete changes an object that is valid and about to be stored.
	complete func(runtime.Object)
	// fields are those of an object that clients may select by, besides name and
	// namespace.
	fields map[string]func(runtime.Object) string
	// columns are those of tables; nil are name and time of creation.
	columns []column
	// tune changes the storage before it is opened.
	tune func(*genericregistry.Store)
	// front is what clients reach in place of the storage.
	front func(store) rest.Storage
	// beside is what is served on top of the storage, by path. Everything with a
	// status has a subresource for that anyway.
	beside map[string]func(store) rest.Storage
}

// check finds what is wrong with an object that would replace old, or be created
// if that is nil.
type check func(object, old runtime.Object) field.ErrorList

type scope uint8

const (
	namespaced scope = 1 + iota
	clusterWide
)

// puts is what a PUT may do beyond replacing the object whose resourceVersion it
// states.
type puts uint8

const (
	mayForce  puts = 1 << iota // replace an object without stating its resourceVersion
	mayCreate                  // create an object that is not there

	careful puts = 0
)

// groupResource is the name of the resource among all.
func (r resource) groupResource() schema.GroupResource {
	return r.version.WithResource(r.plural).GroupResource()
}

// singular is the name for one of its objects, as in "pod".
func (r resource) singular() string { return strings.ToLower(r.kind) }

// versions are all under which the resource is served.
func (r resource) versions() []schema.GroupVersion {
	return append([]schema.GroupVersion{r.version}, r.also...)
}

// resources is the table. Discovery lists groups in its order. A plain resource
// needs its line here and nothing else, provided that scheme.go knows its group
// and package openapi its definitions.
func resources() []resource {
	return slices.Concat(coreResources(), clusterResources(), workloads(), networks(), policies(), registrations())
}
