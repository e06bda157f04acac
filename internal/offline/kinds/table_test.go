package kinds_test

import (
	"reflect"
	"strings"
	"testing"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"
	clientscheme "k8s.io/client-go/kubernetes/scheme"

	"example.com/gatehouse/internal/offline/kinds"
	"example.com/gatehouse/internal/testutil/testtable"
)

// notServed are the kinds with metadata that no API server of this release
// offers as a resource, and why.
func notServed() map[string]string {
	kept := "alpha types carry no lifecycle; these are kept for clients of old servers"
	return map[string]string{
		"authentication.k8s.io/v1 TokenRequest":                 "body of serviceaccounts/token",
		"autoscaling/v1 Scale":                                  "body of scale subresources",
		"policy/v1 Eviction":                                    "body of pods/eviction",
		"v1 RangeAllocation":                                    "only stored, by the allocators of service addresses and ports",
		"node.k8s.io/v1alpha1 RuntimeClass":                     kept,
		"rbac.authorization.k8s.io/v1alpha1 ClusterRole":        kept,
		"rbac.authorization.k8s.io/v1alpha1 Role":               kept,
		"rbac.authorization.k8s.io/v1alpha1 RoleBinding":        kept,
		"rbac.authorization.k8s.io/v1alpha1 ClusterRoleBinding": kept,
	}
}

// TestTableIsComplete compares the table with client-go's scheme: every kind
// that has metadata is a resource, is no longer served, or is in the list
// above.
func TestTableIsComplete(t *testing.T) {
	t.Parallel()
	r, excused := kinds.New(), notServed()
	for kind, goType := range clientscheme.Scheme.AllKnownTypes() {
		_, hasMetadata := reflect.New(goType).Interface().(metav1.Object)
		if !hasMetadata || kind.Version == runtime.APIVersionInternal || strings.HasSuffix(kind.Kind, "List") || strings.HasSuffix(kind.Kind, "Options") {
			continue
		}
		_, err := r.Lookup(kind)
		name := kind.GroupVersion().String() + " " + kind.Kind
		_, listed := excused[name]
		delete(excused, name)
		if removed := isRemoved(goType); (err != nil) != (removed || listed) {
			t.Errorf("%s: removed %t, in the list %t, but looking it up gave %v", name, removed, listed, err)
		}
	}
	for name, why := range excused {
		t.Errorf("%s (%s) is in the list but not in the scheme", name, why)
	}
}

// isRemoved asks the type itself whether 1.37 no longer serves it.
func isRemoved(goType reflect.Type) bool {
	old, ok := reflect.New(goType).Interface().(interface{ APILifecycleRemoved() (major, minor int) })
	if !ok {
		return false
	}
	_, minor := old.APILifecycleRemoved()
	return minor <= 37
}

// TestResourcesAreTyped checks the other direction: whatever can be looked up
// can be made.
func TestResourcesAreTyped(t *testing.T) {
	t.Parallel()
	r, found := kinds.New(), 0
	objects := r.ObjectInterfaces()
	mapper := objects.GetEquivalentResourceMapper()
	for kind := range clientscheme.Scheme.AllKnownTypes() {
		at, err := r.Lookup(kind)
		if err != nil {
			continue
		}
		found++
		if _, err := objects.GetObjectCreater().New(kind); err != nil {
			t.Errorf("%s is in the table and cannot be made: %v", kind, err)
		}
		if got := mapper.KindFor(at.GroupVersionResource, ""); got != kind {
			t.Errorf("%s is the resource of %s, the mapper says %s", at, kind, got)
		}
	}
	if found < 90 {
		t.Errorf("only %d kinds can be looked up", found)
	}
}

func TestEquivalents(t *testing.T) {
	t.Parallel()
	type test struct {
		row
		resource    schema.GroupVersionResource
		subresource string
		want        string
	}
	at := func(group, version, resource string) schema.GroupVersionResource {
		return schema.GroupVersionResource{Group: group, Version: version, Resource: resource}
	}
	rows := []test{
		{row{"one version", "a resource is equivalent to itself"}, at("", "v1", "pods"), "", "v1:Pod"},
		{row{"two versions", "stable and new ones first"}, at("autoscaling", "v1", "horizontalpodautoscalers"), "", "autoscaling/v2:HorizontalPodAutoscaler autoscaling/v1:HorizontalPodAutoscaler"},
		{row{"status", "subresources have equivalents of their own"}, at("autoscaling", "v1", "horizontalpodautoscalers"), "status", "autoscaling/v2:HorizontalPodAutoscaler autoscaling/v1:HorizontalPodAutoscaler"},
		{row{"no status", "a subresource that does not exist"}, at("", "v1", "secrets"), "status", ""},
		{row{"events", "one store, two groups"}, at("events.k8s.io", "v1", "events"), "", "v1:Event events.k8s.io/v1:Event"},
		{row{"served", "a server of this release does not know the removed versions"}, at("apps", "v1", "deployments"), "", "apps/v1:Deployment"},
		{row{"never served", "a version that never was"}, at("apps", "v2", "deployments"), "scale", "autoscaling/v1:Scale"},
		{row{"scale", "S-123"}, at("apps", "v1", "deployments"), "scale", "autoscaling/v1:Scale"},
		{row{"core scale", "in the oldest group"}, at("", "v1", "replicationcontrollers"), "scale", "autoscaling/v1:Scale"},
		{row{"removed version", "what a server of this release has instead"}, at("apps", "v1beta1", "deployments"), "", "apps/v1:Deployment"},
		{row{"removed group", "nor this"}, at("extensions", "v1beta1", "deployments"), "scale", ""},
		{row{"no scale", "there is one DaemonSet pod on each node"}, at("apps", "v1", "daemonsets"), "scale", ""},
		{row{"custom", "all versions in the order of the definition, served or not"}, at("example.com", "v2", "widgets"), "", "example.com/v0:Widget example.com/v1:Widget example.com/v2:Widget"},
		{row{"custom status", "only versions that have one"}, at("example.com", "v2", "widgets"), "status", "example.com/v1:Widget"},
		{row{"custom scale", "its kind is that of all scales"}, at("example.com", "v1", "widgets"), "scale", "autoscaling/v1:Scale"},
	}
	mapper := taught(t).ObjectInterfaces().GetEquivalentResourceMapper()
	testtable.Run(t, rows, func(t *testing.T, test test) {
		var got []string
		for _, r := range mapper.EquivalentResourcesFor(test.resource, test.subresource) {
			kind := mapper.KindFor(r, test.subresource)
			got = append(got, kind.GroupVersion().String()+":"+kind.Kind)
		}
		if got := strings.Join(got, " "); got != test.want {
			t.Errorf("%s: got %q, want %q", test.Why(), got, test.want)
		}
	})
}
