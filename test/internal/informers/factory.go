package informers

import (
	"reflect"
	"strconv"
	"sync"

	registrationv1 "k8s.io/api/admissionregistration/v1"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/client-go/informers"
	registrationinformers "k8s.io/client-go/informers/admissionregistration"
	coreinformers "k8s.io/client-go/informers/core"
	"k8s.io/client-go/informers/internalinterfaces"
	"k8s.io/client-go/kubernetes"
	"k8s.io/client-go/tools/cache"
)

// Factory is an informer factory over a Server that knows what the handlers of its
// informers have been given. Each informer may have one handler.
type Factory struct {
	informers.SharedInformerFactory
	// Kube is a client of the server.
	Kube   kubernetes.Interface
	server *Server
	// told is called after each call of a handler.
	told func(Resource)

	mu sync.Mutex
	// delivered are the last revisions that handlers have been given.
	delivered map[Resource]int64
}

// newFactory returns a factory with its own client.
func newFactory(server *Server, told func(Resource)) (*Factory, error) {
	kube, err := kubernetes.NewForConfig(server.Config())
	if err != nil {
		return nil, err
	}
	return &Factory{SharedInformerFactory: informers.NewSharedInformerFactory(kube, 0),
		Kube: kube, server: server, told: told, delivered: map[Resource]int64{}}, nil
}

// Core implements informers.SharedInformerFactory.
func (f *Factory) Core() coreinformers.Interface {
	return coreinformers.New(f, metav1.NamespaceAll, nil)
}

// Admissionregistration implements informers.SharedInformerFactory.
func (f *Factory) Admissionregistration() registrationinformers.Interface {
	return registrationinformers.New(f, metav1.NamespaceAll, nil)
}

// resourceOf returns the resource of an example of an object.
func resourceOf(example runtime.Object) Resource {
	switch example.(type) {
	case *registrationv1.MutatingWebhookConfiguration:
		return Mutating
	case *registrationv1.ValidatingWebhookConfiguration:
		return Validating
	case *registrationv1.ValidatingAdmissionPolicy:
		return Policies
	case *registrationv1.ValidatingAdmissionPolicyBinding:
		return Bindings
	case *corev1.Namespace:
		return Namespaces
	default:
		panic("informers: no server serves " + reflect.TypeOf(example).String())
	}
}

// InformerFor implements informers.SharedInformerFactory.
func (f *Factory) InformerFor(
	example runtime.Object, make internalinterfaces.NewInformerFunc,
) cache.SharedIndexInformer {
	return tapped{f.SharedInformerFactory.InformerFor(example, make), f, resourceOf(example)}
}

// Delivered returns the last revision of a resource that a handler has been given.
func (f *Factory) Delivered(r Resource) int64 {
	f.mu.Lock()
	defer f.mu.Unlock()
	return f.delivered[r]
}

// tapped is an informer that records the calls of its handler.
type tapped struct {
	cache.SharedIndexInformer
	factory  *Factory
	resource Resource
}

// AddEventHandler implements cache.SharedInformer.
func (t tapped) AddEventHandler(
	h cache.ResourceEventHandler,
) (cache.ResourceEventHandlerRegistration, error) {
	return t.SharedIndexInformer.AddEventHandler(cache.ResourceEventHandlerDetailedFuncs{
		AddFunc:    func(o any, initial bool) { h.OnAdd(o, initial); t.note(o) },
		UpdateFunc: func(old, o any) { h.OnUpdate(old, o); t.note(o) },
		DeleteFunc: func(o any) { h.OnDelete(o); t.note(o) },
	})
}

// note records what was delivered.
func (t tapped) note(o any) {
	var revision int64
	if gone, ok := o.(cache.DeletedFinalStateUnknown); ok {
		last := gone.Obj.(metav1.Object)
		revision = t.factory.server.deletion(t.resource, last.GetName(), revisionOf(last))
	} else {
		revision = revisionOf(o.(metav1.Object))
	}
	t.factory.mu.Lock()
	t.factory.delivered[t.resource] = max(t.factory.delivered[t.resource], revision)
	t.factory.mu.Unlock()
	t.factory.told(t.resource)
}

func revisionOf(o metav1.Object) int64 {
	n, err := strconv.ParseInt(o.GetResourceVersion(), 10, 64)
	if err != nil {
		panic(err) // the server has made it
	}
	return n
}
