package sample_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	corev1 "k8s.io/api/core/v1"
	apiextensionsv1 "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"

	"example.com/gatehouse/internal/conformance/probe"
	"example.com/gatehouse/internal/conformance/sample"
	"example.com/gatehouse/internal/testutil/testtable"
)

type visitCase struct {
	row
	hooks       []hook
	namespaces  []*corev1.Namespace
	definitions []*apiextensionsv1.CustomResourceDefinition
	// together says that some sample visits all webhooks.
	together bool
}

func (tc visitCase) config(t *testing.T) sample.Config {
	t.Helper()
	return sample.Config{Configurations: configured(t, tc.hooks), Kinds: known(t, tc.definitions...), Definitions: tc.definitions, Namespaces: tc.namespaces}
}

// TestVisits has the engine say that every webhook is visited by a sample.
func TestVisits(t *testing.T) {
	t.Parallel()
	pods := "* core/v1 pods"
	widget := definition(t, "Widget", `{type: object, required: [spec], properties: {spec: {type: object, required: [size], properties: {size: {type: integer, minimum: 3}}}}}`)
	testtable.Run(t, []visitCase{
		{row: row{"everything", "as of a webhook without a configuration"}, hooks: []hook{{rules: "* */* */*"}}},
		{row: row{"the same pods", "pairs of webhooks have to meet"}, hooks: []hook{{rules: pods}, {rules: pods}, {rules: pods}}, together: true},
		{row: row{"labels", "what is selected"}, hooks: []hook{{rules: pods, objects: "app=web,tier in (front,back),team"}}},
		{row: row{"labels of two", "an object has both"}, hooks: []hook{{rules: pods, objects: "app=web"}, {rules: pods, objects: "inject=yes"}}, together: true},
		{row: row{"no labels", "what is not there, or is something else"}, hooks: []hook{{rules: pods, objects: "!app,tier notin (front,back)"}}},
		{row: row{"sides", "no object is on both"}, hooks: []hook{{rules: pods, objects: "app"}, {rules: pods, objects: "!app"}}},
		{row: row{"more sides", "each has its own"}, hooks: []hook{{rules: pods, objects: "app=a"}, {rules: pods, objects: "app=b"}, {rules: pods, objects: "app in (b,c)"}, {rules: pods, objects: "app notin (a,b,c)"}}},
		{row: row{"almost contradicting", "one value is left"}, hooks: []hook{{rules: pods, objects: "app in (a,b,c),app notin (a,b)"}}},
		{row: row{"numbers", "selectors compare"}, hooks: []hook{{rules: pods, objects: "size"}}},
		{row: row{"namespace", "made as it is wanted"}, hooks: []hook{{rules: pods, namespaces: "env=prod"}}},
		{row: row{"described namespace", "it is taken as it is"}, hooks: []hook{{rules: pods, namespaces: "env=prod"}}, namespaces: []*corev1.Namespace{namespace("a"), namespace("b env=prod")}},
		{row: row{"two namespaces", "one object cannot be in both"}, hooks: []hook{{rules: pods, namespaces: "env=prod"}, {rules: pods, namespaces: "env=test"}}},
		{row: row{"namespace by name", "as kubebuilder's users have it"}, hooks: []hook{{rules: pods, namespaces: "kubernetes.io/metadata.name=shop"}}},
		{row: row{"not those by name", "nor the one that is described"}, hooks: []hook{{rules: pods, namespaces: "kubernetes.io/metadata.name notin (kube-system,sample)"}}, namespaces: []*corev1.Namespace{namespace("kube-system")}},
		{row: row{"opting out", "the usual way"}, hooks: []hook{{rules: pods, namespaces: "control-plane notin (yes)", objects: "sidecar notin (off)"}, {rules: pods}}, together: true},
		{row: row{"namespaces", "they are in themselves"}, hooks: []hook{{rules: "* core/v1 namespaces", namespaces: "env=prod", objects: "team"}}},
		{row: row{"nodes", "selectors of namespaces do not count"}, hooks: []hook{{rules: "* core/v1 nodes", namespaces: "env=prod"}}},
		{row: row{"connect", "only the namespace counts"}, hooks: []hook{{rules: "CONNECT core/v1 pods/exec", namespaces: "env=prod"}}},
		{row: row{"custom", "of its schema"}, hooks: []hook{{rules: "* example.com/v1 widgets", objects: "app=web"}}, definitions: []*apiextensionsv1.CustomResourceDefinition{widget}},
		{row: row{"custom among all", "they are usual"}, hooks: []hook{{rules: "* example.com/* *"}, {rules: "CREATE */* *", objects: "app=web"}}, definitions: []*apiextensionsv1.CustomResourceDefinition{widget}, together: true},
		{row: row{"many", "more webhooks than samples"}, hooks: many()},
	}, func(t *testing.T, tc visitCase) {
		c := tc.config(t)
		set := sample.Make(t.Context(), c)
		visited := collection(t, c, set)
		meeting := map[string]int{}
		for _, w := range visited.Webhooks {
			if len(w.Visits) == 0 {
				t.Errorf("%s: %s", w.FullName(), w.WhyUnvisited)
			}
			for _, v := range w.Visits {
				meeting[v.Name]++
			}
		}
		most := 0
		for _, n := range meeting {
			most = max(most, n)
		}
		if tc.together && most < len(tc.hooks) {
			t.Errorf("no sample visits all webhooks: %v", meeting)
		}
	})
}

