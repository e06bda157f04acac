package convert

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/client-go/kubernetes/scheme"
	"sigs.k8s.io/yaml"

	"example.com/gatehouse/internal/testutil/testtable"
)

type row = testtable.Row

func TestConvert(t *testing.T) {
	t.Parallel()
	type test struct {
		row
		from, want string
	}
	rows := []test{
		{row{"event", "one kind in two groups, with other names"},
			`{apiVersion: v1, kind: Event, involvedObject: {name: p}, message: m, count: 3, source: {host: h}, firstTimestamp: "2020-01-01T00:00:00Z", lastTimestamp: "2021-01-01T00:00:00Z", reportingComponent: c, reportingInstance: i, reason: r, series: {count: 2}}`,
			`{apiVersion: events.k8s.io/v1, kind: Event, regarding: {name: p}, note: m, deprecatedCount: 3, deprecatedSource: {host: h}, deprecatedFirstTimestamp: "2020-01-01T00:00:00Z", deprecatedLastTimestamp: "2021-01-01T00:00:00Z", reportingController: c, reportingInstance: i, reason: r, series: {count: 2}}`},
		{row{"autoscaler", "the field for the CPU is a metric"},
			`{apiVersion: autoscaling/v1, kind: HorizontalPodAutoscaler, spec: {maxReplicas: 3, targetCPUUtilizationPercentage: 50}, status: {currentReplicas: 2, currentCPUUtilizationPercentage: 40}}`,
			`{apiVersion: autoscaling/v2, kind: HorizontalPodAutoscaler, spec: {maxReplicas: 3, metrics: [{type: Resource, resource: {name: cpu, target: {type: Utilization, averageUtilization: 50}}}]},
			  status: {currentReplicas: 2, currentMetrics: [{type: Resource, resource: {name: cpu, current: {averageUtilization: 40}}}]}}`},
		{row{"autoscaler back", "and without any metric there is one of 80 percent"},
			`{apiVersion: autoscaling/v2, kind: HorizontalPodAutoscaler, spec: {maxReplicas: 3}}`,
			`{apiVersion: autoscaling/v1, kind: HorizontalPodAutoscaler, spec: {maxReplicas: 3, targetCPUUtilizationPercentage: 80}}`},
		{row{"autoscaler annotations", "other metrics come first, and what cannot be read is dropped"},
			`{apiVersion: autoscaling/v1, kind: HorizontalPodAutoscaler, metadata: {annotations: {a: b, autoscaling.alpha.kubernetes.io/behavior: "x", autoscaling.alpha.kubernetes.io/metrics: '[{"type":"Pods","pods":{"metricName":"m","targetAverageValue":"1"}}]'}}, spec: {targetCPUUtilizationPercentage: 50}}`,
			`{apiVersion: autoscaling/v2, kind: HorizontalPodAutoscaler, metadata: {annotations: {a: b}}, spec: {metrics: [{type: Pods, pods: {metric: {name: m}, target: {type: AverageValue, averageValue: 1}}}, {type: Resource, resource: {name: cpu, target: {type: Utilization, averageUtilization: 50}}}]}}`},
		{row{"same version", "nothing changes, not even the default metric"},
			`{apiVersion: autoscaling/v1, kind: HorizontalPodAutoscaler, spec: {maxReplicas: 3}}`,
			`{apiVersion: autoscaling/v1, kind: HorizontalPodAutoscaler, spec: {maxReplicas: 3}}`},
		{row{"eviction", "one shape"},
			`{apiVersion: policy/v1beta1, kind: Eviction, metadata: {name: p}, deleteOptions: {gracePeriodSeconds: 1}}`,
			`{apiVersion: policy/v1, kind: Eviction, metadata: {name: p}, deleteOptions: {gracePeriodSeconds: 1}}`},
	}
	testtable.Run(t, rows, func(t *testing.T, test test) {
		want := decode(t, test.want)
		got, err := ToVersion(decode(t, test.from), want.GetObjectKind().GroupVersionKind())
		if err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(want, got, cmpopts.EquateEmpty()); diff != "" {
			t.Errorf("(-want +got):\n%s", diff)
		}
	})
}

