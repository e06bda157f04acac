package draw_test

import (
	"math/rand/v2"
	"testing"

	registrationv1 "k8s.io/api/admissionregistration/v1"
	authenticationv1 "k8s.io/api/authentication/v1"

	"example.com/gatehouse/admission/request"
	"example.com/gatehouse/internal/equivalence/draw"
	"example.com/gatehouse/internal/equivalence/mention"
	"example.com/gatehouse/internal/offline/cluster"
	"example.com/gatehouse/internal/offline/kinds"
	"example.com/gatehouse/internal/offline/merge"
	"example.com/gatehouse/internal/offline/requests"
	"example.com/gatehouse/internal/offline/resolve"
)

// rule matches all operations of a resource and its subresources.
func rule(group, resource string) []registrationv1.RuleWithOperations {
	return []registrationv1.RuleWithOperations{{
		Operations: []registrationv1.OperationType{"*"},
		Rule: registrationv1.Rule{
			APIGroups: []string{group}, APIVersions: []string{"*"},
			Resources: []string{resource, resource + "/*"},
		},
	}}
}

// newKinds returns the built-in kinds, and a maker of requests.
func newKinds(t *testing.T) (*kinds.Registry, *requests.Maker) {
	t.Helper()
	known := cluster.NewKinds(&resolve.Dialer{}, nil, true)
	merger, err := merge.New(known.ObjectInterfaces())
	if err != nil {
		t.Fatal(err)
	}
	return known, requests.New(known, merger, requests.Settings{
		Namespace: "default",
		By:        request.By{User: authenticationv1.UserInfo{Username: "ann"}},
	})
}

// TestSmallest makes the smallest request of each endpoint of each built-in resource.
func TestSmallest(t *testing.T) {
	t.Parallel()
	known, maker := newKinds(t)
	for r := range known.Resources() {
		d := draw.New(known, nil, rule(r.Group, r.Resource), &mention.Set{})
		for _, e := range d.Endpoints() {
			c := e.Smallest()
			if _, err := c.Make(maker); err != nil {
				text, _ := c.Manifest()
				t.Errorf("%s %s/%s: %v\n%s", e.Operation, e.GroupVersionResource, e.Subresource, err, text)
			}
			if err := c.Valid(); err != nil {
				t.Errorf("%s %s/%s: %v", e.Operation, e.GroupVersionResource, e.Subresource, err)
			}
			if n := c.Extra(); n != 0 {
				t.Errorf("%s: %d extra fields", e.GroupVersionResource, n)
			}
		}
	}
}

// mentioned are fields of every form.
func mentioned() *mention.Set {
	var all mention.Set
	for _, path := range [][]string{
		{"metadata", "labels", "a/b"}, {"metadata", "labels"}, {"metadata", "annotations", mention.Any},
		{"metadata", "finalizers"}, {"metadata", "ownerReferences", mention.Any, "kind"},
		{"spec"}, {"spec", "containers"}, {"spec", "containers", mention.Any, "image"},
		{"spec", "containers", mention.Any, "resources", "limits", "cpu"},
		{"spec", "containers", mention.Any, "ports", mention.Any, "containerPort"},
		{"spec", "template", "spec", "containers", mention.Any, "env", mention.Any, "value"},
		{"spec", "replicas"}, {"spec", "ports", mention.Any, "targetPort"}, {"data", mention.Any},
		{"spec", "a", "b", "c"}, {"status", "phase"}, {},
	} {
		all.Field(mention.Object, path, "registry.example.com/", int64(3), 1.5, true, "", "2Gi")
		all.Field(mention.OldObject, path, "x")
	}
	for _, path := range [][]string{
		{"userInfo", "username"}, {"userInfo", "groups"}, {"userInfo", "extra", "k"}, {"name"},
		{"namespace"}, {"operation"}, {"options", "fieldManager"}, {"dryRun"}, {},
	} {
		all.Field(mention.Request, path, "a", int64(1))
	}
	all.Field(mention.Namespace, []string{"metadata", "labels", "env"}, "prod")
	all.Field(mention.Namespace, []string{"metadata", "name"}, "prod")
	for _, f := range all.Fields {
		f.Patterns, f.Sizes = []string{"^a+$", "(", ""}, []int64{0, 3, -1, 1 << 40}
	}
	return &all
}

// TestRandom draws cases of all kinds with fields of every form. None may panic, and valid
// ones decode.
func TestRandom(t *testing.T) {
	t.Parallel()
	known, maker := newKinds(t)
	random := rand.New(rand.NewPCG(1, 1))
	valid, made := 0, 0
	for r := range known.Resources() {
		d := draw.New(known, nil, rule(r.Group, r.Resource), mentioned())
		d.Learn("the field hostNetwork of kind-a must be 3")
		c := d.Random(random, nil)
		for range 20 {
			c = d.Random(random, c)
			if c.Valid() != nil {
				continue
			}
			valid++
			if _, err := c.Make(maker); err == nil {
				made++
			}
		}
	}
	if valid < 200 || made < valid*9/10 {
		t.Errorf("%d valid cases, of which %d could be made", valid, made)
	}
}

// TestSystematic reaches the fields of a pod that are mentioned, each alone.
func TestSystematic(t *testing.T) {
	t.Parallel()
	known, _ := newKinds(t)
	var all mention.Set
	all.Field(mention.Object, []string{"spec", "containers", mention.Any, "image"}, "registry.example.com/")
	d := draw.New(known, nil, rule("", "pods"), &all)
	reached := map[string]bool{}
	for c := range d.Systematic() {
		draw.Leaves(c.Fields, "", func(path string, value any) {
			if word, ok := value.(string); ok && word == "registry.example.com/a" {
				reached[path] = true
			}
		})
	}
	for _, path := range []string{
		"/request/object/spec/containers/0/image", "/request/object/spec/initContainers/0/image",
		"/request/object/spec/ephemeralContainers/0/image", "/request/oldObject/spec/containers/0/image",
	} {
		if !reached[path] {
			t.Errorf("%s was not reached: %v", path, reached)
		}
	}
}
