package policies

import (
	"math/rand/v2"

	appsv1 "k8s.io/api/apps/v1"
	autoscalingv1 "k8s.io/api/autoscaling/v1"
	autoscalingv2 "k8s.io/api/autoscaling/v2"
	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/meta"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"
	apiadmission "k8s.io/apiserver/pkg/admission"
	"k8s.io/apiserver/pkg/authentication/user"
)

// DrawRequest draws a request.
func DrawRequest(random *rand.Rand) *Request {
	d := drawn{random}
	object, resource := d.object()
	kind := object.GetObjectKind().GroupVersionKind()
	m, err := meta.Accessor(object)
	if err != nil {
		panic(err) // all kinds have metadata
	}
	namespace := m.GetNamespace()
	name, subresource := m.GetName(), ""
	if kind.Kind == "Namespace" {
		namespace = name // as kube-apiserver has it
	}
	operation := one(d, apiadmission.Create, apiadmission.Create, apiadmission.Update, apiadmission.Delete)
	var old, options runtime.Object
	switch operation {
	case apiadmission.Create:
		options = &metav1.CreateOptions{}
		if d.chance(10) {
			m.SetGenerateName(name + "-")
			m.SetName("")
			name = ""
		}
	case apiadmission.Update:
		old, options = object.DeepCopyObject(), &metav1.UpdateOptions{}
		if accessor, err := meta.Accessor(old); err == nil {
			accessor.SetLabels(map[string]string{"app": one(d, "web", "old")})
		}
	case apiadmission.Delete:
		old, object, options = object, nil, &metav1.DeleteOptions{}
	}
	if kind.Kind == "Pod" && d.chance(10) {
		operation, subresource, old, options = apiadmission.Connect, "exec", nil, nil
		object = &corev1.PodExecOptions{Container: "web"}
		kind = corev1.SchemeGroupVersion.WithKind("PodExecOptions")
	}
	who := &user.DefaultInfo{Name: one(d, "admin", "jane", "robot"), Groups: []string{"devs"}}
	dryRun := d.chance(10)
	r := &Request{New: func() apiadmission.Attributes {
		return apiadmission.NewAttributesRecord(copyOf(object), copyOf(old), kind, namespace, name, resource,
			subresource, operation, options, dryRun, who)
	}}
	if d.chance(20) {
		r.Between = label
	}
	r.Metrics = d.chance(20)
	return r
}

// label changes an object as a webhook may.
func label(o runtime.Object) bool {
	m, err := meta.Accessor(o)
	if err != nil {
		return false
	}
	labels := map[string]string{"between": "yes"}
	for key, value := range m.GetLabels() {
		labels[key] = value
	}
	if labels["app"] == "web" {
		labels["app"] = "changed"
	}
	m.SetLabels(labels)
	return true
}

func copyOf(o runtime.Object) runtime.Object {
	if o == nil {
		return nil
	}
	return o.DeepCopyObject()
}

// object draws an object and its resource. It has its kind set, as a decoder
// does for typed objects too.
func (d drawn) object() (runtime.Object, schema.GroupVersionResource) {
	m := metav1.ObjectMeta{Name: one(d, "web", "db", "cache"), Namespace: one(d, "default", "shop")}
	if d.chance(3) {
		m.Namespace = "missing"
	}
	if d.chance(80) {
		m.Labels = map[string]string{"app": one(d, "web", "db"), "x": "y"}
	}
	template := corev1.PodSpec{Containers: []corev1.Container{
		{Name: "web", Image: one(d, "registry.example.com/web:1", "web:1")}}}
	switch d.IntN(10) {
	case 0, 1, 2, 3:
		return &corev1.Pod{TypeMeta: typed("v1", "Pod"), ObjectMeta: m, Spec: template},
			corev1.SchemeGroupVersion.WithResource("pods")
	case 4, 5:
		return &appsv1.Deployment{TypeMeta: typed("apps/v1", "Deployment"), ObjectMeta: m,
				Spec: appsv1.DeploymentSpec{Replicas: new(int32(d.IntN(6))), Template: corev1.PodTemplateSpec{Spec: template}}},
			appsv1.SchemeGroupVersion.WithResource("deployments")
	case 6:
		return &autoscalingv1.HorizontalPodAutoscaler{TypeMeta: typed("autoscaling/v1", "HorizontalPodAutoscaler"),
				ObjectMeta: m, Spec: autoscalingv1.HorizontalPodAutoscalerSpec{MaxReplicas: 5}},
			autoscalingv1.SchemeGroupVersion.WithResource("horizontalpodautoscalers")
	case 7:
		return &autoscalingv2.HorizontalPodAutoscaler{TypeMeta: typed("autoscaling/v2", "HorizontalPodAutoscaler"),
				ObjectMeta: m, Spec: autoscalingv2.HorizontalPodAutoscalerSpec{MaxReplicas: 5}},
			autoscalingv2.SchemeGroupVersion.WithResource("horizontalpodautoscalers")
	case 8:
		m.Namespace = ""
		m.Name = one(d, "shop", "new")
		return &corev1.Namespace{TypeMeta: typed("v1", "Namespace"), ObjectMeta: m},
			corev1.SchemeGroupVersion.WithResource("namespaces")
	}
	o := &unstructured.Unstructured{Object: map[string]any{"spec": map[string]any{"replicas": int64(d.IntN(6))}}}
	o.SetGroupVersionKind(WidgetKind)
	o.SetName(m.Name)
	o.SetNamespace(m.Namespace)
	o.SetLabels(m.Labels)
	return o, widgets
}

func typed(version, kind string) metav1.TypeMeta {
	return metav1.TypeMeta{APIVersion: version, Kind: kind}
}
