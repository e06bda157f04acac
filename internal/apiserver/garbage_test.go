package apiserver

import (
	"context"
	"io"
	"slices"
	"sync"
	"testing"

	corev1 "k8s.io/api/core/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/types"
	apiadmission "k8s.io/apiserver/pkg/admission"
	"k8s.io/client-go/dynamic"
	"k8s.io/utils/ptr"
)

// users is a plugin that records who deletes objects in a namespace.
type users struct {
	lock sync.Mutex
	// names are the users by namespace.
	names map[string][]string
}

var _ apiadmission.ValidationInterface = (*users)(nil)

func (*users) Handles(operation apiadmission.Operation) bool { return operation == apiadmission.Delete }

func (u *users) Validate(_ context.Context, a apiadmission.Attributes, _ apiadmission.ObjectInterfaces) error {
	u.lock.Lock()
	defer u.lock.Unlock()
	u.names[a.GetNamespace()] = append(u.names[a.GetNamespace()], a.GetUserInfo().GetName())
	return nil
}

func (u *users) of(namespace string) []string {
	u.lock.Lock()
	defer u.lock.Unlock()
	return slices.Clone(u.names[namespace])
}

// collecting starts a server that collects garbage.
func collecting(t *testing.T, folder string) (*users, *Server) {
	t.Helper()
	u := &users{names: map[string][]string{}}
	register := func(plugins *apiadmission.Plugins) {
		plugins.Register("Users", func(io.Reader) (apiadmission.Interface, error) { return u, nil })
	}
	admission := Admission{Register: register, Order: []string{"Users"}}
	return u, start(t, Config{CollectGarbage: true, DataDir: folder, Admission: admission})
}

// family is the objects of one test on a server.
type family struct {
	*testing.T
	server    *Server
	namespace string
}

// of returns the client for a resource, and the member's name.
func (f family) of(kind schema.GroupVersionKind) dynamic.ResourceInterface {
	resource := schema.GroupVersionResource{Group: kind.Group, Version: kind.Version}
	switch kind.Kind {
	case "ClusterRole":
		resource.Resource = "clusterroles"
		return untyped(f.T, f.server).Resource(resource)
	case "Namespace":
		resource.Resource = "namespaces"
		return untyped(f.T, f.server).Resource(resource)
	case "Panda":
		resource.Resource = "pandas"
	case "Job":
		resource.Resource = "jobs"
	default:
		resource.Resource = "configmaps"
	}
	return untyped(f.T, f.server).Resource(resource).Namespace(f.namespace)
}

func (f family) client(o *unstructured.Unstructured) dynamic.ResourceInterface {
	return f.of(o.GroupVersionKind())
}

// create creates an object with owners.
func (f family) create(text string, owners ...metav1.OwnerReference) *unstructured.Unstructured {
	f.Helper()
	o := parse(f.T, text)
	o.SetOwnerReferences(owners)
	return must[*unstructured.Unstructured](f.T)(f.client(o).Create(f.Context(), o, metav1.CreateOptions{}))
}

// owner creates the namespace of the test, and a cluster-scoped dependent with finalizers.
func (f family) owner(finalizers string) (namespace, dependent *unstructured.Unstructured) {
	f.Helper()
	namespace = f.create(`{"apiVersion":"v1","kind":"Namespace","metadata":{"name":"` + f.namespace + `"}}`)
	return namespace, f.create(`{"apiVersion":"rbac.authorization.k8s.io/v1","kind":"ClusterRole","metadata":{"name":"`+f.namespace+`","finalizers":[`+finalizers+`]}}`, refer(namespace, true))
}

// configMap creates a ConfigMap with owners.
func (f family) configMap(name string, owners ...metav1.OwnerReference) *unstructured.Unstructured {
	f.Helper()
	return f.create(`{"apiVersion":"v1","kind":"ConfigMap","metadata":{"name":"`+name+`"}}`, owners...)
}

