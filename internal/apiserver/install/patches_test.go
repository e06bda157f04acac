package install

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"example.com/gatehouse/internal/testutil/testtable"
)

func TestPatches(t *testing.T) {
	t.Parallel()
	const (
		head       = "{apiVersion: apiextensions.k8s.io/v1, kind: CustomResourceDefinition, metadata: {name: a"
		definition = head + "}, spec: {group: g, scope: Cluster, versions: [{name: v1}]}}\n---\n"
	)
	spec := func(more map[string]any) map[string]any {
		all := map[string]any{"group": "g", "scope": "Cluster", "versions": []any{map[string]any{"name": "v1"}}}
		for field, value := range more {
			all[field] = value
		}
		return all
	}
	converts := map[string]any{"strategy": "Webhook", "webhook": map[string]any{"conversionReviewVersions": []any{"v1"}}}
	type test struct {
		row
		text string
		want []any // the specs
	}
	testtable.Run(t, []test{
		{row{"conversion", "this is what patches are there for"}, definition + head + "}, spec: {conversion: {strategy: Webhook, webhook: {conversionReviewVersions: [v1]}}}}", []any{spec(map[string]any{"conversion": converts})}},
		{row{"before", "the order of files does not matter"}, head + "}, spec: {scope: Namespaced}}\n---\n" + definition, []any{spec(map[string]any{"scope": "Namespaced"})}},
		{row{"list", "it is replaced"}, definition + head + "}, spec: {versions: [{name: v2}]}}", []any{spec(map[string]any{"versions": []any{map[string]any{"name": "v2"}}})}},
		{row{"two", "the later one wins"}, definition + head + "}, spec: {scope: B}}\n---\n" + head + "}, spec: {scope: C}}", []any{spec(map[string]any{"scope": "C"})}},
		{row{"annotation", "cert-manager wants one; there need be no spec"}, definition + head + ", annotations: {b: c}}}", []any{spec(nil)}},
		{row{"of another", "it is left for the server to reject"}, definition + "{apiVersion: apiextensions.k8s.io/v1, kind: CustomResourceDefinition, metadata: {name: b}}", []any{spec(nil), nil}},
		{row{"other kinds", "a namespace of the same name is none"}, definition + "{apiVersion: v1, kind: Namespace, metadata: {name: a}}", []any{nil, spec(nil)}},
	}, func(t *testing.T, r test) {
		var got []any
		for _, o := range read(t, r.text).objects {
			got = append(got, o.Object["spec"])
		}
		if diff := cmp.Diff(r.want, got); diff != "" {
			t.Errorf("specs (-want +got):\n%s", diff)
		}
	})
}

// TestPatchOfNothing: null takes a field away.
func TestPatchOfNothing(t *testing.T) {
	t.Parallel()
	object := map[string]any{"a": map[string]any{"b": "c", "d": "e"}, "f": "g"}
	merge(object, map[string]any{"a": map[string]any{"b": nil}, "f": map[string]any{"h": "i"}})
	want := map[string]any{"a": map[string]any{"d": "e"}, "f": map[string]any{"h": "i"}}
	if diff := cmp.Diff(want, object); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}
