package registry

import (
	"fmt"
	"path"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/util/sets"
	"k8s.io/apiserver/pkg/registry/generic"
	genericregistry "k8s.io/apiserver/pkg/registry/generic/registry"
	"k8s.io/apiserver/pkg/registry/rest"
	"k8s.io/apiserver/pkg/storage"
	"k8s.io/apiserver/pkg/storage/storagebackend"

	"example.com/gatehouse/internal/apiserver/garbagecollector"
	"example.com/gatehouse/internal/apiserver/scheme"
	"example.com/gatehouse/internal/offline/kinds"
)

// etcdPrefix begins the keys of all objects, as in kube-apiserver.
const etcdPrefix = "/registry"

// RESTOptionsGetter connects stores to etcd. It implements
// generic.RESTOptionsGetter.
type RESTOptionsGetter struct {
	config storagebackend.Config
	// cohabitating maps a resource to the resource whose storage it shares.
	cohabitating map[schema.GroupResource]schema.GroupResource
	// uncached has the resources without a watch cache, and withoutCache makes
	// their storage.
	uncached     sets.Set[schema.GroupResource]
	withoutCache generic.StorageDecorator
	// collector is notified of every write, if it is not nil.
	collector *garbagecollector.Controller
	decorator generic.StorageDecorator
}

// NewRESTOptionsGetter returns the options for an etcd at endpoint. The garbage
// collector, if it is not nil, is notified of every write. With openAll, a
// store connects to etcd when it is created, instead of at its first use.
func NewRESTOptionsGetter(
	endpoint string, s scheme.Schemes, collector *garbagecollector.Controller, openAll bool,
) RESTOptionsGetter {
	withoutCache := generic.StorageDecorator(newLazyStorage)
	if openAll {
		withoutCache = generic.UndecoratedStorage
	}
	config := storagebackend.NewDefaultConfig(etcdPrefix, s.StorageCodec())
	config.EncodeVersioner = schema.GroupVersions(s.Scheme.PrioritizedVersionsAllGroups())
	config.Transport.ServerList = []string{endpoint}
	return RESTOptionsGetter{
		*config, cohabitatingResources(), uncachedResources(), withoutCache, collector,
		genericregistry.StorageWithCacher(),
	}
}

// WithCodec returns options for definitions and custom resources. Their codec
// writes objects in version.
func (g RESTOptionsGetter) WithCodec(
	codec runtime.Codec, version schema.GroupVersion,
) RESTOptionsGetter {
	g.config.Codec = codec
	g.config.EncodeVersioner = schema.GroupVersions{version}
	g.decorator = storageWithFilledCacher()
	return g
}

// GetRESTOptions implements generic.RESTOptionsGetter. The server treats
// resources with the same prefix as equivalent.
func (g RESTOptionsGetter) GetRESTOptions(
	r schema.GroupResource, _ runtime.Object,
) (generic.RESTOptions, error) {
	stored := r
	if other, ok := g.cohabitating[r]; ok {
		stored = other
	}
	decorator := g.decorator
	if g.uncached.Has(r) {
		decorator = g.withoutCache
	}
	decorator = wrapped(decorator, func(s storage.Interface) storage.Interface {
		s = detached{s}
		// As in a cluster, events are not collected.
		if g.collector != nil && stored != corev1.Resource("events") {
			s = g.collector.Observe(stored, s)
		}
		return s
	})
	return generic.RESTOptions{
		StorageConfig:           g.config.ForResource(r),
		Decorator:               decorator,
		DeleteCollectionWorkers: 1,
		ResourcePrefix:          path.Join("/", stored.Group, stored.Resource),
		// Without a garbage collector its finalizers stay, as in kube-apiserver.
		EnableGarbageCollection: true,
	}, nil
}

// cohabitatingResources finds the resources that several groups serve, such as
// events.
func cohabitatingResources() map[schema.GroupResource]schema.GroupResource {
	all := map[schema.GroupResource]schema.GroupResource{}
	for _, r := range Resources() {
		for _, version := range r.OtherVersions {
			all[version.WithResource(r.Plural).GroupResource()] = r.groupResource()
		}
	}
	return all
}

func uncachedResources() sets.Set[schema.GroupResource] {
	all := sets.New[schema.GroupResource]()
	for _, r := range Resources() {
		if r.uncached {
			all.Insert(r.groupResource())
		}
	}
	return all
}

// resourceREST is the storage of one resource.
type resourceREST struct {
	*genericregistry.Store
	resource Resource
	kinds    *kinds.Registry
}

var (
	_ rest.StandardStorage    = resourceREST{}
	_ rest.ShortNamesProvider = resourceREST{}
	_ rest.CategoriesProvider = resourceREST{}
)

func newResourceREST(
	r Resource, s scheme.Schemes, known *kinds.Registry, tables rest.TableConvertor,
	options generic.RESTOptionsGetter,
) (resourceREST, error) {
	strategy := newStrategy(r, s)
	list := r.GroupVersion().WithKind(r.Kind + "List")
	store := &genericregistry.Store{
		NewFunc:                   func() runtime.Object { return s.MustNew(r.GroupVersionKind) },
		NewListFunc:               func() runtime.Object { return s.MustNew(list) },
		DefaultQualifiedResource:  r.groupResource(),
		SingularQualifiedResource: schema.GroupResource{Group: r.Group, Resource: r.SingularName()},
		CreateStrategy:            strategy,
		UpdateStrategy:            strategy,
		DeleteStrategy:            strategy,
		ResetFieldsStrategy:       strategy,
		TableConvertor:            tables,
	}
	if r.storeOptions != nil {
		r.storeOptions(store)
	}
	o := &generic.StoreOptions{RESTOptions: options, AttrFunc: r.getAttrs}
	if err := store.CompleteWithOptions(o); err != nil {
		return resourceREST{}, fmt.Errorf("preparing the storage of %s: %w", r.groupResource(), err)
	}
	return resourceREST{store, r, known}, nil
}

// ShortNames implements rest.ShortNamesProvider.
func (r resourceREST) ShortNames() []string { return r.resource.ShortNames }

// Categories implements rest.CategoriesProvider.
func (r resourceREST) Categories() []string { return r.resource.Categories }