// held creates a ConfigMap with a finalizer.
func (f family) held(name string, owners ...metav1.OwnerReference) *unstructured.Unstructured {
	f.Helper()
	return f.create(`{"apiVersion":"v1","kind":"ConfigMap","metadata":{"name":"`+name+`","finalizers":["example.com/wait"]}}`, owners...)
}

func refer(o *unstructured.Unstructured, blocks bool) metav1.OwnerReference {
	return metav1.OwnerReference{APIVersion: o.GetAPIVersion(), Kind: o.GetKind(), Name: o.GetName(), UID: o.GetUID(), BlockOwnerDeletion: &blocks}
}

func (f family) delete(o *unstructured.Unstructured, policy metav1.DeletionPropagation) {
	f.Helper()
	if err := f.client(o).Delete(f.Context(), o.GetName(), metav1.DeleteOptions{PropagationPolicy: &policy}); err != nil {
		f.Fatal(err)
	}
}

// get returns the state of an object, and nil if it does not exist.
func (f family) get(o *unstructured.Unstructured) *unstructured.Unstructured {
	f.Helper()
	found, err := f.client(o).Get(f.Context(), o.GetName(), metav1.GetOptions{})
	if apierrors.IsNotFound(err) || err == nil && found.GetUID() != o.GetUID() {
		return nil
	}
	return must[*unstructured.Unstructured](f.T)(found, err)
}

func (f family) awaitGone(objects ...*unstructured.Unstructured) {
	f.Helper()
	for _, o := range objects {
		eventually(f.T, o.GetName()+" is still there", func() bool { return f.get(o) == nil })
	}
}

// awaitOwners waits until an object has certain owners, and no others.
func (f family) awaitOwners(o *unstructured.Unstructured, owners ...*unstructured.Unstructured) {
	f.Helper()
	want := []types.UID{}
	for _, owner := range owners {
		want = append(want, owner.GetUID())
	}
	eventually(f.T, o.GetName()+" does not get its owners", func() bool {
		got := []types.UID{}
		for _, reference := range f.get(o).GetOwnerReferences() {
			got = append(got, reference.UID)
		}
		return slices.Equal(got, want)
	})
}

// awaitDeleting waits until an object is being deleted.
func (f family) awaitDeleting(o *unstructured.Unstructured) {
	f.Helper()
	eventually(f.T, o.GetName()+" is not deleted", func() bool { return f.get(o).GetDeletionTimestamp() != nil })
}

// release removes the finalizer of a held object.
func (f family) release(o *unstructured.Unstructured) {
	f.Helper()
	patch := []byte(`[{"op":"remove","path":"/metadata/finalizers"}]`)
	must[*unstructured.Unstructured](f.T)(f.client(o).Patch(f.Context(), o.GetName(), types.JSONPatchType, patch, metav1.PatchOptions{}))
}

