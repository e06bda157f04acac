package kinds_test

import (
	"testing"

	"k8s.io/apimachinery/pkg/runtime/schema"
	clientscheme "k8s.io/client-go/kubernetes/scheme"

	"example.com/gatehouse/internal/offline/kinds"
	"example.com/gatehouse/internal/testutil/testtable"
)

func TestPast(t *testing.T) {
	t.Parallel()
	type test struct {
		row
		kind, want string
	}
	rows := []test{
		{row{"group", "the kind moved"}, "extensions/v1beta1 Deployment", "apps/v1 Deployment"},
		{row{"other group", "not all kinds of a group moved to the same"}, "extensions/v1beta1 Ingress", "networking.k8s.io/v1 Ingress"},
		{row{"version", "the group stayed"}, "apps/v1beta2 DaemonSet", "apps/v1 DaemonSet"},
		{row{"alpha", "of which the type does not say that it is gone"}, "rbac.authorization.k8s.io/v1alpha1 Role", "rbac.authorization.k8s.io/v1 Role"},
		{row{"events", "the newest of the two that are served"}, "events.k8s.io/v1beta1 Event", "events.k8s.io/v1 Event"},
		{row{"served", "nothing took over"}, "apps/v1 Deployment", ""},
		{row{"old and served", "there is a newer one, but no need to use it"}, "autoscaling/v1 HorizontalPodAutoscaler", ""},
		{row{"body", "no resource, and so never served as one"}, "policy/v1beta1 Eviction", ""},
		{row{"scale", "nor is this"}, "extensions/v1beta1 Scale", ""},
		{row{"not convertible", "it cannot be used offline"}, "flowcontrol.apiserver.k8s.io/v1beta3 FlowSchema", ""},
		{row{"custom", "versions that are not served are the definition's affair"}, "example.com/v0 Widget", ""},
		{row{"unknown", "no kind at all"}, "example.com/v1 Foo", ""},
	}
	r := taught(t)
	testtable.Run(t, rows, func(t *testing.T, test test) {
		want := schema.GroupVersionKind{}
		if test.want != "" {
			want = gvk(test.want)
		}
		if use, past := r.Past(gvk(test.kind)); use != want || past != (test.want != "") {
			t.Errorf("got %v, %t", use, past)
		}
	})
}

// otherwise are the types that do not name what is served now, and why.
func otherwise() map[string]string {
	return map[string]string{
		"networking.k8s.io/v1beta1 IngressClass":     "its type names the list",
		"storage.k8s.io/v1alpha1 CSIStorageCapacity": "its type names a version that is of the past as well",
	}
}

// TestPastKinds compares what took over with what the types themselves say, as far
// as they do, and the scope with that of the successor.
func TestPastKinds(t *testing.T) {
	t.Parallel()
	r, found, excused := kinds.New(), 0, otherwise()
	for kind := range clientscheme.Scheme.AllKnownTypes() {
		use, past := r.Past(kind)
		if !past {
			continue
		}
		found++
		old, current := look(t, r, kind), look(t, r, use)
		if old.Namespaced != current.Namespaced || old.Resource != current.Resource {
			t.Errorf("%v became %v", old, current)
		}
		if _, again := r.Past(use); again {
			t.Errorf("%v is said to replace %v, and is past itself", use, kind)
		}
		object, err := clientscheme.Scheme.New(kind)
		if err != nil {
			t.Fatal(err)
		}
		says, ok := object.(interface {
			APILifecycleReplacement() schema.GroupVersionKind
		})
		name := kind.GroupVersion().String() + " " + kind.Kind
		differs := ok && says.APILifecycleReplacement() != use
		if why := excused[name]; differs != (why != "") {
			t.Errorf("%s was replaced by %v; that its type says otherwise is %t, and excused by %q", name, use, differs, why)
		}
	}
	if found < 30 {
		t.Errorf("only %d kinds are of the past", found)
	}
}

func look(t *testing.T, r *kinds.Registry, kind schema.GroupVersionKind) kinds.Resource {
	t.Helper()
	at, err := r.Lookup(kind)
	if err != nil {
		t.Fatal(err)
	}
	return at
}
