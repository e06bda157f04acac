package kinds_test

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	appsv1 "k8s.io/api/apps/v1"
	autoscalingv1 "k8s.io/api/autoscaling/v1"
	autoscalingv2 "k8s.io/api/autoscaling/v2"
	corev1 "k8s.io/api/core/v1"
	eventsv1 "k8s.io/api/events/v1"
	extensionsv1beta1 "k8s.io/api/extensions/v1beta1"
	networkingv1 "k8s.io/api/networking/v1"
	policyv1 "k8s.io/api/policy/v1"
	policyv1beta1 "k8s.io/api/policy/v1beta1"
	resourcev1 "k8s.io/api/resource/v1"
	resourcev1beta1 "k8s.io/api/resource/v1beta1"
	apiextensionsv1 "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"
	apiadmission "k8s.io/apiserver/pkg/admission"

	"example.com/gatehouse/internal/testutil/testtable"
)

// custom returns an unstructured object of a kind.
func custom(kind string) *unstructured.Unstructured {
	u := &unstructured.Unstructured{Object: map[string]any{"spec": map[string]any{"size": int64(1)}}}
	u.SetGroupVersionKind(gvk(kind))
	return u
}

func pod(name string) *corev1.Pod {
	p := &corev1.Pod{}
	p.Name = name
	return p
}

// noted returns an unstructured object with a field.
func noted(kind, field string) *unstructured.Unstructured {
	u := &unstructured.Unstructured{Object: map[string]any{field: "m"}}
	u.SetGroupVersionKind(gvk(kind))
	return u
}

// autoscaler scales up to a number of replicas by the CPU.
func autoscaler(replicas, cpu int32) *autoscalingv2.HorizontalPodAutoscaler {
	a := &autoscalingv2.HorizontalPodAutoscaler{}
	a.Spec.MaxReplicas = replicas
	a.Spec.Metrics = []autoscalingv2.MetricSpec{{
		Type: autoscalingv2.ResourceMetricSourceType,
		Resource: &autoscalingv2.ResourceMetricSource{Name: corev1.ResourceCPU, Target: autoscalingv2.MetricTarget{
			Type: autoscalingv2.UtilizationMetricType, AverageUtilization: &cpu,
		}},
	}}
	return a
}