// TestGarbage has what becomes of dependents.
func TestGarbage(t *testing.T) {
	t.Parallel()
	deleters, server := collecting(t, "")
	const background = metav1.DeletePropagationBackground
	const foreground, orphan = metav1.DeletePropagationForeground, metav1.DeletePropagationOrphan
	tests := map[string]func(family){
		"orphans of a namespace": func(f family) {
			namespace, dependent := f.owner("")
			f.delete(namespace, orphan)
			f.awaitGone(namespace)
			f.awaitOwners(dependent)
		},
		"foreground of a namespace": func(f family) {
			namespace, dependent := f.owner(`"example.com/wait"`)
			f.delete(namespace, foreground)
			f.awaitDeleting(dependent)
			eventually(f.T, "the namespace is not finalized", func() bool {
				got := f.get(namespace)
				return got == nil || got.Object["spec"].(map[string]any)["finalizers"] == nil
			})
			if f.get(namespace) == nil {
				f.Error("the namespace does not wait")
			}
			f.release(dependent)
			f.awaitGone(dependent, namespace)
		},
		"background": func(f family) {
			owner := f.configMap("owner")
			child := f.configMap("child", refer(owner, true))
			grandchild := f.configMap("grandchild", refer(child, false))
			f.delete(owner, background)
			f.awaitGone(child, grandchild)
			const collector = "system:serviceaccount:kube-system:generic-garbage-collector"
			if got, want := deleters.of(f.namespace), []string{"gatehouse:admin", collector, collector}; !slices.Equal(got, want) {
				f.Errorf("deleted by %q, want %q", got, want)
			}
		},
		"two owners": func(f family) {
			one, two := f.configMap("one"), f.configMap("two")
			child := f.configMap("child", refer(one, false), refer(two, false))
			f.delete(one, background)
			f.awaitOwners(child, two)
			f.delete(two, background)
			f.awaitGone(child)
		},
		"owner has never existed": func(f family) {
			f.awaitGone(f.configMap("child", metav1.OwnerReference{APIVersion: "v1", Kind: "ConfigMap", Name: "a", UID: "b"}))
		},
		"owner has another UID": func(f family) {
			reference := refer(f.configMap("owner"), false)
			reference.UID = "other"
			f.awaitGone(f.configMap("child", reference))
		},
		"owner in another namespace": func(f family) {
			owner := f.configMap("owner")
			f.namespace += "-other"
			f.awaitGone(f.configMap("child", refer(owner, false)))
		},
		"owner is added": func(f family) {
			child := f.configMap("child")
			child.SetOwnerReferences([]metav1.OwnerReference{{APIVersion: "v1", Kind: "ConfigMap", Name: "a", UID: "b"}})
			must[*unstructured.Unstructured](f.T)(f.client(child).Update(f.Context(), child, metav1.UpdateOptions{}))
			f.awaitGone(child)
		},
		"cluster-scoped owner": func(f family) {
			role := f.create(`{"apiVersion":"rbac.authorization.k8s.io/v1","kind":"ClusterRole","metadata":{"name":"` + f.namespace + `"}}`)
			gone := metav1.OwnerReference{APIVersion: "v1", Kind: "ConfigMap", Name: "a", UID: "b"}
			child := f.configMap("child", refer(role, false), gone)
			f.awaitOwners(child, role)
			f.delete(role, background)
			f.awaitGone(child)
		},
		"orphans": func(f family) {
			owner, other := f.configMap("owner"), f.configMap("other")
			child := f.configMap("child", refer(owner, true), refer(other, true))
			f.delete(owner, orphan)
			f.awaitGone(owner)
			f.awaitOwners(child, other)
		},
		"job": func(f family) {
			owner := f.create(`{"apiVersion":"batch/v1","kind":"Job","metadata":{"name":"owner"},"spec":{"template":{"spec":{"restartPolicy":"Never","containers":[{"name":"a","image":"a"}]}}}}`)
			child := f.configMap("child", refer(owner, true))
			if err := f.client(owner).Delete(f.Context(), "owner", metav1.DeleteOptions{}); err != nil {
				f.Fatal(err)
			}
			f.awaitGone(owner)
			f.awaitOwners(child)
		},
		"foreground": func(f family) {
			owner := f.configMap("owner")
			child, other := f.configMap("child", refer(owner, true)), f.held("other", refer(owner, true))
			f.delete(owner, foreground)
			f.awaitGone(child)
			f.awaitDeleting(other)
			if got := f.get(owner); got.GetDeletionTimestamp() == nil || !slices.Equal(got.GetFinalizers(), []string{metav1.FinalizerDeleteDependents}) {
				f.Errorf("the owner does not wait: %v", got)
			}
			f.release(other)
			f.awaitGone(other, owner)
		},
		"foreground, not blocking": func(f family) {
			owner := f.configMap("owner")
			child := f.held("child", refer(owner, false))
			f.delete(owner, foreground)
			f.awaitGone(owner)
			f.awaitDeleting(child)
			f.release(child)
			f.awaitGone(child)
		},
		"foreground of three generations": func(f family) {
			owner := f.configMap("owner")
			child := f.configMap("child", refer(owner, true))
			grandchild := f.held("grandchild", refer(child, true))
			f.delete(owner, foreground)
			f.awaitDeleting(child)
			f.awaitDeleting(grandchild)
			f.release(grandchild)
			f.awaitGone(grandchild, child, owner)
		},
		"foreground with another owner": func(f family) {
			one, two := f.configMap("one"), f.configMap("two")
			child := f.configMap("child", refer(one, true), refer(two, true))
			f.delete(one, foreground)
			f.awaitGone(one)
			f.awaitOwners(child, two)
		},
		"foreground, no dependents": func(f family) {
			owner := f.configMap("owner")
			f.delete(owner, foreground)
			f.awaitGone(owner)
		},
		"circle": func(f family) {
			one := f.configMap("one")
			two := f.configMap("two", refer(one, true))
			one.SetOwnerReferences([]metav1.OwnerReference{refer(two, true)})
			must[*unstructured.Unstructured](f.T)(f.client(one).Update(f.Context(), one, metav1.UpdateOptions{}))
			f.delete(one, foreground)
			f.awaitGone(one, two)
		},
		"namespace": func(f family) {
			namespaces := typed(f.T, f.server).CoreV1().Namespaces()
			must[*corev1.Namespace](f.T)(namespaces.Create(f.Context(), &corev1.Namespace{ObjectMeta: metav1.ObjectMeta{Name: f.namespace}}, metav1.CreateOptions{}))
			owner := f.configMap("owner")
			f.configMap("child", refer(owner, true))
			f.delete(owner, foreground)
			if err := namespaces.Delete(f.Context(), f.namespace, metav1.DeleteOptions{}); err != nil {
				f.Fatal(err)
			}
			awaitGone(f.T, f.server, f.namespace)
		},
	}
	for name, test := range tests {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			test(family{t, server, own(t)})
		})
	}
}

