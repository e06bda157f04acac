package request

import (
	"fmt"
	"maps"
	"strconv"
	"strings"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime/schema"
)

// Namespace is that of all requests.
const Namespace = "soak"

// NumberLabel is the label that every object has: its number.
const NumberLabel = "number"

// Group is that of widgets.
const Group = "soak.example.com"

// prefix begins the names of all objects.
const prefix = "object-"

// Named returns the name of the object with that number.
func Named(number int) string { return prefix + strconv.Itoa(number) }

// Number returns the number of the object with that name. It reports false if
// the name is not one that Named returns.
func Number(name string) (int, bool) {
	digits, ok := strings.CutPrefix(name, prefix)
	number, err := strconv.Atoi(digits)
	return number, ok && err == nil && Named(number) == name
}

// PodKind is the kind of pods.
func PodKind() schema.GroupVersionKind { return corev1.SchemeGroupVersion.WithKind("Pod") }

// PodResource is the resource of pods.
func PodResource() schema.GroupVersionResource {
	return corev1.SchemeGroupVersion.WithResource("pods")
}

// WidgetKind is the kind of widgets.
func WidgetKind() schema.GroupVersionKind {
	return schema.GroupVersionKind{Group: Group, Version: "v1", Kind: "Widget"}
}

// WidgetResource is the resource of widgets.
func WidgetResource() schema.GroupVersionResource {
	return schema.GroupVersionResource{Group: Group, Version: "v1", Resource: "widgets"}
}

// WidgetV2 is the second version of widgets. There spec.number is spec.count.
const WidgetV2 = "v2"

// newPod returns a pod of about 1 KB of JSON. It has all defaults, so that a
// patch changes nothing else, and no kind, as a decoded object on a server.
func newPod(number int, labels map[string]string) *corev1.Pod {
	pod := &corev1.Pod{
		ObjectMeta: metav1.ObjectMeta{Name: Named(number), Namespace: Namespace,
			Labels: labelled(number, labels)},
		Spec: corev1.PodSpec{
			ServiceAccountName: "soak", NodeSelector: map[string]string{"kubernetes.io/os": "linux"},
			RestartPolicy: corev1.RestartPolicyAlways, DNSPolicy: corev1.DNSClusterFirst,
			SchedulerName: corev1.DefaultSchedulerName, TerminationGracePeriodSeconds: new(int64(30)),
		},
	}
	for _, name := range []string{"web", "proxy"} {
		pod.Spec.Containers = append(pod.Spec.Containers, corev1.Container{
			Name: name, Image: fmt.Sprintf("registry.example.com/%s:v%d", name, number%100),
			Args:                     []string{"--listen=:8080", "--number=" + strconv.Itoa(number)},
			Env:                      []corev1.EnvVar{{Name: "NUMBER", Value: strconv.Itoa(number)}},
			ImagePullPolicy:          corev1.PullIfNotPresent,
			TerminationMessagePath:   corev1.TerminationMessagePathDefault,
			TerminationMessagePolicy: corev1.TerminationMessageReadFile,
		})
	}
	return pod
}

// newWidget returns a widget of about the same size.
func newWidget(number int, labels map[string]string) *unstructured.Unstructured {
	var parts []any
	for i := range 4 {
		parts = append(parts, map[string]any{
			"name": fmt.Sprintf("part-%d", i), "size": int64(number%100 + i), "round": i%2 == 0,
			"materials": []any{"wood", "steel", "glass"}, "weight": 0.5 + float64(i),
		})
	}
	widget := &unstructured.Unstructured{Object: map[string]any{
		"spec": map[string]any{"parts": parts, "number": int64(number)},
	}}
	widget.SetGroupVersionKind(WidgetKind())
	widget.SetName(Named(number))
	widget.SetNamespace(Namespace)
	widget.SetLabels(labelled(number, labels))
	return widget
}

// convertWidget makes a widget one of a version.
func convertWidget(w *unstructured.Unstructured, version string) {
	from, to := "number", "count"
	if version != WidgetV2 {
		from, to = to, from
	}
	w.SetAPIVersion(Group + "/" + version)
	spec := w.Object["spec"].(map[string]any)
	if number, ok := spec[from]; ok {
		delete(spec, from)
		spec[to] = number
	}
}

// labelled returns the labels, and the object's own.
func labelled(number int, labels map[string]string) map[string]string {
	all := make(map[string]string, len(labels)+1)
	all[NumberLabel] = strconv.Itoa(number)
	maps.Copy(all, labels)
	return all
}
