package outage

import (
	"fmt"
	"slices"

	appsv1 "k8s.io/api/apps/v1"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/labels"
	"k8s.io/apimachinery/pkg/runtime"

	"example.com/gatehouse/internal/lint/critical"
	"example.com/gatehouse/internal/lint/inventory"
	"example.com/gatehouse/internal/offline/requests"
)

// Needs are the requests that a backend needs to start.
type Needs struct {
	Backend  inventory.Backend
	Requests []*critical.Request
	// Assumed says that the files do not have the pods of the backend: they are
	// assumed to be in the namespace of the Service, without labels.
	Assumed bool
	// Secrets are the names of the Secrets that the pods mount.
	Secrets []string
}

// NeedsOf returns what the backends need that are Services. Hosts are outside of the
// cluster and need nothing from it.
func NeedsOf(in *inventory.Inventory, maker *requests.Maker) ([]Needs, error) {
	var all []Needs
	for _, b := range backends(in) {
		if b.Service == "" {
			continue
		}
		template, controller, found := podTemplate(in, b)
		needs := Needs{Backend: b, Assumed: !found, Secrets: secretsOf(template)}
		for _, e := range entries(b, template, controller) {
			r, err := critical.Make(maker, e)
			if err != nil {
				return nil, fmt.Errorf("the requests of %s: %w", b, err)
			}
			needs.Requests = append(needs.Requests, r)
		}
		all = append(all, needs)
	}
	return all, nil
}

// podTemplate returns the template of the pods that a Service selects, and the
// controller that creates them.
func podTemplate(
	in *inventory.Inventory, b inventory.Backend,
) (template corev1.PodTemplateSpec, controller string, found bool) {
	if s := in.Service(b); s != nil && len(s.Spec.Selector) > 0 {
		selector := labels.SelectorFromSet(s.Spec.Selector)
		for _, w := range workloads(in) {
			if w.namespace == b.Namespace && selector.Matches(labels.Set(w.template.Labels)) {
				return w.template, w.controller, true
			}
		}
	}
	return corev1.PodTemplateSpec{Spec: corev1.PodSpec{Containers: []corev1.Container{{
		Name: b.Service, Image: b.Service,
	}}}}, "replicaset-controller", false
}

// secretsOf returns the names of the Secrets that pods mount.
func secretsOf(template corev1.PodTemplateSpec) []string {
	var names []string
	for _, v := range template.Spec.Volumes {
		if v.Secret != nil {
			names = append(names, v.Secret.SecretName)
		}
	}
	return names
}

// workload is an object with a template of pods.
type workload struct {
	namespace, controller string
	template              corev1.PodTemplateSpec
}

func workloads(in *inventory.Inventory) []workload {
	var all []workload
	for _, o := range inventory.Objects[runtime.Object](in) {
		switch w := o.Object.(type) {
		case *appsv1.Deployment:
			all = append(all, workload{w.Namespace, "replicaset-controller", w.Spec.Template})
		case *appsv1.StatefulSet:
			all = append(all, workload{w.Namespace, "statefulset-controller", w.Spec.Template})
		case *appsv1.DaemonSet:
			all = append(all, workload{w.Namespace, "daemon-set-controller", w.Spec.Template})
		}
	}
	return all
}

// entries are the requests that a pod of a backend needs to become an endpoint.
func entries(
	b inventory.Backend, template corev1.PodTemplateSpec, controller string,
) []critical.Entry {
	name := b.Service + "-1"
	pod := &corev1.Pod{
		TypeMeta:   metav1.TypeMeta{APIVersion: "v1", Kind: "Pod"},
		ObjectMeta: template.ObjectMeta, Spec: template.Spec,
	}
	pod.Name, pod.Namespace = name, b.Namespace
	bound := pod.DeepCopy()
	bound.Spec.NodeName = "node-1"
	account := pod.Spec.ServiceAccountName
	if account == "" {
		account = "default"
	}
	const breaks = "The webhook does not start."
	of := func(verb, does, as string, body map[string]any) critical.Entry {
		return critical.Entry{
			ID: fmt.Sprintf("%s of %s", verb, b), Does: does, Breaks: breaks, As: as, Body: body,
		}
	}
	return []critical.Entry{
		of("pod", "A pod of the webhook is created.", controller, map[string]any{"object": pod}),
		of("binding", "A pod of the webhook is assigned to a node.", "scheduler", map[string]any{
			"operation": "CREATE", "resource": "pods", "subResource": "binding",
			"name": name, "namespace": b.Namespace,
			"object": map[string]any{
				"apiVersion": "v1", "kind": "Binding", "metadata": metadata(b, name),
				"target": map[string]any{"kind": "Node", "name": "node-1"},
			},
		}),
		of("token", "A pod of the webhook gets its token.", "kubelet", map[string]any{
			"operation": "CREATE", "resource": "serviceaccounts", "subResource": "token",
			"name": account, "namespace": b.Namespace,
			"object": map[string]any{
				"apiVersion": "authentication.k8s.io/v1", "kind": "TokenRequest",
				"spec": map[string]any{"audiences": []string{}},
			},
		}),
		of("status", "A pod of the webhook becomes ready.", "kubelet", map[string]any{
			"operation": "UPDATE", "subResource": "status", "object": bound,
		}),
		of("endpointslice", "A pod of the webhook becomes an endpoint.", "endpointslice-controller",
			map[string]any{"operation": "UPDATE", "object": map[string]any{
				"apiVersion": "discovery.k8s.io/v1", "kind": "EndpointSlice",
				"metadata": map[string]any{
					"name": b.Service + "-x", "namespace": b.Namespace,
					"labels": map[string]string{"kubernetes.io/service-name": b.Service},
				},
				"addressType": "IPv4", "endpoints": []any{},
			}}),
	}
}

func metadata(b inventory.Backend, name string) map[string]any {
	return map[string]any{"name": name, "namespace": b.Namespace}
}

// needsOf returns the needs of a backend; nil if it needs nothing.
func needsOf(all []Needs, b inventory.Backend) *Needs {
	i := slices.IndexFunc(all, func(n Needs) bool { return n.Backend == b })
	if i < 0 {
		return nil
	}
	return &all[i]
}