// TestGarbageOfCustomResources: the collector learns of kinds that are defined
// later, and a definition takes the dependents of its objects along.
func TestGarbageOfCustomResources(t *testing.T) {
	t.Parallel()
	_, server := collecting(t, "")
	f := family{t, server, "default"}
	f.awaitGone(f.configMap("first", metav1.OwnerReference{APIVersion: "v1", Kind: "ConfigMap", Name: "a", UID: "b"}))
	p := (&world{Server: server}).define(t, "garbage", shapeless, "")
	owner := p.apply(t, "v1", "a", `"spec":{}`)
	child := f.create(`{"apiVersion":"`+p.group+`/v2","kind":"Panda","metadata":{"name":"child"}}`, refer(owner, true))
	f.delete(owner, metav1.DeletePropagationForeground)
	f.awaitGone(child, owner)

	owner = p.apply(t, "v1", "a", `"spec":{}`)
	other := f.configMap("other", refer(owner, true))
	definitions := untyped(t, server).Resource(definitionsResource)
	if err := definitions.Delete(t.Context(), p.name(), metav1.DeleteOptions{}); err != nil {
		t.Fatal(err)
	}
	f.awaitGone(other)
}

// TestGarbageOfEarlierServer: the collector finds what a server without one has
// left behind.
func TestGarbageOfEarlierServer(t *testing.T) {
	t.Parallel()
	folder := t.TempDir()
	first := start(t, Config{DataDir: folder})
	f := family{t, first, "default"}
	p := (&world{Server: first}).define(t, "garbage", shapeless, "")
	owner, waiting, letting := p.apply(t, "v1", "a", `"spec":{}`), f.configMap("waiting"), f.configMap("letting")
	dangling, blocking := f.configMap("dangling", refer(owner, true)), f.configMap("blocking", refer(waiting, true))
	custom := f.create(`{"apiVersion":"`+p.group+`/v1","kind":"Panda","metadata":{"name":"custom"}}`, refer(waiting, true))
	orphaned := f.configMap("orphaned", refer(letting, true))
	f.delete(owner, metav1.DeletePropagationBackground)
	f.delete(waiting, metav1.DeletePropagationForeground)
	f.delete(letting, metav1.DeletePropagationOrphan)
	for _, o := range []*unstructured.Unstructured{dangling, waiting, letting} {
		if f.get(o) == nil {
			t.Errorf("the first server has collected %s", o.GetName())
		}
	}
	stop(t, first)

	_, f.server = collecting(t, folder)
	f.awaitGone(dangling, blocking, custom, waiting, letting)
	f.awaitOwners(orphaned)
}

