package internalversion

import (
	"fmt"
	"testing"

	"github.com/google/go-cmp/cmp"
	appsv1 "k8s.io/api/apps/v1"
	autoscalingv1 "k8s.io/api/autoscaling/v1"
	autoscalingv2 "k8s.io/api/autoscaling/v2"
	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime"
	"sigs.k8s.io/yaml"

	"example.com/gatehouse/internal/testutil/testtable"
)

// trip is an object before and after.
type trip struct {
	testtable.Row
	new    func() runtime.Object
	before string
	// after is empty if nothing changes.
	after string
}

// of makes objects of a Go type.
func of[T any, P interface {
	*T
	runtime.Object
}]() runtime.Object {
	return P(new(T))
}

func decode(t *testing.T, object runtime.Object, text string) runtime.Object {
	t.Helper()
	if err := yaml.UnmarshalStrict([]byte(text), object); err != nil {
		t.Fatal(err)
	}
	return object
}

func (r trip) check(t *testing.T) {
	t.Helper()
	if r.after == "" {
		r.after = r.before
	}
	object, want := decode(t, r.new(), r.before), decode(t, r.new(), r.after)
	Normalize(object)
	if diff := cmp.Diff(want, object); diff != "" {
		t.Fatalf("settled (-want +got):\n%s", diff)
	}
	Normalize(object)
	if diff := cmp.Diff(want, object); diff != "" {
		t.Errorf("settled twice (-once +twice):\n%s", diff)
	}
}

func TestCore(t *testing.T) {
	t.Parallel()
	testtable.Run(t, []trip{
		{testtable.Row{"text of a secret", "policies look for keys in data, and find those of stringData"}, of[corev1.Secret],
			`stringData: {a: b}`, `data: {a: Yg==}`},
		{testtable.Row{"text over data", "the text counts where both have a key, and the rest of the data stays"}, of[corev1.Secret],
			`{data: {a: eA==, c: ZA==}, stringData: {a: b, e: ""}}`, `data: {a: Yg==, c: ZA==, e: ""}`},
		{testtable.Row{"no text", "without text no data is made"}, of[corev1.Secret],
			`{type: Opaque, stringData: {}}`, `type: Opaque`},
		{testtable.Row{"data alone", "what can be stored is not changed"}, of[corev1.Secret],
			`{immutable: true, data: {a: Yg==}}`, ``},
		{testtable.Row{"range of a node", "those that look at all ranges find the one"}, of[corev1.Node],
			`spec: {podCIDR: 10.0.0.0/24}`, `spec: {podCIDR: 10.0.0.0/24, podCIDRs: [10.0.0.0/24]}`},
		{testtable.Row{"ranges of a node", "those that look at one range find the first"}, of[corev1.Node],
			`spec: {podCIDRs: [10.0.0.0/24, "fd00::/64"]}`, `spec: {podCIDR: 10.0.0.0/24, podCIDRs: [10.0.0.0/24, "fd00::/64"]}`},
		{testtable.Row{"ranges that disagree", "the client that changed the one did not know the others"}, of[corev1.Node],
			`spec: {podCIDR: 10.0.1.0/24, podCIDRs: [10.0.0.0/24, "fd00::/64"]}`, `spec: {podCIDR: 10.0.1.0/24, podCIDRs: [10.0.1.0/24]}`},
		{testtable.Row{"ranges that agree", "the others are kept"}, of[corev1.Node],
			`spec: {podCIDR: 10.0.0.0/24, podCIDRs: [10.0.0.0/24, "fd00::/64"]}`, ``},
	}, func(t *testing.T, r trip) { r.check(t) })
}

func TestWorkloads(t *testing.T) {
	t.Parallel()
	const nameless = `spec: {template: {}, volumeClaimTemplates: [{metadata: {name: a}}, {kind: Other, metadata: {name: b}}]}`
	const named = `spec: {template: {}, volumeClaimTemplates: [{apiVersion: v1, kind: PersistentVolumeClaim, metadata: {name: a}},
  {apiVersion: v1, kind: PersistentVolumeClaim, metadata: {name: b}}]}`
	const counted = `metadata: {annotations: {deprecated.daemonset.template.generation: "0"}}`
	testtable.Run(t, []trip{
		{testtable.Row{"claims of a StatefulSet", "nested claims say what they are, whatever was written"}, of[appsv1.StatefulSet], nameless, named},
		{testtable.Row{"partition of another strategy", "the internal type cannot leave it out; what else is there can be left out"}, of[appsv1.StatefulSet],
			`spec: {updateStrategy: {type: OnDelete, rollingUpdate: {}}}`, `spec: {updateStrategy: {type: OnDelete, rollingUpdate: {partition: 0}}}`},
		{testtable.Row{"strategy without a partition", "no parameters are made where there are none"}, of[appsv1.StatefulSet],
			`spec: {updateStrategy: {type: RollingUpdate}}`, ``},
		{testtable.Row{"new DaemonSet", "the annotation surprises webhooks that expect none, or compare with what was written"}, of[appsv1.DaemonSet], `{}`, counted},
		{testtable.Row{"old DaemonSet", "a number that is there is kept, and so are other annotations"}, of[appsv1.DaemonSet],
			`metadata: {annotations: {a: b, deprecated.daemonset.template.generation: "7"}}`, ``},
		{testtable.Row{"annotated DaemonSet", "the number is put beside what is there"}, of[appsv1.DaemonSet],
			`metadata: {annotations: {a: b}}`, `metadata: {annotations: {a: b, deprecated.daemonset.template.generation: "0"}}`},
		{testtable.Row{"steps of a DaemonSet's other strategy", "this is valid, and what is not written is no default"}, of[appsv1.DaemonSet],
			counted + "\nspec: {updateStrategy: {type: OnDelete, rollingUpdate: {maxSurge: 10%}}}",
			counted + "\nspec: {updateStrategy: {type: OnDelete, rollingUpdate: {maxUnavailable: 0, maxSurge: 10%}}}"},
		{testtable.Row{"steps of a Deployment's other strategy", "validation will reject it, but webhooks are asked before"}, of[appsv1.Deployment],
			`spec: {strategy: {type: Recreate, rollingUpdate: {maxUnavailable: 1}}}`, `spec: {strategy: {type: Recreate, rollingUpdate: {maxUnavailable: 1, maxSurge: 0}}}`},
		{testtable.Row{"Deployment without steps", "no parameters are made where there are none"}, of[appsv1.Deployment],
			`spec: {strategy: {type: Recreate}}`, ``},
	}, func(t *testing.T, r trip) { r.check(t) })
}

