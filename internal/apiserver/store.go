package apiserver

import (
	"fmt"
	"path"

	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apiserver/pkg/registry/generic"
	genericregistry "k8s.io/apiserver/pkg/registry/generic/registry"
	"k8s.io/apiserver/pkg/registry/rest"
	"k8s.io/apiserver/pkg/storage/storagebackend"

	"example.com/gatehouse/internal/offline/kinds"
)

// prefix begins the keys of all objects, as it does in kube-apiserver's database.
const prefix = "/registry"

// database is where objects are kept.
type database struct {
	config storagebackend.Config
	// homes are the resources under which the objects of others are kept.
	homes map[schema.GroupResource]schema.GroupResource
}

func newDatabase(endpoint string, t schemes) database {
	config := storagebackend.NewDefaultConfig(prefix, t.codec())
	config.EncodeVersioner = schema.GroupVersions(t.scheme.PrioritizedVersionsAllGroups())
	config.Transport.ServerList = []string{endpoint}
	return database{*config, homes()}
}

// GetRESTOptions implements generic.RESTOptionsGetter. The prefix of a resource
// also tells which resources are equivalent: those that have the same.
func (d database) GetRESTOptions(r schema.GroupResource, _ runtime.Object) (generic.RESTOptions, error) {
	home := r
	if other, ok := d.homes[r]; ok {
		home = other
	}
	return generic.RESTOptions{
		StorageConfig:           d.config.ForResource(r),
		Decorator:               genericregistry.StorageWithCacher(),
		DeleteCollectionWorkers: 1,
		ResourcePrefix:          path.Join("/", home.Group, home.Resource),
		// Finalizers for the garbage collector would never be taken off again.
		EnableGarbageCollection: false,
	}, nil
}

// homes finds the resources that are served in several groups, such as events, and
// kept in one.
func homes() map[schema.GroupResource]schema.GroupResource {
	all := map[schema.GroupResource]schema.GroupResource{}
	for _, r := range resources() {
		for _, version := range r.also {
			all[version.WithResource(r.plural).GroupResource()] = r.groupResource()
		}
	}
	return all
}

// store is the storage of one resource.
type store struct {
	*genericregistry.Store
	resource resource
	kinds    *kinds.Registry
}

var (
	_ rest.StandardStorage    = store{}
	_ rest.ShortNamesProvider = store{}
	_ rest.CategoriesProvider = store{}
)

func newStore(r resource, t schemes, options generic.RESTOptionsGetter) (store, error) {
	s := newStrategy(r, t)
	storage := &genericregistry.Store{
		NewFunc:                   func() runtime.Object { return t.make(r.version.WithKind(r.kind)) },
		NewListFunc:               func() runtime.Object { return t.make(r.version.WithKind(r.kind + "List")) },
		DefaultQualifiedResource:  r.groupResource(),
		SingularQualifiedResource: schema.GroupResource{Group: r.version.Group, Resource: r.singular()},
		CreateStrategy:            s,
		UpdateStrategy:            s,
		DeleteStrategy:            s,
		ResetFieldsStrategy:       s,
		TableConvertor:            newTables(r),
	}
	if r.tune != nil {
		r.tune(storage)
	}
	if err := storage.CompleteWithOptions(&generic.StoreOptions{RESTOptions: options, AttrFunc: r.attributes}); err != nil {
		return store{}, fmt.Errorf("preparing the storage of %s: %w", r.groupResource(), err)
	}
	return store{storage, r, t.kinds}, nil
}

// make returns an empty object of a kind of the table.
func (t schemes) make(kind schema.GroupVersionKind) runtime.Object {
	object, err := t.scheme.New(kind)
	if err != nil {
		panic(fmt.Sprintf("scheme.go lacks the group of a resource in the table: %v", err))
	}
	return object
}

// ShortNames implements rest.ShortNamesProvider.
func (s store) ShortNames() []string { return s.resource.short }

// Categories implements rest.CategoriesProvider.
func (s store) Categories() []string { return s.resource.categories }