// TestGarbageCircle: two objects that own each other, and whose deletions have begun at
// the same time, do not wait for each other.
func TestGarbageCircle(t *testing.T) {
	t.Parallel()
	folder := t.TempDir()
	first := start(t, Config{DataDir: folder})
	f := family{t, first, "default"}
	one := f.configMap("one")
	two := f.configMap("two", refer(one, true))
	one.SetOwnerReferences([]metav1.OwnerReference{refer(two, true)})
	must[*unstructured.Unstructured](t)(f.client(one).Update(t.Context(), one, metav1.UpdateOptions{}))
	f.delete(one, metav1.DeletePropagationForeground)
	f.delete(two, metav1.DeletePropagationForeground)
	f.awaitDeleting(one)
	f.awaitDeleting(two)
	stop(t, first)

	_, f.server = collecting(t, folder)
	f.awaitGone(one, two)
}

// TestGarbageIsNotTouched: an object keeps the owner that it has, also when it
// cannot be one.
func TestGarbageIsNotTouched(t *testing.T) {
	t.Parallel()
	deleters, server := collecting(t, "")
	f := family{t, server, "default"}
	role := f.create(`{"apiVersion":"rbac.authorization.k8s.io/v1","kind":"ClusterRole","metadata":{"name":"a"}}`, refer(f.configMap("owner"), false))
	unknown := metav1.OwnerReference{APIVersion: "example.com/v1", Kind: "Unknown", Name: "a", UID: "b", BlockOwnerDeletion: ptr.To(true)}
	child := f.configMap("child", unknown)
	// The collector works through its queue in order.
	f.awaitGone(f.configMap("last", metav1.OwnerReference{APIVersion: "v1", Kind: "ConfigMap", Name: "a", UID: "b"}))
	if f.get(role) == nil || f.get(child) == nil || len(deleters.of("default")) != 1 {
		t.Errorf("%q have deleted what has owners", deleters.of("default"))
	}
}

// TestGarbageOfUnservedVersion: an object whose owner is named in a version that
// is not served any more may still have it.
func TestGarbageOfUnservedVersion(t *testing.T) {
	t.Parallel()
	_, server := collecting(t, "")
	f := family{t, server, "default"}
	p := (&world{Server: server}).define(t, "garbage", shapeless, "")
	owner := p.apply(t, "v1", "a", `"spec":{}`)
	reference := refer(owner, false)
	reference.APIVersion = p.group + "/v2"
	gone := metav1.OwnerReference{APIVersion: "v1", Kind: "ConfigMap", Name: "a", UID: "b"}
	// The collector has the version in its cache when this is done.
	f.awaitOwners(f.configMap("before", reference, gone), owner)
	patch := []byte(`[{"op":"replace","path":"/spec/versions/1/served","value":false}]`)
	must[*unstructured.Unstructured](t)(untyped(t, server).Resource(definitionsResource).Patch(t.Context(), p.name(), types.JSONPatchType, patch, metav1.PatchOptions{}))
	eventually(t, "v2 is still served", func() bool {
		_, err := p.at(t, "v2").Get(t.Context(), "a", metav1.GetOptions{})
		return apierrors.IsNotFound(err)
	})
	after := f.configMap("after", reference)
	f.awaitGone(f.configMap("last", gone))
	if f.get(after) == nil {
		t.Error("the object was deleted")
	}
}
