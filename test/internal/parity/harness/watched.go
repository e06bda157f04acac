package harness

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

// kindOf returns the Go type of a typed object, and the kind of an unstructured
// one.
func kindOf(v any) string {
	if o, ok := v.(runtime.Unstructured); ok {
		return o.GetObjectKind().GroupVersionKind().String()
	}
	return fmt.Sprintf("%T", v)
}

// watchedConvertor records conversions.
type watchedConvertor struct {
	runtime.ObjectConvertor
	callLog *callLog
}

// Convert implements runtime.ObjectConvertor.
func (c watchedConvertor) Convert(in, out, context any) error {
	c.callLog.add(&c.callLog.asked.Conversions, "%s → %s", kindOf(in), kindOf(out))
	return c.ObjectConvertor.Convert(in, out, context)
}

// ConvertToVersion implements runtime.ObjectConvertor.
func (c watchedConvertor) ConvertToVersion(
	in runtime.Object, to runtime.GroupVersioner,
) (runtime.Object, error) {
	kind, _ := to.KindForGroupVersionKinds(
		[]schema.GroupVersionKind{in.GetObjectKind().GroupVersionKind()},
	)
	c.callLog.add(&c.callLog.asked.Conversions, "%s → version of %s", kindOf(in), kind)
	return c.ObjectConvertor.ConvertToVersion(in, to)
}

// watchedDefaulter records defaultings.
type watchedDefaulter struct {
	runtime.ObjectDefaulter
	callLog *callLog
}

// Default implements runtime.ObjectDefaulter.
func (d watchedDefaulter) Default(object runtime.Object) {
	d.callLog.add(&d.callLog.asked.Defaultings, "%s", kindOf(object))
	d.ObjectDefaulter.Default(object)
}

// watchedCore is the informers of the core group, of which that of namespaces
// has a lister that is watched.
type watchedCore struct {
	coreinformers.Interface
	callLog *callLog
}

// V1 implements coreinformers.Interface.
func (c watchedCore) V1() coreinformersv1.Interface { return watchedV1{c.Interface.V1(), c.callLog} }

type watchedV1 struct {
	coreinformersv1.Interface
	callLog *callLog
}

// Namespaces implements coreinformersv1.Interface.
func (v watchedV1) Namespaces() coreinformersv1.TypedNamespaceInformer {
	return watchedInformer{v.Interface.Namespaces(), v.callLog}
}

type watchedInformer struct {
	coreinformersv1.TypedNamespaceInformer
	callLog *callLog
}

// Lister implements coreinformersv1.NamespaceInformer.
func (i watchedInformer) Lister() corelisters.NamespaceLister {
	return watchedNamespaces{i.TypedNamespaceInformer.Lister(), i.callLog}
}

type watchedNamespaces struct {
	corelisters.NamespaceLister
	callLog *callLog
}

// Get implements corelisters.NamespaceLister.
func (n watchedNamespaces) Get(name string) (*corev1.Namespace, error) {
	n.callLog.add(&n.callLog.asked.CachedNamespaces, "%s", name)
	return n.NamespaceLister.Get(name)
}

// List implements corelisters.NamespaceLister.
func (n watchedNamespaces) List(s labels.Selector) ([]*corev1.Namespace, error) {
	n.callLog.add(&n.callLog.asked.CachedNamespaces, "all of %s", s)
	return n.NamespaceLister.List(s)
}

// watchNamespaces records the namespaces that a client gets.
func watchNamespaces(kube *fake.Clientset, j *callLog) {
	kube.PrependReactor("get", "namespaces",
		func(a clienttesting.Action) (bool, runtime.Object, error) {
			if get, ok := a.(clienttesting.GetAction); ok {
				j.add(&j.asked.LiveNamespaces, "%s", get.GetName())
			}
			return false, nil, nil
		})
}