func TestConvert(t *testing.T) {
	t.Parallel()
	type test struct {
		row
		in, out, want runtime.Object
		wantErr       string
	}
	empty := func(kind string) *unstructured.Unstructured {
		u := &unstructured.Unstructured{}
		u.SetGroupVersionKind(gvk(kind))
		return u
	}
	podContent := custom("v1 Pod")
	podContent.Object = map[string]any{"apiVersion": "v1", "kind": "Pod", "metadata": map[string]any{"name": "a"}}
	eventContent := &unstructured.Unstructured{Object: map[string]any{
		"apiVersion": "events.k8s.io/v1", "kind": "Event", "metadata": map[string]any{}, "note": "m",
		"eventTime": nil, "regarding": map[string]any{}, "deprecatedSource": map[string]any{},
		"deprecatedFirstTimestamp": nil, "deprecatedLastTimestamp": nil,
	}}
	twice := autoscaler(3, 50)
	twice.Spec.Metrics = append(twice.Spec.Metrics, twice.Spec.Metrics...)
	namedPod := pod("a")
	namedPod.APIVersion, namedPod.Kind = "v1", "Pod"
	rows := []test{
		{row{"same type", "the engine writes results back this way"}, pod("a"), pod("b"), pod("a"), ""},
		{row{"same type with its kind", "Scheme.Convert leaves the kind of a typed object to its type"}, namedPod, pod("b"), pod("a"), ""},
		{row{"same custom kind", "and this way for custom objects"}, custom("example.com/v1 Widget"), empty("example.com/v1 Widget"), custom("example.com/v1 Widget"), ""},
		{row{"custom version", "the strategy None changes the version alone"}, custom("example.com/v1 Widget"), empty("example.com/v2 Widget"), custom("example.com/v2 Widget"), ""},
		{row{"unserved version", "webhooks may ask for it all the same"}, custom("example.com/v1 Widget"), empty("example.com/v0 Widget"), custom("example.com/v0 Widget"), ""},
		{row{"unstructured without a kind", "it takes what it is given"}, custom("example.com/v1 Widget"), &unstructured.Unstructured{}, custom("example.com/v1 Widget"), ""},
		{row{"unstructured to typed", "one kind in two forms"}, podContent, &corev1.Pod{}, pod("a"), ""},

		{row{"built-in versions", "from one Go type to another"}, &autoscalingv1.HorizontalPodAutoscaler{Spec: autoscalingv1.HorizontalPodAutoscalerSpec{MaxReplicas: 3, TargetCPUUtilizationPercentage: new(int32(50))}},
			&autoscalingv2.HorizontalPodAutoscaler{Spec: autoscalingv2.HorizontalPodAutoscalerSpec{MaxReplicas: 9, MinReplicas: new(int32(9))}}, autoscaler(3, 50), ""},
		{row{"built-in groups", "both types are called v1.Event in Go"}, &corev1.Event{Message: "m"}, &eventsv1.Event{Reason: "gone"}, &eventsv1.Event{Note: "m"}, ""},
		{row{"unstructured to another version", "through the Go type"}, noted("v1 Event", "message"), &eventsv1.Event{}, &eventsv1.Event{Note: "m"}, ""},
		{row{"unstructured versions", "what is unstructured stays so"}, noted("v1 Event", "message"), empty("events.k8s.io/v1 Event"), eventContent, ""},
		{row{"cannot be expressed", "not a wrong object, not even a similar one"}, twice, &autoscalingv1.HorizontalPodAutoscaler{Spec: autoscalingv1.HorizontalPodAutoscalerSpec{MaxReplicas: 9}}, nil,
			"cannot convert autoscaling/v2 HorizontalPodAutoscaler to autoscaling/v1 HorizontalPodAutoscaler: spec.metrics has the utilization of the CPU twice"},
		{row{"removed version", "no server of this release has it"}, &extensionsv1beta1.Ingress{}, &networkingv1.Ingress{}, nil,
			"cannot convert extensions/v1beta1 Ingress to networking.k8s.io/v1 Ingress"},
		{row{"removed version of a group", "the same without another group"}, &policyv1beta1.PodDisruptionBudget{}, &policyv1.PodDisruptionBudget{}, nil,
			"cannot convert policy/v1beta1 PodDisruptionBudget to policy/v1"},
		{row{"wrong field", "an unstructured object may hold anything"}, noted("v1 Event", "count"), &eventsv1.Event{}, nil,
			`cannot convert v1 Event to events.k8s.io/v1 Event: unable to convert unstructured object to /v1, Kind=Event: unrecognized type: int32`},
		{row{"not convertible", "the Go type alone would not say from which version"}, &resourcev1.ResourceClaim{}, &resourcev1beta1.ResourceClaim{}, nil,
			"cannot convert resource.k8s.io/v1 ResourceClaim to resource.k8s.io/v1beta1"},
		{row{"unknown version", "of a kind that is known"}, &appsv1.Deployment{}, empty("apps/v9 Deployment"), nil,
			"cannot convert apps/v1 Deployment to apps/v9"},
		{row{"nothing known", "as much as the inputs say about it"}, empty("example.com/v1 Foo"), empty("example.com/v2 Foo"), nil,
			"cannot convert example.com/v1 Foo to example.com/v2"},
		{row{"other kind", "what a patch of /kind leads to, in upstream's words (S-172)"}, &corev1.Service{}, pod("a"), nil,
			"converting (v1.Service) to (v1.Pod): unknown conversion"},
		{row{"webhook strategy", "the webhook is not called"}, custom("example.com/v1 Gear"), empty("example.com/v2 Gear"), nil,
			"cannot convert example.com/v1 Gear to example.com/v2: the conversion webhook of the CustomResourceDefinition gears.example.com is not called"},
		{row{"other custom kind", "a patch of /kind again"}, custom("example.com/v1 Gear"), empty("example.com/v1 Widget"), nil,
			"cannot convert example.com/v1 Gear to example.com/v1 Widget"},
		{row{"unknown custom version", "a patch of /apiVersion"}, custom("example.com/v9 Widget"), empty("example.com/v1 Widget"), nil,
			"cannot convert example.com/v9 Widget to example.com/v1"},
		{row{"typed to custom", "no relation"}, pod("a"), empty("example.com/v1 Widget"), nil,
			"cannot convert v1 Pod to example.com/v1 Widget"},
		{row{"custom to typed", "no relation"}, custom("example.com/v1 Widget"), pod("a"), nil,
			"cannot convert example.com/v1 Widget to v1 Pod"},
	}
	convertor := taught(t).ObjectInterfaces().GetObjectConvertor()
	testtable.Run(t, rows, func(t *testing.T, test test) {
		before := test.in.DeepCopyObject()
		outBefore := test.out.DeepCopyObject()
		err := convertor.Convert(test.in, test.out, nil)
		if diff := cmp.Diff(before, test.in); diff != "" {
			t.Errorf("the source was modified (-before +after):\n%s", diff)
		}
		if test.wantErr != "" {
			if err == nil || err.Error() != test.wantErr {
				t.Errorf("%s:\n got %v\nwant %s", test.Why(), err, test.wantErr)
			}
			if diff := cmp.Diff(outBefore, test.out); diff != "" {
				t.Errorf("the target was modified (-before +after):\n%s", diff)
			}
			return
		}
		if diff := cmp.Diff(test.want, test.out); err != nil || diff != "" {
			t.Errorf("%s: %v (-want +got):\n%s", test.Why(), err, diff)
		}
	})
}

