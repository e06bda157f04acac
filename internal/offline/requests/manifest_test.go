package requests_test

import (
	"strings"
	"testing"

	"k8s.io/apimachinery/pkg/types"

	"example.com/gatehouse/internal/offline/requests"
	"example.com/gatehouse/internal/testutil/testtable"
)

type settings = requests.Settings

// manifestRow is what documents and settings ask for.
type manifestRow struct {
	row
	settings     settings
	text, stored string
}

const (
	config   = "{apiVersion: v1, kind: ConfigMap, metadata: {name: a}, data: {count: '1'}}\n"
	changed  = "{apiVersion: v1, kind: ConfigMap, metadata: {name: a}, data: {count: '2'}}\n"
	deployed = "{apiVersion: apps/v1, kind: Deployment, metadata: {name: web}, spec: {replicas: 1, selector: {matchLabels: {a: b}}}}\n"
	// olderScaler and newerScaler are one object in two versions.
	olderScaler = "{apiVersion: autoscaling/v1, kind: HorizontalPodAutoscaler, metadata: {name: web}, spec: {maxReplicas: 1, targetCPUUtilizationPercentage: 50}}\n"
	newerScaler = "{apiVersion: autoscaling/v2, kind: HorizontalPodAutoscaler, metadata: {name: web}, spec: {maxReplicas: 3}}\n"
	grown       = "{apiVersion: apps/v1, kind: Deployment, metadata: {name: web}, spec: {replicas: 3, selector: {matchLabels: {a: b}}}}\n"
	eviction    = "{apiVersion: policy/v1, kind: Eviction, metadata: {name: web}}\n"
	exec        = "{apiVersion: v1, kind: PodExecOptions, command: [sh]}\n"
	scale       = "{apiVersion: autoscaling/v1, kind: Scale, metadata: {name: web}, spec: {replicas: 3}}\n"
)

func TestManifests(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	testtable.Run(t, manifestRows(), func(t *testing.T, tc manifestRow) {
		got, err := w.make(t, tc.settings, tc.text, tc.stored)
		if err != nil {
			t.Fatal(err)
		}
		matchFile(t, got, "manifests", strings.ReplaceAll(tc.Name(), " ", "_")+".txt")
	})
}

func manifestRows() []manifestRow {
	between := "---\n"
	return []manifestRow{
		{row{"create", "nothing was said, so the objects are new"}, ann(), config + between + deployed, ""},
		{row{"create namespace", "S-365: it is in itself"}, ann(), "{apiVersion: v1, kind: Namespace, metadata: {name: own}}", ""},
		{row{"delete", "the manifest is what is stored"}, with(func(s *settings) { s.Operation = "DELETE" }), config, ""},
		{row{"delete collection", "S-217: webhooks see no name"}, with(func(s *settings) { s.Operation, s.Collection = "DELETE", true }), config, ""},
		{row{"old and new", "they are found by kind, namespace and name"}, ann(), changed, deployed + between + config},
		{row{"pairs", "without stored objects, a document updates the one before it"}, with(func(s *settings) { s.Operation = "UPDATE" }),
			config + between + deployed + between + changed + between + grown + between + config, ""},
		{row{"stored in another version", "a server converts what it has stored"}, ann(),
			"{apiVersion: example.com/v2, kind: Gizmo, metadata: {name: g}, spec: {size: 2}}", "{apiVersion: example.com/v1, kind: Gizmo, metadata: {name: g}, spec: {size: 1}}"},
		{row{"autoscaler in its other version", "a server stores both as one"}, ann(), newerScaler, olderScaler},
		{row{"pairs of two groups", "a server has one place for both"}, with(func(s *settings) { s.Operation = "UPDATE" }),
			"{apiVersion: v1, kind: Event, metadata: {name: e}, involvedObject: {namespace: shop}, reason: A}\n" + between +
				"{apiVersion: events.k8s.io/v1, kind: Event, metadata: {name: e}, regarding: {namespace: shop}, reason: B}", ""},
		{row{"apply to the other version", "it is not created twice"}, with(func(s *settings) { s.Apply, s.By.FieldManager = true, "me" }),
			"{apiVersion: autoscaling/v2, kind: HorizontalPodAutoscaler, metadata: {name: web, labels: {c: d}}}", olderScaler},
		{row{"apply a status", "the objects are of the resource's own kind"}, with(func(s *settings) {
			s.Apply, s.Subresource, s.By.FieldManager = true, "status", "me"
		}), "{apiVersion: apps/v1, kind: Deployment, metadata: {name: web}, status: {replicas: 3}}", deployed},
		{row{"merge patch", "the arguments are what is stored"}, with(func(s *settings) {
			s.Patch = &requests.Patch{Type: types.MergePatchType, JSON: []byte(`{"data":{"count":"2"}}`)}
		}), config, ""},
		{row{"apply to nothing", "S-362: it creates"}, with(func(s *settings) { s.Apply, s.By.FieldManager = true, "me" }), config, ""},
		{row{"apply to something", "S-362: it updates, and leaves the rest alone"}, with(func(s *settings) { s.Apply, s.By.FieldManager = true, "me" }),
			"{apiVersion: v1, kind: ConfigMap, metadata: {name: a}, data: {more: '1'}}", config},
		{row{"status", "the objects are of the resource's own kind"}, with(func(s *settings) { s.Subresource = "status" }), grown, deployed},
		{row{"scale of deployments", "what has a scale becomes its scale"}, with(func(s *settings) { s.Subresource = "scale" }), grown, deployed},
		{row{"scale by name", "a Scale does not tell whose it is"}, with(func(s *settings) { s.Subresource = "deployments.apps/scale" }), scale, deployed},
		{row{"scale of custom objects", "the definition says where the replicas are"}, with(func(s *settings) { s.Subresource = "scale" }),
			"{apiVersion: example.com/v1, kind: Gizmo, metadata: {name: g}, spec: {size: 2}}", "{apiVersion: example.com/v1, kind: Gizmo, metadata: {name: g}, spec: {size: 1}}"},
		{row{"eviction", "the kind says where it goes"}, ann(), eviction, ""},
		{row{"old eviction", "it is still taken, and shown to webhooks as policy/v1"}, ann(), "{apiVersion: policy/v1beta1, kind: Eviction, metadata: {name: web}}\n", ""},
		{row{"token", "the account has to be named"}, with(func(s *settings) { s.Name = "robot" }), "{apiVersion: authentication.k8s.io/v1, kind: TokenRequest, spec: {audiences: [a]}}", ""},
		{row{"binding", "a resource of its own"}, ann(), "{apiVersion: v1, kind: Binding, metadata: {name: web}, target: {name: m}}", ""},
		{row{"binding of pods", "or what is sent to a pod"}, with(func(s *settings) { s.Subresource = "binding" }), "{apiVersion: v1, kind: Binding, metadata: {name: web}, target: {name: m}}", ""},
		{row{"exec", "the options are the object; the pod has to be named"}, with(func(s *settings) { s.Name = "web" }), exec, ""},
		{row{"proxy to a node", "nodes are in no namespace"}, with(func(s *settings) { s.Name = "n" }), "{apiVersion: v1, kind: NodeProxyOptions, path: /stats}", ""},
		{row{"dry run", "S-202"}, with(func(s *settings) { s.By.DryRun = true }), config, ""},
	}
}
