package informed_test

import (
	"context"
	"errors"
	"strings"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	registrationv1 "k8s.io/api/admissionregistration/v1"
	corev1 "k8s.io/api/core/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/labels"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"
	fakediscovery "k8s.io/client-go/discovery/fake"
	fakedynamic "k8s.io/client-go/dynamic/fake"
	"k8s.io/client-go/informers"
	"k8s.io/client-go/kubernetes/fake"
	"k8s.io/client-go/tools/cache"

	"example.com/gatehouse/dispatcher"
	"example.com/gatehouse/dispatcher/policy/informed"
	"example.com/gatehouse/internal/testutil/testtable"
)

// limit is a kind that client-go does not know.
var limit = schema.GroupVersionKind{Group: "example.com", Version: "v1", Kind: "Limit"}

// cluster is a fake API server with informers.
type cluster struct {
	kube    *fake.Clientset
	dynamic *fakedynamic.FakeDynamicClient
	factory informers.SharedInformerFactory
	stop    chan struct{}
}

func newCluster(objects ...runtime.Object) *cluster {
	kinds := map[schema.GroupVersionResource]string{
		limit.GroupVersion().WithResource("limits"):                 "LimitList",
		corev1.SchemeGroupVersion.WithResource("configmaps"):        "ConfigMapList",
		corev1.SchemeGroupVersion.WithResource("configmaps/status"): "ConfigMapList",
	}
	kube := fake.NewClientset(objects...)
	return &cluster{
		kube: kube, factory: informers.NewSharedInformerFactory(kube, time.Minute), stop: make(chan struct{}),
		dynamic: fakedynamic.NewSimpleDynamicClientWithCustomListKinds(runtime.NewScheme(), kinds),
	}
}

func (c *cluster) serve(kinds ...*metav1.APIResourceList) {
	c.kube.Discovery().(*fakediscovery.FakeDiscovery).Resources = kinds
}

func (c *cluster) params() *informed.Params {
	return informed.NewParams(c.factory, c.kube.Discovery(), c.dynamic, c.stop)
}

// follow follows the validating policies.
func (c *cluster) follow(t *testing.T) *informed.Source {
	t.Helper()
	v1 := c.factory.Admissionregistration().V1()
	s, err := informed.Follow(c.params(), c.stop, v1.ValidatingAdmissionPolicies().Informer(), v1.ValidatingAdmissionPolicyBindings().Informer())
	if err != nil {
		t.Fatal(err)
	}
	return s
}

// bubble runs a test in virtual time. It ends the informers.
func bubble(t *testing.T, objects []runtime.Object, f func(t *testing.T, c *cluster)) {
	t.Helper()
	synctest.Test(t, func(t *testing.T) {
		c := newCluster(objects...)
		f(t, c)
		close(c.stop)
		c.factory.Shutdown()
	})
}

func named(name string) *registrationv1.ValidatingAdmissionPolicy {
	return &registrationv1.ValidatingAdmissionPolicy{
		ObjectMeta: metav1.ObjectMeta{Name: name},
		Spec: registrationv1.ValidatingAdmissionPolicySpec{
			MatchConstraints: &registrationv1.MatchResources{}, Validations: []registrationv1.Validation{{Expression: "true"}},
		},
	}
}

func names(t *testing.T, s *informed.Source) string {
	t.Helper()
	set, err := s.Current(t.Context())
	if err != nil {
		return err.Error()
	}
	return strings.Join(set.Names(), " ")
}

// TestChanges makes changes: what an informer has delivered is in force.
func TestChanges(t *testing.T) {
	t.Parallel()
	bubble(t, []runtime.Object{named("a")}, func(t *testing.T, c *cluster) {
		s := c.follow(t)
		c.factory.Start(c.stop)
		policies, bindings := c.kube.AdmissionregistrationV1().ValidatingAdmissionPolicies(), c.kube.AdmissionregistrationV1().ValidatingAdmissionPolicyBindings()
		bound := &registrationv1.ValidatingAdmissionPolicyBinding{ObjectMeta: metav1.ObjectMeta{Name: "a-all"}}
		bound.Spec.PolicyName = "a"
		for _, step := range []struct {
			want   string
			change func() error
		}{
			{"a", func() error { return nil }},
			{"a b", func() error { _, err := policies.Create(t.Context(), named("b"), metav1.CreateOptions{}); return err }},
			{"a a-all b", func() error { _, err := bindings.Create(t.Context(), bound, metav1.CreateOptions{}); return err }},
			{"a a-all", func() error { return policies.Delete(t.Context(), "b", metav1.DeleteOptions{}) }},
		} {
			if err := step.change(); err != nil {
				t.Fatal(err)
			}
			synctest.Wait()
			if got := names(t, s); got != step.want {
				t.Errorf("got %s, want %s", got, step.want)
			}
		}
		before, _ := s.Current(t.Context())
		time.Sleep(2 * time.Minute) // until after a resync
		if after, _ := s.Current(t.Context()); after != before {
			t.Error("a resync, which changes nothing, compiled the policies again")
		}
	})
}