func TestConvertToUnstructured(t *testing.T) {
	t.Parallel()
	out := &unstructured.Unstructured{}
	if err := taught(t).ObjectInterfaces().GetObjectConvertor().Convert(pod("a"), out, nil); err != nil {
		t.Fatal(err)
	}
	if out.GetName() != "a" || out.GroupVersionKind() != gvk("v1 Pod") {
		t.Errorf("got %v", out.Object)
	}
}

func TestConvertOtherValues(t *testing.T) {
	t.Parallel()
	convertor := taught(t).ObjectInterfaces().GetObjectConvertor()
	if err := convertor.Convert("a", 1, nil); err == nil {
		t.Error("converting a string to a number gave no error")
	}
}

func TestConvertToVersion(t *testing.T) {
	t.Parallel()
	type test struct {
		row
		in            runtime.Object
		version, want string
	}
	rows := []test{
		{row{"own version", "the copy says what it is"}, pod("a"), "v1", "v1 Pod"},
		{row{"custom version", "as with Convert"}, custom("example.com/v1 Widget"), "example.com/v2", "example.com/v2 Widget"},
		{row{"built-in version", "as with Convert"}, &autoscalingv1.HorizontalPodAutoscaler{}, "autoscaling/v2", "autoscaling/v2 HorizontalPodAutoscaler"},
		{row{"version in another group", "both groups serve it"}, &corev1.Event{}, "events.k8s.io/v1", "events.k8s.io/v1 Event"},
		{row{"not convertible", "as with Convert"}, &resourcev1.ResourceClaim{}, "resource.k8s.io/v1beta1",
			"cannot convert resource.k8s.io/v1 ResourceClaim to resource.k8s.io/v1beta1"},
		{row{"other group", "no kind of that name there"}, pod("a"), "example.com/v1", "cannot convert v1 Pod to example.com/v1"},
		{row{"unknown version", "it cannot be made"}, custom("example.com/v1 Widget"), "example.com/v9",
			"the Widget has a version that is not served: the served versions are example.com/v1 and example.com/v2"},
		{row{"no kind", "an unstructured object without anything"}, &unstructured.Unstructured{}, "v1",
			"converting *unstructured.Unstructured: Object 'Kind' is missing in 'unstructured object has no kind'"},
	}
	convertor := taught(t).ObjectInterfaces().GetObjectConvertor()
	testtable.Run(t, rows, func(t *testing.T, test test) {
		version, err := schema.ParseGroupVersion(test.version)
		if err != nil {
			t.Fatal(err)
		}
		out, err := convertor.ConvertToVersion(test.in, version)
		var got string
		if err != nil {
			got = err.Error()
		} else {
			kind := out.GetObjectKind().GroupVersionKind()
			got = kind.GroupVersion().String() + " " + kind.Kind
		}
		if got != test.want {
			t.Errorf("%s: got %q, want %q", test.Why(), got, test.want)
		}
	})
}

