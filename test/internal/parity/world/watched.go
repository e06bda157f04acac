package world

import (
	"fmt"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/labels"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"
	coreinformers "k8s.io/client-go/informers/core"
	coreinformersv1 "k8s.io/client-go/informers/core/v1"
	"k8s.io/client-go/kubernetes/fake"
	corelisters "k8s.io/client-go/listers/core/v1"
	clienttesting "k8s.io/client-go/testing"
)

// kindOf says what a typed object is by its Go type, and what an unstructured one says
// that it is.
func kindOf(v any) string {
	if o, ok := v.(runtime.Unstructured); ok {
		return o.GetObjectKind().GroupVersionKind().String()
	}
	return fmt.Sprintf("%T", v)
}

// watchedConvertor writes down what a convertor is asked for.
type watchedConvertor struct {
	runtime.ObjectConvertor
	journal *journal
}

// Convert implements runtime.ObjectConvertor.
func (c watchedConvertor) Convert(in, out, context any) error {
	c.journal.add(&c.journal.asked.Conversions, "%s → %s", kindOf(in), kindOf(out))
	return c.ObjectConvertor.Convert(in, out, context)
}

// ConvertToVersion implements runtime.ObjectConvertor.
func (c watchedConvertor) ConvertToVersion(in runtime.Object, to runtime.GroupVersioner) (runtime.Object, error) {
	kind, _ := to.KindForGroupVersionKinds([]schema.GroupVersionKind{in.GetObjectKind().GroupVersionKind()})
	c.journal.add(&c.journal.asked.Conversions, "%s → version of %s", kindOf(in), kind)
	return c.ObjectConvertor.ConvertToVersion(in, to)
}

// watchedDefaulter writes down what a defaulter is asked for.
type watchedDefaulter struct {
	runtime.ObjectDefaulter
	journal *journal
}

// Default implements runtime.ObjectDefaulter.
func (d watchedDefaulter) Default(object runtime.Object) {
	d.journal.add(&d.journal.asked.Defaultings, "%s", kindOf(object))
	d.ObjectDefaulter.Default(object)
}

// watchedCore is the informers of the core group, of which that of namespaces has a lister
// that is watched.
type watchedCore struct {
	coreinformers.Interface
	journal *journal
}

// V1 implements coreinformers.Interface.
func (c watchedCore) V1() coreinformersv1.Interface { return watchedV1{c.Interface.V1(), c.journal} }

type watchedV1 struct {
	coreinformersv1.Interface
	journal *journal
}

// Namespaces implements coreinformersv1.Interface.
func (v watchedV1) Namespaces() coreinformersv1.TypedNamespaceInformer {
	return watchedInformer{v.Interface.Namespaces(), v.journal}
}

type watchedInformer struct {
	coreinformersv1.TypedNamespaceInformer
	journal *journal
}

// Lister implements coreinformersv1.NamespaceInformer.
func (i watchedInformer) Lister() corelisters.NamespaceLister {
	return watchedNamespaces{i.TypedNamespaceInformer.Lister(), i.journal}
}

type watchedNamespaces struct {
	corelisters.NamespaceLister
	journal *journal
}

// Get implements corelisters.NamespaceLister.
func (n watchedNamespaces) Get(name string) (*corev1.Namespace, error) {
	n.journal.add(&n.journal.asked.CachedNamespaces, "%s", name)
	return n.NamespaceLister.Get(name)
}

// List implements corelisters.NamespaceLister.
func (n watchedNamespaces) List(s labels.Selector) ([]*corev1.Namespace, error) {
	n.journal.add(&n.journal.asked.CachedNamespaces, "all of %s", s)
	return n.NamespaceLister.List(s)
}

// watchNamespaces writes down which namespaces a client is asked for.
func watchNamespaces(kube *fake.Clientset, j *journal) {
	kube.PrependReactor("get", "namespaces", func(a clienttesting.Action) (bool, runtime.Object, error) {
		if get, ok := a.(clienttesting.GetAction); ok {
			j.add(&j.asked.LiveNamespaces, "%s", get.GetName())
		}
		return false, nil, nil
	})
}