// TestNotReady makes requests of a source whose informers have not synced.
func TestNotReady(t *testing.T) {
	t.Parallel()
	bubble(t, nil, func(t *testing.T, c *cluster) {
		s := c.follow(t)
		began := time.Now()
		if _, err := s.Current(t.Context()); !errors.Is(err, dispatcher.ErrNotReady) || time.Since(began) != 10*time.Second {
			t.Errorf("got %v after %v", err, time.Since(began))
		}
		ctx, cancel := context.WithTimeout(t.Context(), time.Second)
		defer cancel()
		began = time.Now()
		if _, err := s.Current(ctx); !errors.Is(err, dispatcher.ErrNotReady) || time.Since(began) != time.Second {
			t.Errorf("with a deadline: got %v after %v", err, time.Since(began))
		}
		go func() {
			time.Sleep(5 * time.Second)
			c.factory.Start(c.stop)
		}()
		if got := names(t, s); got != "" {
			t.Errorf("after the start: got %s", got)
		}
	})
}

// TestFollowStopped is refused: nothing would be delivered.
func TestFollowStopped(t *testing.T) {
	t.Parallel()
	c := newCluster()
	informer := c.factory.Admissionregistration().V1().ValidatingAdmissionPolicies().Informer()
	stopped := make(chan struct{})
	close(stopped)
	informer.Run(stopped)
	_, err := informed.Follow(nil, c.stop, informer)
	if got := testtable.Text(err); !strings.Contains(got, "following policies: ") {
		t.Errorf("got %q", got)
	}
}

// followed is an informer that counts its handlers.
type followed struct {
	cache.SharedIndexInformer
	handlers atomic.Int64
}

func (f *followed) AddEventHandler(h cache.ResourceEventHandler) (cache.ResourceEventHandlerRegistration, error) {
	f.handlers.Add(1)
	return f.SharedIndexInformer.AddEventHandler(h)
}

func (f *followed) RemoveEventHandler(r cache.ResourceEventHandlerRegistration) error {
	f.handlers.Add(-1)
	return f.SharedIndexInformer.RemoveEventHandler(r)
}

// TestUnused has a source that nothing and no request has reached: it has no goroutine,
// which would end the bubble with a panic.
func TestUnused(t *testing.T) {
	t.Parallel()
	bubble(t, nil, func(t *testing.T, c *cluster) {
		policies := c.factory.Admissionregistration().V1().ValidatingAdmissionPolicies().Informer()
		if _, err := informed.Follow(nil, make(chan struct{}), policies); err != nil {
			t.Fatal(err)
		}
	})
}

// TestStopped closes the channel of a source to which no informer has delivered
// anything: none keeps its handler, and a source that was not ready never will be.
func TestStopped(t *testing.T) {
	t.Parallel()
	for _, started := range []bool{false, true} {
		bubble(t, nil, func(t *testing.T, c *cluster) {
			v1 := c.factory.Admissionregistration().V1()
			policies, bindings := &followed{SharedIndexInformer: v1.ValidatingAdmissionPolicies().Informer()}, &followed{SharedIndexInformer: v1.ValidatingAdmissionPolicyBindings().Informer()}
			stop := make(chan struct{})
			s, err := informed.Follow(nil, stop, policies, bindings)
			if err != nil {
				t.Fatal(err)
			}
			ctx, cancel := context.WithCancel(t.Context())
			defer cancel()
			if started {
				c.factory.Start(c.stop)
			} else {
				cancel()
			}
			if _, err := s.Current(ctx); (err == nil) != started {
				t.Errorf("started %v: got %v", started, err)
			}
			close(stop)
			synctest.Wait()
			if policies.handlers.Load() != 0 || bindings.handlers.Load() != 0 {
				t.Errorf("started %v: %d and %d handlers remain", started, policies.handlers.Load(), bindings.handlers.Load())
			}
			c.factory.Start(c.stop)
			synctest.Wait()
			if _, err := s.Current(t.Context()); errors.Is(err, dispatcher.ErrNotReady) == started {
				t.Errorf("started %v: got %v", started, err)
			}
		})
	}
}