func TestAutoscalers(t *testing.T) {
	t.Parallel()
	testtable.Run(t, []trip{
		{testtable.Row{"no metric", "v1 has its default only here"}, of[autoscalingv1.HorizontalPodAutoscaler],
			`{apiVersion: autoscaling/v1, kind: HorizontalPodAutoscaler, spec: {maxReplicas: 3}}`,
			`{apiVersion: autoscaling/v1, kind: HorizontalPodAutoscaler, spec: {maxReplicas: 3, targetCPUUtilizationPercentage: 80}}`},
		{testtable.Row{"a metric", "what is written stays, and no kind is written where there is none"}, of[autoscalingv1.HorizontalPodAutoscaler],
			`spec: {maxReplicas: 3, targetCPUUtilizationPercentage: 50}`, ``},
		{testtable.Row{"another metric", "an object with a metric in an annotation gets no other"}, of[autoscalingv1.HorizontalPodAutoscaler],
			`metadata: {annotations: {autoscaling.alpha.kubernetes.io/metrics: '[{"type":"Pods","pods":{"metricName":"m","targetAverageValue":"1"}}]'}}`, ``},
		{testtable.Row{"metric of the CPU in an annotation", "it is moved to its field"}, of[autoscalingv1.HorizontalPodAutoscaler],
			`metadata: {annotations: {a: b, autoscaling.alpha.kubernetes.io/metrics: '[{"type":"Resource","resource":{"name":"cpu","targetAverageUtilization":60}}]'}}`,
			`{metadata: {annotations: {a: b}}, spec: {targetCPUUtilizationPercentage: 60}}`},
		{testtable.Row{"two metrics of the CPU", "one of them would be lost; nothing is done rather than something wrong"}, of[autoscalingv1.HorizontalPodAutoscaler], `
metadata: {annotations: {autoscaling.alpha.kubernetes.io/metrics: '[{"type":"Resource","resource":{"name":"cpu","targetAverageUtilization":60}}]'}}
spec: {targetCPUUtilizationPercentage: 50}`, ``},
	}, func(t *testing.T, r trip) { r.check(t) })
}

func TestOthers(t *testing.T) {
	t.Parallel()
	testtable.Run(t, []trip{
		{testtable.Row{"custom object", "it has no internal type, whatever its fields are called"}, of[unstructured.Unstructured],
			`{apiVersion: example.com/v1, kind: Secret, stringData: {a: b}}`, ``},
		{testtable.Row{"ConfigMap", "most internal types are those of the API"}, of[corev1.ConfigMap], `data: {a: b}`, ``},
		{testtable.Row{"pod", "what was done to pods before v1.37 is defaulting now, and switched off with it"}, of[corev1.Pod],
			`spec: {serviceAccountName: robot, containers: []}`, ``},
		{testtable.Row{"autoscaler in v2", "the internal type is this one"}, of[autoscalingv2.HorizontalPodAutoscaler], `spec: {maxReplicas: 3}`, ``},
		{testtable.Row{"list", "webhooks never see one"}, of[corev1.SecretList], `items: [{stringData: {a: b}}]`, ``},
	}, func(t *testing.T, r trip) { r.check(t) })
}

// TestEmpty shows that no part of an object has to be there, nor an object.
func TestEmpty(t *testing.T) {
	t.Parallel()
	Normalize(nil)
	for _, empty := range []func() runtime.Object{
		of[corev1.Secret], of[corev1.Node], of[appsv1.Deployment], of[appsv1.DaemonSet], of[appsv1.StatefulSet],
		of[autoscalingv1.HorizontalPodAutoscaler], of[unstructured.Unstructured],
	} {
		once := empty()
		t.Run(fmt.Sprintf("%T", once), func(t *testing.T) {
			t.Parallel()
			Normalize(once)
			twice := once.DeepCopyObject()
			Normalize(twice)
			if diff := cmp.Diff(once, twice); diff != "" {
				t.Errorf("the second time changed more (-once +twice):\n%s", diff)
			}
		})
	}
}