// many webhooks have a namespace each, as many tenants do.
func many() []hook {
	var hooks []hook
	for i := range 70 {
		hooks = append(hooks, hook{rules: "* core/v1 pods", namespaces: fmt.Sprintf("tenant=t%d", i)})
	}
	return hooks
}

func TestBounded(t *testing.T) {
	t.Parallel()
	var definitions []*apiextensionsv1.CustomResourceDefinition
	for i := range 30 {
		definitions = append(definitions, definition(t, fmt.Sprintf("Kind%d", i), `{type: object}`))
	}
	tc := visitCase{hooks: []hook{{rules: "* */* */*"}}, definitions: definitions}
	created := map[string]bool{}
	all := names(sample.Make(t.Context(), tc.config(t)))
	for _, name := range all {
		operation, object, _ := strings.Cut(name, " ")
		created[object] = created[object] || operation == "CREATE"
		if !created[object] {
			t.Errorf("%s comes before its CREATE", name)
		}
	}
	if len(all) != 50 || len(created) < 36 {
		t.Errorf("%d samples of %d objects, want 50 of at least 36: %v", len(all), len(created), all)
	}
}

type namespaceCase struct {
	row
	hooks     []hook
	described []*corev1.Namespace
	want      []string
}

func TestNamespaces(t *testing.T) {
	t.Parallel()
	testtable.Run(t, []namespaceCase{
		{row{"made", "with the labels that are wanted and no more"}, []hook{{rules: "CREATE core/v1 pods", namespaces: "env=prod"}}, nil, []string{"sample map[env:prod]"}},
		{row{"plain", "nothing is wanted"}, []hook{{rules: "CREATE core/v1 pods"}}, nil, []string{"sample map[]"}},
		{row{"described", "those that are not used are there, too"}, []hook{{rules: "CREATE core/v1 pods"}}, []*corev1.Namespace{namespace("a"), namespace("b")}, []string{"a map[]", "b map[]"}},
		{row{"not the described ones", "another one is made"}, []hook{{rules: "CREATE core/v1 pods", namespaces: "env=prod"}}, []*corev1.Namespace{namespace("sample")}, []string{"sample map[]", "sample-2 map[env:prod]"}},
		{row{"wanted by name", "the name is the label"}, []hook{{rules: "CREATE core/v1 pods", namespaces: "kubernetes.io/metadata.name=shop,env=prod"}}, nil, []string{"shop map[env:prod]"}},
		{row{"cluster", "nodes are in none"}, []hook{{rules: "CREATE core/v1 nodes"}}, nil, nil},
		{row{"tried and left", "one that no request needs in the end is none"}, []hook{{rules: "CREATE core/v1 pods"}, {rules: "CREATE core/v1 pods", namespaces: "env=prod"}}, nil, []string{"sample-2 map[env:prod]"}},
	}, func(t *testing.T, tc namespaceCase) {
		set := sample.Make(t.Context(), sample.Config{Configurations: configured(t, tc.hooks), Kinds: known(t), Namespaces: tc.described})
		var got []string
		for _, ns := range set.Namespaces {
			delete(ns.Labels, corev1.LabelMetadataName)
			got = append(got, fmt.Sprintf("%s %v", ns.Name, ns.Labels))
		}
		if diff := cmp.Diff(tc.want, got); diff != "" {
			t.Errorf("(-want +got):\n%s", diff)
		}
	})
}

type skippedCase struct {
	row
	hooks       []hook
	definitions []*apiextensionsv1.CustomResourceDefinition
	want        string
}

func TestSkipped(t *testing.T) {
	t.Parallel()
	hopeless := definition(t, "Widget", `{type: object, required: [spec], properties: {spec: {type: object, required: [size], properties: {size: {type: integer, minimum: 3, maximum: 2}}}}}`)
	testtable.Run(t, []skippedCase{
		{row{"schema", "the field is named, once"}, []hook{{rules: "* example.com/v1 widgets"}}, []*apiextensionsv1.CustomResourceDefinition{hopeless},
			"[making a Widget: spec.size: Invalid value: 1: spec.size in body should be greater than or equal to 3]"},
		{row{"selector", "it selects nothing"}, []hook{{rules: "* core/v1 pods", objects: "app,!app"}}, nil,
			"[v1 Pod: the selectors of c0/w0.example.com select none]"},
		{row{"namespaces", "nor does this one"}, []hook{{rules: "* core/v1 pods", namespaces: "!kubernetes.io/metadata.name"}}, nil,
			"[v1 Pod: the selectors of c0/w0.example.com select none]"},
	}, func(t *testing.T, tc skippedCase) {
		set := sample.Make(t.Context(), sample.Config{Configurations: configured(t, tc.hooks), Kinds: known(t, tc.definitions...), Definitions: tc.definitions})
		if got := fmt.Sprint(set.Skipped); got != tc.want || len(set.Requests) > 0 {
			t.Errorf("%d requests, skipped\n%s, want\n%s", len(set.Requests), got, tc.want)
		}
	})
}

// TestSame makes the same twice: names of samples are in reports that people
// compare.
func TestSame(t *testing.T) {
	t.Parallel()
	tc := visitCase{hooks: []hook{{rules: "* */* */*", objects: "app in (a,b),tier"}, {rules: "* core/v1 pods", objects: "app=c"}}}
	first, second := sample.Make(t.Context(), tc.config(t)), sample.Make(t.Context(), tc.config(t))
	if diff := cmp.Diff(probe.Samples(first.Requests), probe.Samples(second.Requests)); diff != "" {
		t.Errorf("(-first +second):\n%s", diff)
	}
}