// slow is an informer whose store is not returned before it may be read.
type slow struct {
	cache.SharedIndexInformer
	asked chan struct{} // has capacity 1
	read  chan struct{}
}

func (s *slow) GetStore() cache.Store {
	select {
	case s.asked <- struct{}{}:
	default:
	}
	<-s.read
	return s.SharedIndexInformer.GetStore()
}

// TestSlowCompilation has a request wait for a change that is being compiled. Once
// that is done, the next request sees the change.
func TestSlowCompilation(t *testing.T) {
	t.Parallel()
	c := newCluster(named("a"))
	defer c.factory.Shutdown()
	defer close(c.stop)
	policies := &slow{c.factory.Admissionregistration().V1().ValidatingAdmissionPolicies().Informer(), make(chan struct{}, 1), make(chan struct{})}
	s, err := informed.Follow(nil, c.stop, policies)
	if err != nil {
		t.Fatal(err)
	}
	c.factory.Start(c.stop)
	<-policies.asked
	compiled := time.AfterFunc(time.Minute, func() { close(policies.read) })
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if set, err := s.Current(ctx); set != nil || err != dispatcher.ErrNotReady {
		t.Errorf("got %v, %v; want %v", set, err, dispatcher.ErrNotReady)
	}
	if !compiled.Stop() {
		t.Fatal("the request waited until the change was compiled")
	}
	close(policies.read)
	if got := names(t, s); got != "a" {
		t.Errorf("the next request sees %q", got)
	}
}

func configMap(name string) *corev1.ConfigMap {
	return &corev1.ConfigMap{ObjectMeta: metav1.ObjectMeta{Name: name, Namespace: "shop", Labels: map[string]string{"a": name}}}
}

// served are the kinds of both sorts.
func served() []*metav1.APIResourceList {
	return []*metav1.APIResourceList{
		{GroupVersion: "v1", APIResources: []metav1.APIResource{{Name: "configmaps/status", Kind: "ConfigMap"}, {Name: "configmaps", Kind: "ConfigMap", Namespaced: true}}},
		{GroupVersion: "example.com/v1", APIResources: []metav1.APIResource{{Name: "limits", Kind: "Limit"}}},
	}
}

// TestParams reads params of both sorts: from the informer, from the API server,
// and ones that do not exist.
func TestParams(t *testing.T) {
	t.Parallel()
	bubble(t, []runtime.Object{configMap("one"), configMap("two")}, func(t *testing.T, c *cluster) {
		c.serve(served()...)
		p := c.params()
		maps, err := p.Params(t.Context(), corev1.SchemeGroupVersion.WithKind("ConfigMap"))
		if err != nil || !maps.Namespaced() {
			t.Fatalf("got %v", err)
		}
		one, err := maps.Get(t.Context(), "shop", "one")
		if m, ok := one.(*corev1.ConfigMap); err != nil || !ok || m.Name != "one" {
			t.Errorf("got %v, %v", one, err)
		}
		if _, err := maps.Get(t.Context(), "shop", "none"); !apierrors.IsNotFound(err) {
			t.Errorf("got %v", err)
		}
		for selector, want := range map[string]int{"": 2, "a=one": 1, "a=none": 0} {
			parsed, _ := labels.Parse(selector)
			if found, err := maps.List(t.Context(), "shop", parsed); err != nil || len(found) != want {
				t.Errorf("%q: got %v, %v", selector, found, err)
			}
		}
		if found, _ := maps.List(t.Context(), "other", labels.Everything()); len(found) != 0 {
			t.Errorf("another namespace: got %v", found)
		}

		limits, err := p.Params(t.Context(), limit)
		if err != nil || limits.Namespaced() {
			t.Fatalf("got %v", err)
		}
		if _, err := limits.Get(t.Context(), "", "most"); !apierrors.IsNotFound(err) {
			t.Errorf("got %v", err)
		}
		most := &unstructured.Unstructured{Object: map[string]any{"apiVersion": "example.com/v1", "kind": "Limit", "metadata": map[string]any{"name": "most"}}}
		if _, err := c.dynamic.Resource(limit.GroupVersion().WithResource("limits")).Create(t.Context(), most, metav1.CreateOptions{}); err != nil {
			t.Fatal(err)
		}
		if got, err := limits.Get(t.Context(), "", "most"); err != nil || got.(*unstructured.Unstructured).GetName() != "most" {
			t.Errorf("not in the informer yet: got %v, %v", got, err)
		}
		synctest.Wait()
		if found, err := limits.List(t.Context(), "", labels.Everything()); err != nil || len(found) != 1 {
			t.Errorf("got %v, %v", found, err)
		}
	})
}

