package convert

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
	appsv1 "k8s.io/api/apps/v1"
	appsv1beta1 "k8s.io/api/apps/v1beta1"
	autoscalingv1 "k8s.io/api/autoscaling/v1"
	autoscalingv2 "k8s.io/api/autoscaling/v2"
	extensionsv1beta1 "k8s.io/api/extensions/v1beta1"
	networkingv1 "k8s.io/api/networking/v1"
	rbacv1 "k8s.io/api/rbac/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"pgregory.net/rapid"
)

// TestRoundTrips is the law of the table, for every pair of versions of every
// kind: an object says the same after it was converted as before, which is to
// say that it has the same hub. And the object itself stays as it was.
func TestRoundTrips(t *testing.T) {
	t.Parallel()
	c := New()
	for _, f := range table() {
		for i := range f.versions {
			source := &f.versions[i]
			t.Run(strings.ReplaceAll(f.kind+"/"+source.gv.String(), "/", "."), func(t *testing.T) {
				t.Parallel()
				rapid.Check(t, func(t *rapid.T) {
					object := sample(t, &f, source)
					for j := range f.versions {
						roundTrip(t, c, &f, object, source, &f.versions[j])
					}
				})
			})
		}
	}
}

func roundTrip(t rapid.TB, c *Converter, f *family, object runtime.Object, source, target *version) {
	original := object.DeepCopyObject()
	converted, err := c.Convert(object, target.gv.WithKind(f.kind))
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(original, object); diff != "" {
		t.Fatalf("the source was changed (-before +after):\n%s", diff)
	}
	if got := converted.GetObjectKind().GroupVersionKind(); got != target.gv.WithKind(f.kind) {
		t.Fatalf("the result says that it is %v", got)
	}
	if diff := cmp.Diff(hubOf(t, f, original, source), hubOf(t, f, converted, target), meaning()); diff != "" {
		t.Fatalf("in %v it says something else (-source +result):\n%s", target.gv, diff)
	}
	back, err := c.Convert(converted, source.gv.WithKind(f.kind))
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(hubOf(t, f, original, source), hubOf(t, f, back, source), meaning()); diff != "" {
		t.Fatalf("back from %v it says something else (-source +result):\n%s", target.gv, diff)
	}
}

// hubOf returns what an object says.
func hubOf(t rapid.TB, f *family, object runtime.Object, v *version) runtime.Object {
	hub, err := f.enter(object.DeepCopyObject(), v)
	if err != nil {
		t.Fatal(err)
	}
	return hub
}

// meaning compares what objects say, in which empty is the same as absent, and
// what they are called is not included.
func meaning() cmp.Option {
	return cmp.Options{cmpopts.EquateEmpty(), cmpopts.IgnoreTypes(metav1.TypeMeta{})}
}

// sample makes a random object of a version out of a random hub, so that
// whatever the hub can say is lost if the version cannot say it.
func sample(t *rapid.T, f *family, v *version) runtime.Object {
	hub := f.hub()
	random(t, hub)
	restrain(t, hub)
	object := v.empty()
	carry(object, hub)
	if v.fromHub != nil {
		if err := v.fromHub(hub, object); err != nil {
			t.Fatal(err)
		}
	}
	if diff := cmp.Diff(settledHub(hub, v), hubOf(t, f, object, v), meaning()); diff != "" {
		t.Fatalf("the sample lost something (-hub +sample):\n%s", diff)
	}
	return object.DeepCopyObject()
}

// settledHub is the hub with what a version takes for granted.
func settledHub(hub runtime.Object, v *version) runtime.Object {
	hub = hub.DeepCopyObject()
	if v.settle != nil {
		v.settle(hub)
	}
	return hub
}

// restrain makes a hub one that an API server would accept as far as versions
// differ in what they can say of others.
func restrain(t *rapid.T, hub runtime.Object) {
	switch hub := hub.(type) {
	case *appsv1beta1.StatefulSet:
		// The field is always there in other versions, and zero is absent.
		setOnce(&hub.Status.ObservedGeneration, 0)
	case *autoscalingv1.Scale:
		hub.Status.Selector = rapid.SampledFrom([]string{"", "a=b", "a=b,c=d", "a in (b,c)", "!a", "a,b notin (c,d)"}).Draw(t, "selector")
	case *rbacv1.RoleBinding:
		restrainSubjects(t, hub.Subjects)
	case *rbacv1.ClusterRoleBinding:
		restrainSubjects(t, hub.Subjects)
	case *autoscalingv2.HorizontalPodAutoscaler:
		restrainAutoscaler(t, hub)
	case *networkingv1.Ingress:
		settlePaths(hub)
		restrainIngress(hub)
	}
	restrainSelector(hub)
}

// restrainSelector: the selector is required where it has no default.
func restrainSelector(hub runtime.Object) {
	selector := &metav1.LabelSelector{MatchLabels: map[string]string{"own": "selector"}}
	switch hub := hub.(type) {
	case *appsv1beta1.Deployment:
		hub.Spec.Selector = selector
	case *appsv1beta1.StatefulSet:
		hub.Spec.Selector = selector
	case *extensionsv1beta1.DaemonSet:
		hub.Spec.Selector = selector
	case *appsv1.ReplicaSet:
		hub.Spec.Selector = selector
	}
}

func restrainSubjects(t *rapid.T, subjects []rbacv1.Subject) {
	for i := range subjects {
		s := &subjects[i]
		s.Kind = rapid.SampledFrom([]string{rbacv1.UserKind, rbacv1.GroupKind, rbacv1.ServiceAccountKind, "Robot"}).Draw(t, "kind")
		switch s.Kind {
		case rbacv1.UserKind, rbacv1.GroupKind:
			s.APIGroup = rbacv1.GroupName
		case rbacv1.ServiceAccountKind:
			s.APIGroup = ""
		}
	}
}

func restrainIngress(hub *networkingv1.Ingress) {
	if b := hub.Spec.DefaultBackend; b != nil && b.Service != nil && b.Service.Port.Name != "" {
		b.Service.Port.Number = 0
	}
	for _, rule := range hub.Spec.Rules {
		if rule.HTTP == nil {
			continue
		}
		for _, path := range rule.HTTP.Paths {
			if path.Backend.Service != nil {
				path.Backend.Service.Port.Number = 0
			}
		}
	}
}