func TestConvertErrors(t *testing.T) {
	t.Parallel()
	type test struct {
		row
		from     runtime.Object
		to, want string
	}
	custom := &unstructured.Unstructured{Object: map[string]any{"apiVersion": "v1", "kind": "Event"}}
	rows := []test{
		{row{"kind", "a kind with one version"}, &corev1.Pod{}, "v2/Pod",
			"cannot convert *v1.Pod to v2 Pod: gatehouse does not convert this kind"},
		{row{"unstructured", "the caller decodes first"}, custom, "events.k8s.io/v1/Event",
			"cannot convert *unstructured.Unstructured to events.k8s.io/v1 Event: gatehouse does not convert this kind"},
		{row{"nothing", "no object at all"}, nil, "v1/Event",
			"cannot convert <nil> to v1 Event: gatehouse does not convert this kind"},
		{row{"nil", "a nil pointer"}, (*corev1.Event)(nil), "events.k8s.io/v1/Event",
			"cannot convert v1 Event to events.k8s.io/v1 Event: the object is missing"},
		{row{"nil pod", "a nil pointer of a type that is not known"}, (*corev1.Pod)(nil), "v1/Pod",
			"cannot convert *v1.Pod to v1 Pod: gatehouse does not convert this kind"},
		{row{"version", "a version that never existed"}, &corev1.Event{}, "v2/Event",
			"cannot convert v1 Event to v2 Event: they are not versions of the same kind"},
		{row{"removed version", "no server of this release accepts it"}, &corev1.Event{}, "events.k8s.io/v1beta1/Event",
			"cannot convert v1 Event to events.k8s.io/v1beta1 Event: they are not versions of the same kind"},
		{row{"other kind", "similar is not the same"}, &corev1.Event{}, "policy/v1/Eviction",
			"cannot convert v1 Event to policy/v1 Eviction: they are not versions of the same kind"},
		{row{"two targets", "one field for two metrics"},
			decode(t, `{apiVersion: autoscaling/v2, kind: HorizontalPodAutoscaler, spec: {metrics: [{type: Resource, resource: {name: cpu, target: {averageUtilization: 1}}}, {type: Resource, resource: {name: cpu, target: {averageUtilization: 2}}}]}}`), "autoscaling/v1/HorizontalPodAutoscaler",
			`cannot convert autoscaling/v2 HorizontalPodAutoscaler to autoscaling/v1 HorizontalPodAutoscaler: spec.metrics has the utilization of the CPU twice`},
	}
	testtable.Run(t, rows, func(t *testing.T, test test) {
		got, err := ToVersion(test.from, kind(test.to))
		if got != nil || err == nil || err.Error() != test.want {
			t.Errorf("got %v and error\n%v\nwant\n%s", got, err, test.want)
		}
	})
}

func TestVersions(t *testing.T) {
	t.Parallel()
	type test struct {
		row
		of, want string
	}
	testtable.Run(t, []test{
		{row{"autoscaler", "the newer one first"}, "autoscaling/v1/HorizontalPodAutoscaler", "autoscaling/v2 autoscaling/v1"},
		{row{"event", "two groups"}, "v1/Event", "events.k8s.io/v1 v1"},
		{row{"eviction", "a body, not a resource"}, "policy/v1beta1/Eviction", "policy/v1 policy/v1beta1"},
		{row{"pod", "a kind with one version"}, "v1/Pod", ""},
		{row{"removed version", "no server of this release serves it"}, "extensions/v1beta1/Deployment", ""},
	}, func(t *testing.T, test test) {
		of := kind(test.of)
		var got []string
		for _, k := range Versions(of) {
			if k.Kind != of.Kind {
				t.Errorf("got %v", k)
			}
			got = append(got, k.GroupVersion().String())
		}
		if strings.Join(got, " ") != test.want {
			t.Errorf("got %q, want %q", got, test.want)
		}
	})
}

// TestKinds compares the kinds with client-go's scheme: each Go type is what
// kindOf returns for it.
func TestKinds(t *testing.T) {
	t.Parallel()
	for _, versions := range kinds() {
		for _, want := range versions {
			object, err := scheme.Scheme.New(want)
			if err != nil {
				t.Fatal(err)
			}
			if got := kindOf(object); got != want {
				t.Errorf("%T is %v, want %v", object, got, want)
			}
		}
	}
}

// kind parses for example "policy/v1/Eviction".
func kind(s string) schema.GroupVersionKind {
	cut := strings.LastIndex(s, "/")
	return schema.FromAPIVersionAndKind(s[:cut], s[cut+1:])
}

func decode(t *testing.T, text string) runtime.Object {
	t.Helper()
	data, err := yaml.YAMLToJSONStrict([]byte(text))
	if err != nil {
		t.Fatal(err)
	}
	object, _, err := scheme.Codecs.UniversalDeserializer().Decode(data, nil, nil)
	if err != nil {
		t.Fatal(err)
	}
	return object
}
