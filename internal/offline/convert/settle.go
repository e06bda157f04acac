package convert

import (
	appsv1beta1 "k8s.io/api/apps/v1beta1"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/util/intstr"
)

// deploymentDefaults are what a version of Deployment takes for granted.
type deploymentDefaults struct {
	// step is how many pods are replaced at a time.
	step              intstr.IntOrString
	history, deadline int32
	// labelled says that a selector and labels come from the pod template.
	labelled bool
	// always says that step is for any Deployment with rolling parameters,
	// whatever its strategy.
	always bool
}

func (d deploymentDefaults) settle(hub *appsv1beta1.Deployment) {
	if d.labelled {
		label(hub, &hub.Spec.Selector, &hub.Spec.Template)
	}
	setOnce(&hub.Spec.RevisionHistoryLimit, d.history)
	setOnce(&hub.Spec.ProgressDeadlineSeconds, d.deadline)
	strategy := &hub.Spec.Strategy
	fill(&strategy.Type, appsv1beta1.RollingUpdateDeploymentStrategyType)
	step := d.step
	if strategy.Type == appsv1beta1.RollingUpdateDeploymentStrategyType {
		setOnce(&strategy.RollingUpdate, appsv1beta1.RollingUpdateDeployment{})
	} else if !d.always {
		// Compat: parameters that are not used become zero in an API server,
		// whose internal type cannot leave them out.
		step = intstr.FromInt32(0)
	}
	if strategy.RollingUpdate != nil {
		setOnce(&strategy.RollingUpdate.MaxUnavailable, step)
		setOnce(&strategy.RollingUpdate.MaxSurge, step)
	}
}

// label gives an object the labels of its pod template, for its own and to
// select by, as the versions did in which neither had to be written.
func label(object metav1.Object, selector **metav1.LabelSelector, template *corev1.PodTemplateSpec) {
	if template.Labels == nil {
		return
	}
	if *selector == nil {
		*selector = &metav1.LabelSelector{MatchLabels: copied(template.Labels)}
	}
	if len(object.GetLabels()) == 0 {
		object.SetLabels(copied(template.Labels))
	}
}

// annotate sets an annotation, or removes it if there is no text.
func annotate(object metav1.Object, key, text string) {
	annotations := copied(object.GetAnnotations())
	delete(annotations, key)
	if text != "" {
		annotations[key] = text
	}
	if len(annotations) > 0 || object.GetAnnotations() != nil {
		object.SetAnnotations(annotations)
	}
}

// copied is maps.Clone that makes a map of nil, too.
func copied(m map[string]string) map[string]string {
	out := make(map[string]string, len(m)+1)
	for k, v := range m {
		out[k] = v
	}
	return out
}

// fill sets an empty string.
func fill[S ~string](field *S, value S) {
	if *field == "" {
		*field = value
	}
}

// setOnce sets a pointer that is nil.
func setOnce[T any](field **T, value T) {
	if *field == nil {
		*field = &value
	}
}

// orZero is what a pointer points to, or nothing.
func orZero[T any](p *T) (value T) {
	if p != nil {
		value = *p
	}
	return value
}
