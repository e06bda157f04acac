package convert

import (
	"testing"
	"time"

	autoscalingv1 "k8s.io/api/autoscaling/v1"
	autoscalingv2 "k8s.io/api/autoscaling/v2"
	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/resource"
	"pgregory.net/rapid"

	"example.com/gatehouse/internal/testutil/testtable"
)

// TestAutoscalerAnnotations checks the text of annotations, which webhooks see.
func TestAutoscalerAnnotations(t *testing.T) {
	t.Parallel()
	type test struct {
		row
		from, key, want string
	}
	rows := []test{
		{row{"metrics", "those that are not the utilization of the CPU"},
			`{apiVersion: autoscaling/v2, kind: HorizontalPodAutoscaler, spec: {metrics: [{type: Resource, resource: {name: memory, target: {type: Utilization, averageUtilization: 70}}}]}}`,
			metricsKey, `[{"type":"Resource","resource":{"name":"memory","targetAverageUtilization":70}}]`},
		{row{"current", "what was measured, with a value that cannot be left out"},
			`{apiVersion: autoscaling/v2, kind: HorizontalPodAutoscaler, status: {currentMetrics: [{type: Resource, resource: {name: cpu, current: {averageUtilization: 7}}}]}}`,
			currentKey, `[{"type":"Resource","resource":{"name":"cpu","currentAverageUtilization":7,"currentAverageValue":"0"}}]`},
		{row{"conditions", "as they are"},
			`{apiVersion: autoscaling/v2, kind: HorizontalPodAutoscaler, status: {conditions: [{type: AbleToScale, status: "True"}]}}`,
			conditionsKey, `[{"type":"AbleToScale","status":"True","lastTransitionTime":null}]`},
		{row{"behavior", "with the names that Go has for its fields"},
			`{apiVersion: autoscaling/v2, kind: HorizontalPodAutoscaler, spec: {behavior: {scaleDown: {policies: [{type: Pods, value: 4, periodSeconds: 60}]}}}}`,
			behaviorKey, `{"ScaleUp":null,"ScaleDown":{"StabilizationWindowSeconds":null,"SelectPolicy":null,"Policies":[{"Type":"Pods","Value":4,"PeriodSeconds":60}],"Tolerance":null}}`},
		{row{"stale", "what v1 wrote once is not believed in v2"},
			`{apiVersion: autoscaling/v2, kind: HorizontalPodAutoscaler, metadata: {annotations: {autoscaling.alpha.kubernetes.io/behavior: "{}"}}}`,
			behaviorKey, ""},
	}
	testtable.Run(t, rows, func(t *testing.T, test test) {
		got, err := ToVersion(decode(t, test.from), kind("autoscaling/v1/HorizontalPodAutoscaler"))
		if err != nil {
			t.Fatal(err)
		}
		if text := got.(*autoscalingv1.HorizontalPodAutoscaler).Annotations[test.key]; text != test.want {
			t.Errorf("got\n%s\nwant\n%s", text, test.want)
		}
	})
}

// restrainAutoscaler leaves what survives JSON and is valid: the type of a
// target fits its value, and the utilization of the CPU comes last, where it is
// put on the way from v1.
func restrainAutoscaler(t *rapid.T, object *autoscalingv2.HorizontalPodAutoscaler) {
	object.Spec.Metrics = rapid.SliceOfN(rapid.SampledFrom(metrics()), 0, 3).Draw(t, "metrics")
	if flip(t) {
		object.Spec.Metrics = append(object.Spec.Metrics, cpu(rapid.Int32().Draw(t, "utilization")))
	}
	object.Status.CurrentMetrics = rapid.SliceOfN(rapid.SampledFrom(measurements()), 0, 3).Draw(t, "measurements")
	for i := range object.Status.Conditions {
		when := &object.Status.Conditions[i].LastTransitionTime
		when.Time = when.Truncate(time.Second)
	}
	if b := object.Spec.Behavior; b != nil && b.ScaleUp == nil && b.ScaleDown == nil {
		object.Spec.Behavior = nil
	}
}

func metrics() []autoscalingv2.MetricSpec {
	name, one := autoscalingv2.MetricIdentifier{Name: "m"}, new(resource.MustParse("1500m"))
	object := autoscalingv2.CrossVersionObjectReference{Kind: "k", Name: "n", APIVersion: "v"}
	return []autoscalingv2.MetricSpec{
		{Type: "Object", Object: &autoscalingv2.ObjectMetricSource{DescribedObject: object, Metric: name, Target: valueTarget(one, nil, true)}},
		{Type: "Object", Object: &autoscalingv2.ObjectMetricSource{DescribedObject: object, Metric: name, Target: valueTarget(nil, one, false)}},
		{Type: "Pods", Pods: &autoscalingv2.PodsMetricSource{Metric: name, Target: valueTarget(nil, one, false)}},
		{Type: "Resource", Resource: &autoscalingv2.ResourceMetricSource{Name: corev1.ResourceCPU, Target: usageTarget(nil, one)}},
		{Type: "Resource", Resource: &autoscalingv2.ResourceMetricSource{Name: corev1.ResourceMemory, Target: usageTarget(new(int32(4)), nil)}},
		{Type: "ContainerResource", ContainerResource: &autoscalingv2.ContainerResourceMetricSource{Name: corev1.ResourceCPU, Container: "c", Target: usageTarget(new(int32(4)), nil)}},
		{Type: "External", External: &autoscalingv2.ExternalMetricSource{Metric: name, Target: valueTarget(one, nil, true)}},
		{Type: "External", External: &autoscalingv2.ExternalMetricSource{Metric: name, Target: valueTarget(nil, one, false)}},
	}
}

func measurements() []autoscalingv2.MetricStatus {
	name, one := autoscalingv2.MetricIdentifier{Name: "m"}, new(resource.MustParse("1500m"))
	object := autoscalingv2.CrossVersionObjectReference{Kind: "k", Name: "n", APIVersion: "v"}
	return []autoscalingv2.MetricStatus{
		{Type: "Object", Object: &autoscalingv2.ObjectMetricStatus{DescribedObject: object, Metric: name, Current: measured(one, one, nil)}},
		{Type: "Pods", Pods: &autoscalingv2.PodsMetricStatus{Metric: name, Current: measured(nil, one, nil)}},
		{Type: "Resource", Resource: &autoscalingv2.ResourceMetricStatus{Name: corev1.ResourceCPU, Current: measured(nil, one, new(int32(5)))}},
		{Type: "ContainerResource", ContainerResource: &autoscalingv2.ContainerResourceMetricStatus{Name: corev1.ResourceCPU, Container: "c", Current: measured(nil, one, nil)}},
		{Type: "External", External: &autoscalingv2.ExternalMetricStatus{Metric: name, Current: measured(one, nil, nil)}},
	}
}