// TestVersionedAttributes goes the engine's way: a custom object in the version
// that a webhook asks for, and back.
func TestVersionedAttributes(t *testing.T) {
	t.Parallel()
	objects := taught(t).ObjectInterfaces()
	original := custom("example.com/v1 Widget")
	versioned, err := apiadmission.ConvertToGVK(original, gvk("example.com/v2 Widget"), objects)
	if err != nil {
		t.Fatal(err)
	}
	if err := unstructured.SetNestedField(versioned.(*unstructured.Unstructured).Object, int64(2), "spec", "size"); err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(custom("example.com/v1 Widget"), original); diff != "" {
		t.Fatalf("the versions share memory (-want +got):\n%s", diff)
	}
	if err := objects.GetObjectConvertor().Convert(versioned, original, nil); err != nil {
		t.Fatal(err)
	}
	want := custom("example.com/v1 Widget")
	want.Object["spec"] = map[string]any{"size": int64(2)}
	if diff := cmp.Diff(want, original); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
	gear := custom("example.com/v1 Gear")
	if same, err := apiadmission.ConvertToGVK(gear, gvk("example.com/v1 Gear"), objects); err != nil || same != runtime.Object(gear) {
		t.Errorf("an object of the right kind needs no conversion; got %v, %v", same, err)
	}
}

func TestObjectInterfaces(t *testing.T) {
	t.Parallel()
	objects := taught(t).ObjectInterfaces()
	made, err := objects.GetObjectCreater().New(gvk("example.com/v1 Widget"))
	if err != nil {
		t.Fatal(err)
	}
	if u, ok := made.(*unstructured.Unstructured); !ok || u.GroupVersionKind() != gvk("example.com/v1 Widget") {
		t.Errorf("got %#v, want an unstructured Widget", made)
	}
	if _, err := objects.GetObjectCreater().New(gvk("example.com/v1 Foo")); err == nil || !strings.Contains(err.Error(), "has an unknown kind") {
		t.Errorf("making an unknown kind gave %v", err)
	}
	for kind, want := range map[string]bool{"v1 Pod": true, "example.com/v0 Widget": true, "example.com/v9 Widget": false, "example.com/v1 Foo": false} {
		if got := objects.GetObjectTyper().Recognizes(gvk(kind)); got != want {
			t.Errorf("Recognizes(%s) = %t, want %t", kind, got, want)
		}
	}
	if kinds, _, err := objects.GetObjectTyper().ObjectKinds(pod("a")); err != nil || kinds[0] != gvk("v1 Pod") {
		t.Errorf("ObjectKinds of a pod gave %v, %v", kinds, err)
	}
	crd := &apiextensionsv1.CustomResourceDefinition{}
	objects.GetObjectDefaulter().Default(crd)
	if crd.Spec.Conversion == nil {
		t.Error("definitions are not defaulted")
	}
	if _, _, err := objects.GetObjectConvertor().ConvertFieldLabel(gvk("v1 Pod"), "metadata.name", "a"); err != nil {
		t.Errorf("metadata.name is a field of every kind: %v", err)
	}
}
