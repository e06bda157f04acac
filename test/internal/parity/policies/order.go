package policies

import (
	"cmp"
	"reflect"
	"slices"
	"unsafe"

	"k8s.io/apimachinery/pkg/api/meta"
	"k8s.io/apimachinery/pkg/labels"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apiserver/pkg/admission/plugin/policy/generic"
	mutatingpolicies "k8s.io/apiserver/pkg/admission/plugin/policy/mutating"
	validatingpolicies "k8s.io/apiserver/pkg/admission/plugin/policy/validating"
	"k8s.io/client-go/informers"
	"k8s.io/client-go/tools/cache"
)

// order returns the names of the policies and bindings in the random order in
// which upstream evaluates them until its next refresh.
func (u *upstreamPlugins) order() (names []string) {
	for _, h := range hooks[mutatingpolicies.PolicyHook](u.mutatingPolicies.Plugin) {
		names = append(names, h.Policy.Name)
		for _, b := range h.Bindings {
			names = append(names, b.Name)
		}
	}
	for _, h := range hooks[validatingpolicies.PolicyHook](u.validatingPolicies.Plugin) {
		names = append(names, h.Policy.Name)
		for _, b := range h.Bindings {
			names = append(names, b.Name)
		}
	}
	return names
}

// hooks returns the policies of a plugin in its order. No method of the plugin
// returns its source.
func hooks[H any](p *generic.Plugin[H]) []H {
	field := reflect.ValueOf(p).Elem().FieldByName("source")
	return (*(*generic.Source[H])(unsafe.Pointer(field.UnsafeAddr()))).Hooks()
}

// sortedFactory makes informers that list params by namespace and name. Those
// of client-go list them in a new random order each time.
type sortedFactory struct {
	informers.SharedInformerFactory
}

// ForResource implements informers.SharedInformerFactory.
func (f sortedFactory) ForResource(
	r schema.GroupVersionResource,
) (informers.GenericInformer, error) {
	informer, err := f.SharedInformerFactory.ForResource(r)
	if err != nil {
		return nil, err
	}
	return sortedInformer{informer}, nil
}

type sortedInformer struct{ informers.GenericInformer }

// Lister implements informers.GenericInformer.
func (i sortedInformer) Lister() cache.GenericLister {
	return sortedLister{i.GenericInformer.Lister()}
}

type sortedLister struct{ cache.GenericLister }

// List implements cache.GenericLister.
func (l sortedLister) List(s labels.Selector) ([]runtime.Object, error) {
	return byName(l.GenericLister.List(s))
}

// ByNamespace implements cache.GenericLister.
func (l sortedLister) ByNamespace(name string) cache.GenericNamespaceLister {
	return sortedNamespaceLister{l.GenericLister.ByNamespace(name)}
}

type sortedNamespaceLister struct{ cache.GenericNamespaceLister }

// List implements cache.GenericNamespaceLister.
func (l sortedNamespaceLister) List(s labels.Selector) ([]runtime.Object, error) {
	return byName(l.GenericNamespaceLister.List(s))
}

func byName(objects []runtime.Object, err error) ([]runtime.Object, error) {
	slices.SortFunc(objects, func(a, b runtime.Object) int {
		return cmp.Compare(nameOf(a), nameOf(b))
	})
	return objects, err
}

// nameOf returns the namespace and name of an object that has metadata.
func nameOf(o runtime.Object) string {
	m, err := meta.Accessor(o)
	if err != nil {
		panic(err) // params have metadata
	}
	return m.GetNamespace() + "/" + m.GetName()
}
