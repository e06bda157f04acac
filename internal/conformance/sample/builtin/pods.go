package builtin

import (
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
)

// Image is that of all containers.
const Image = "registry.example.com/sample:1.0"

// hintPods is about pods, and whatever has a template of some.
func hintPods(part any) {
	switch p := part.(type) {
	case *corev1.Container:
		p.Image = Image
	case *corev1.EphemeralContainer:
		p.Name, p.Image = "debugger", Image
	case *corev1.PodStatus:
		p.Phase, p.PodIP = corev1.PodRunning, address
	case *corev1.PodTemplateSpec:
		p.Labels = labels()
	case *corev1.PodTemplate:
		fillTemplate(&p.Template)
	case *metav1.LabelSelector:
		p.MatchLabels = labels()
	case *corev1.ConfigMap:
		p.Data = map[string]string{word: word}
	case *corev1.Secret:
		p.Data = map[string][]byte{word: []byte(word)}
	}
}

// fillTemplate is for templates that JSON may leave out.
func fillTemplate(t *corev1.PodTemplateSpec) { *t = part[corev1.PodTemplateSpec]() }