// TestUnknownParams looks for a kind again after a second.
func TestUnknownParams(t *testing.T) {
	t.Parallel()
	bubble(t, nil, func(t *testing.T, c *cluster) {
		p := c.params()
		ended, end := context.WithCancel(t.Context())
		end()
		maps := corev1.SchemeGroupVersion.WithKind("ConfigMap")
		if _, err := p.Params(ended, maps); err == nil {
			t.Error("no error for a request that has ended")
		}
		c.serve(served()...)
		if _, err := p.Params(t.Context(), maps); err != nil {
			t.Errorf("a request that has ended speaks for others: %v", err)
		}
		for _, serve := range [][]*metav1.APIResourceList{nil, {{GroupVersion: "example.com/v1"}}} {
			c.serve(serve...)
			if _, err := p.Params(t.Context(), limit); err == nil {
				t.Error("no error")
			}
			c.serve(served()...)
			if _, err := p.Params(t.Context(), limit); err == nil {
				t.Error("looked for it again at once")
			}
			time.Sleep(time.Second)
		}
		if _, err := p.Params(t.Context(), limit); err != nil {
			t.Error(err)
		}
	})
}

// TestUnusedParams ends the informer of a kind that no policy names any more. One
// that names it again gets another.
func TestUnusedParams(t *testing.T) {
	t.Parallel()
	limited := named("limited")
	limited.Spec.ParamKind = &registrationv1.ParamKind{APIVersion: "example.com/v1", Kind: "Limit"}
	bubble(t, []runtime.Object{limited}, func(t *testing.T, c *cluster) {
		c.serve(served()...)
		p, v1 := c.params(), c.factory.Admissionregistration().V1()
		s, err := informed.Follow(p, c.stop, v1.ValidatingAdmissionPolicies().Informer())
		if err != nil {
			t.Fatal(err)
		}
		c.factory.Start(c.stop)
		watches := func() (n int) {
			synctest.Wait()
			for _, a := range c.dynamic.Actions() {
				if a.GetVerb() == "watch" {
					n++
				}
			}
			return n
		}
		use := func() {
			if names(t, s) == "" {
				t.Fatal("there is no policy")
			}
			if _, err := p.Params(t.Context(), limit); err != nil {
				t.Fatal(err)
			}
		}
		use()
		use()
		if got := watches(); got != 1 {
			t.Errorf("%d watches while the kind is named", got)
		}
		policies := c.kube.AdmissionregistrationV1().ValidatingAdmissionPolicies()
		if err := policies.Delete(t.Context(), "limited", metav1.DeleteOptions{}); err != nil {
			t.Fatal(err)
		}
		synctest.Wait()
		if names(t, s) != "" {
			t.Fatal("the policy is still there")
		}
		if _, err := policies.Create(t.Context(), limited, metav1.CreateOptions{}); err != nil {
			t.Fatal(err)
		}
		synctest.Wait()
		use()
		if got := watches(); got != 2 {
			t.Errorf("%d watches after the kind was not named for a while", got)
		}
	})
}

// TestUnsyncedParams waits a second, as kube-apiserver, or until the request ends.
func TestUnsyncedParams(t *testing.T) {
	t.Parallel()
	bubble(t, nil, func(t *testing.T, c *cluster) {
		c.serve(served()...)
		stopped := make(chan struct{})
		close(stopped)
		p := informed.NewParams(c.factory, c.kube.Discovery(), c.dynamic, stopped)
		limits, err := p.Params(t.Context(), limit)
		if err != nil {
			t.Fatal(err)
		}
		began := time.Now()
		_, err = limits.Get(t.Context(), "", "most")
		const want = "paramKind kind `&ParamKind{APIVersion:example.com/v1,Kind:Limit,}` not yet synced to use for admission"
		if testtable.Text(err) != want || time.Since(began) != time.Second {
			t.Errorf("got %v after %v", err, time.Since(began))
		}
		ctx, cancel := context.WithCancel(t.Context())
		cancel()
		if _, err := limits.List(ctx, "", labels.Everything()); testtable.Text(err) != want {
			t.Errorf("got %v", err)
		}
	})
}
