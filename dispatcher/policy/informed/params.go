package informed

import (
	"cmp"
	"context"
	"fmt"
	"maps"
	"slices"
	"strings"
	"sync"
	"time"

	registrationv1 "k8s.io/api/admissionregistration/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	"k8s.io/apimachinery/pkg/api/meta"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/labels"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/util/wait"
	"k8s.io/client-go/discovery"
	"k8s.io/client-go/dynamic"
	"k8s.io/client-go/dynamic/dynamicinformer"
	"k8s.io/client-go/informers"
	"k8s.io/client-go/tools/cache"

	"example.com/gatehouse/dispatcher/policy"
)

const (
	// unknownFor is how long a kind that the API server does not serve, or whose
	// schema it does not have, is not looked for again.
	unknownFor = time.Second
	// syncTimeout is how long a request waits for the first list of an informer of
	// params, as in kube-apiserver.
	syncTimeout = time.Second
	// resync is that of the shared informers of kube-apiserver.
	resync = 10 * time.Minute
)

// Params are the params of an API server. See NewParams.
type Params struct {
	shared  informers.SharedInformerFactory
	served  discovery.ServerResourcesInterfaceWithContext
	dynamic dynamic.Interface
	stop    <-chan struct{}

	mu sync.RWMutex
	// known are the kinds that have an informer; unknown says when a kind was not
	// served.
	known   map[schema.GroupVersionKind]*params
	unknown map[schema.GroupVersionKind]time.Time
}

var _ policy.Params = (*Params)(nil)

// NewParams returns the params of an API server. Kinds that client-go knows
// have the informers of the shared factory, which Params starts; others have
// dynamic ones. All run until stop is closed, and dynamic ones until no policy
// needs them. served lists the kinds that the API server serves.
func NewParams(
	shared informers.SharedInformerFactory, served discovery.ServerResourcesInterface,
	dynamic dynamic.Interface, stop <-chan struct{},
) *Params {
	return &Params{
		shared: shared, dynamic: dynamic, stop: stop,
		served:  discovery.ToServerResourcesInterfaceWithContext(served),
		known:   map[schema.GroupVersionKind]*params{},
		unknown: map[schema.GroupVersionKind]time.Time{},
	}
}

// Params implements policy.Params. The first call for a kind gets its resource
// from the API server and starts an informer.
func (p *Params) Params(
	ctx context.Context, kind schema.GroupVersionKind,
) (policy.ParamStore, error) {
	p.mu.RLock()
	known, since := p.known[kind], p.unknown[kind]
	p.mu.RUnlock()
	switch {
	case known != nil:
		return known, nil
	case time.Since(since) < unknownFor:
		return nil, fmt.Errorf("%v is not served", kind)
	}
	resource, err := p.find(ctx, kind)
	p.mu.Lock()
	defer p.mu.Unlock()
	if err != nil {
		if ctx.Err() == nil { // or else others should ask
			p.unknown[kind] = time.Now()
		}
		return nil, err
	}
	if p.known[kind] == nil { // another request may have been faster
		p.known[kind] = p.follow(kind, resource)
	}
	delete(p.unknown, kind)
	return p.known[kind], nil
}

// find returns the resource of a kind.
func (p *Params) find(
	ctx context.Context, kind schema.GroupVersionKind,
) (metav1.APIResource, error) {
	served, err := p.served.ServerResourcesForGroupVersionWithContext(
		ctx, kind.GroupVersion().String())
	if err != nil {
		return metav1.APIResource{}, err
	}
	for _, resource := range served.APIResources {
		if resource.Kind == kind.Kind && !strings.Contains(resource.Name, "/") {
			return resource, nil
		}
	}
	return metav1.APIResource{}, fmt.Errorf("%v is not served", kind)
}

// follow starts an informer.
func (p *Params) follow(kind schema.GroupVersionKind, served metav1.APIResource) *params {
	resource := kind.GroupVersion().WithResource(served.Name)
	var end context.CancelFunc
	informer, err := p.shared.ForResource(resource)
	if err == nil {
		informer.Informer() // the factory starts those that were asked for
		p.shared.Start(p.stop)
	} else {
		informer = dynamicinformer.NewFilteredDynamicInformer(p.dynamic, resource,
			metav1.NamespaceAll, resync,
			cache.Indexers{cache.NamespaceIndex: cache.MetaNamespaceIndexFunc}, nil)
		var ctx context.Context
		ctx, end = context.WithCancel(wait.ContextForChannel(p.stop))
		go informer.Informer().RunWithContext(ctx)
	}
	return &params{informer, end, kind, served.Namespaced, p.dynamic.Resource(resource)}
}

// retain ends the dynamic informers of other kinds than these, and forgets which
// are not served.
func (p *Params) retain(kinds map[schema.GroupVersionKind]bool) {
	p.mu.Lock()
	defer p.mu.Unlock()
	for kind, known := range p.known {
		if known.end != nil && !kinds[kind] {
			known.end()
			delete(p.known, kind)
		}
	}
	maps.DeleteFunc(p.unknown, func(kind schema.GroupVersionKind, _ time.Time) bool {
		return !kinds[kind]
	})
}

// params are the params of a kind.
type params struct {
	informers.GenericInformer
	// end ends a dynamic informer; nil for a shared one, which others may use.
	end        context.CancelFunc
	kind       schema.GroupVersionKind
	namespaced bool
	// live reads from the API server.
	live dynamic.NamespaceableResourceInterface
}

// Namespaced implements policy.ParamStore.
func (p *params) Namespaced() bool { return p.namespaced }

// Get implements policy.ParamStore.
func (p *params) Get(ctx context.Context, namespace, name string) (runtime.Object, error) {
	lister, err := p.synced(ctx, namespace)
	if err != nil {
		return nil, err
	}
	o, err := lister.Get(name)
	if apierrors.IsNotFound(err) {
		// The param may be newer than the cache.
		return p.live.Namespace(namespace).Get(ctx, name, metav1.GetOptions{})
	}
	return o, err
}

// List implements policy.ParamStore. It returns the params by name.
func (p *params) List(
	ctx context.Context, namespace string, selector labels.Selector,
) ([]runtime.Object, error) {
	lister, err := p.synced(ctx, namespace)
	if err != nil {
		return nil, err
	}
	found, err := lister.List(selector)
	slices.SortFunc(found, func(a, b runtime.Object) int {
		return cmp.Compare(nameOf(a), nameOf(b))
	})
	return found, err
}

func nameOf(o runtime.Object) string {
	m, err := meta.Accessor(o)
	if err != nil {
		return ""
	}
	return m.GetName()
}

// synced waits for the first list of the informer. The namespace is empty for
// kinds without.
func (p *params) synced(
	ctx context.Context, namespace string,
) (cache.GenericNamespaceLister, error) {
	ctx, cancel := context.WithTimeout(ctx, syncTimeout)
	defer cancel()
	select {
	case <-p.Informer().HasSyncedChecker().Done():
	case <-ctx.Done():
		// Compat: kube-apiserver prints the Go type.
		version, name := p.kind.ToAPIVersionAndKind()
		kind := &registrationv1.ParamKind{APIVersion: version, Kind: name}
		return nil, fmt.Errorf("paramKind kind `%v` not yet synced to use for admission", kind)
	}
	if namespace == "" {
		return p.Lister(), nil
	}
	return p.Lister().ByNamespace(namespace), nil
}
