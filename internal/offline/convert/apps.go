package convert

import (
	"fmt"
	"math"
	"strconv"

	appsv1 "k8s.io/api/apps/v1"
	appsv1beta1 "k8s.io/api/apps/v1beta1"
	appsv1beta2 "k8s.io/api/apps/v1beta2"
	extensionsv1beta1 "k8s.io/api/extensions/v1beta1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/util/intstr"
)

// workloads are the kinds of the group apps. The first two versions of the
// kinds that began in extensions hold what became annotations in the last two.
func workloads() []family {
	return []family{
		{kind: "Deployment", resource: "deployments", versions: deployments(), hub: func() runtime.Object { return &appsv1beta1.Deployment{} }},
		{kind: "ReplicaSet", resource: "replicasets", versions: replicaSets(), hub: func() runtime.Object { return &appsv1.ReplicaSet{} }},
		{kind: "DaemonSet", resource: "daemonsets", versions: daemonSets(), hub: func() runtime.Object { return &extensionsv1beta1.DaemonSet{} }},
		{kind: "StatefulSet", resource: "statefulsets", versions: statefulSets(), hub: func() runtime.Object { return &appsv1beta1.StatefulSet{} }},
		{kind: "ControllerRevision", resource: "controllerrevisions", versions: []version{
			same(appsv1.SchemeGroupVersion, (*appsv1.ControllerRevision)(nil)),
			same(appsv1beta2.SchemeGroupVersion, (*appsv1beta2.ControllerRevision)(nil)),
			same(appsv1beta1.SchemeGroupVersion, (*appsv1beta1.ControllerRevision)(nil)),
		}, hub: func() runtime.Object { return &appsv1.ControllerRevision{} }},
	}
}

func deployments() []version {
	quarter := intstr.FromString("25%")
	current := deploymentDefaults{step: quarter, history: 10, deadline: 600}
	return []version{
		settled(special(appsv1.SchemeGroupVersion,
			func(_ *appsv1.Deployment, hub *appsv1beta1.Deployment) error { return rollbackFromAnnotation(hub) },
			func(hub *appsv1beta1.Deployment, to *appsv1.Deployment) error { return rollbackToAnnotation(hub, to) },
		).but(".spec.rollbackTo"), current.settle),
		settled(special(appsv1beta2.SchemeGroupVersion,
			func(_ *appsv1beta2.Deployment, hub *appsv1beta1.Deployment) error { return rollbackFromAnnotation(hub) },
			func(hub *appsv1beta1.Deployment, to *appsv1beta2.Deployment) error {
				return rollbackToAnnotation(hub, to)
			},
		).but(".spec.rollbackTo"), current.settle),
		settled(same(appsv1beta1.SchemeGroupVersion, (*appsv1beta1.Deployment)(nil)),
			deploymentDefaults{step: quarter, history: 2, deadline: 600, labelled: true}.settle),
		settled(same(extensionsv1beta1.SchemeGroupVersion, (*extensionsv1beta1.Deployment)(nil)),
			deploymentDefaults{step: intstr.FromInt32(1), history: math.MaxInt32, deadline: math.MaxInt32, labelled: true, always: true}.settle),
	}
}

// rollbackFromAnnotation sets the field that is an annotation since v1beta2. An
// empty annotation is none, and is left to whoever writes the field.
func rollbackFromAnnotation(hub *appsv1beta1.Deployment) error {
	text := hub.Annotations[appsv1.DeprecatedRollbackTo]
	if text == "" {
		return nil
	}
	revision, err := parseAnnotation(appsv1.DeprecatedRollbackTo, text)
	if err != nil {
		return err
	}
	hub.Spec.RollbackTo = &appsv1beta1.RollbackConfig{Revision: revision}
	delete(hub.Annotations, appsv1.DeprecatedRollbackTo)
	return nil
}

// rollbackToAnnotation is the way back. Without the field there is no
// annotation either, whoever wrote it.
func rollbackToAnnotation(hub *appsv1beta1.Deployment, to metav1.Object) error {
	annotate(to, appsv1.DeprecatedRollbackTo, "")
	if hub.Spec.RollbackTo != nil {
		annotate(to, appsv1.DeprecatedRollbackTo, strconv.FormatInt(hub.Spec.RollbackTo.Revision, 10))
	}
	return nil
}

func replicaSets() []version {
	return []version{
		same(appsv1.SchemeGroupVersion, (*appsv1.ReplicaSet)(nil)),
		same(appsv1beta2.SchemeGroupVersion, (*appsv1beta2.ReplicaSet)(nil)),
		settled(same(extensionsv1beta1.SchemeGroupVersion, (*extensionsv1beta1.ReplicaSet)(nil)),
			func(hub *appsv1.ReplicaSet) { label(hub, &hub.Spec.Selector, &hub.Spec.Template) }),
	}
}

func daemonSets() []version {
	roll := func(hub *extensionsv1beta1.DaemonSet) {
		fill(&hub.Spec.UpdateStrategy.Type, extensionsv1beta1.RollingUpdateDaemonSetStrategyType)
	}
	return []version{
		settled(special(appsv1.SchemeGroupVersion,
			func(_ *appsv1.DaemonSet, hub *extensionsv1beta1.DaemonSet) error {
				return generationFromAnnotation(hub)
			},
			func(hub *extensionsv1beta1.DaemonSet, to *appsv1.DaemonSet) error {
				return generationToAnnotation(hub, to)
			},
		).but(".spec.templateGeneration"), roll),
		settled(special(appsv1beta2.SchemeGroupVersion,
			func(_ *appsv1beta2.DaemonSet, hub *extensionsv1beta1.DaemonSet) error {
				return generationFromAnnotation(hub)
			},
			func(hub *extensionsv1beta1.DaemonSet, to *appsv1beta2.DaemonSet) error {
				return generationToAnnotation(hub, to)
			},
		).but(".spec.templateGeneration"), roll),
		settled(same(extensionsv1beta1.SchemeGroupVersion, (*extensionsv1beta1.DaemonSet)(nil)),
			func(hub *extensionsv1beta1.DaemonSet) {
				fill(&hub.Spec.UpdateStrategy.Type, extensionsv1beta1.OnDeleteDaemonSetStrategyType)
				label(hub, &hub.Spec.Selector, &hub.Spec.Template)
			}),
	}
}

// generationFromAnnotation sets the field that is an annotation since v1beta2.
//
// Compat: unlike the annotation of Deployments, an empty one is an error.
func generationFromAnnotation(hub *extensionsv1beta1.DaemonSet) error {
	text, ok := hub.Annotations[appsv1.DeprecatedTemplateGeneration]
	if !ok {
		return nil
	}
	generation, err := parseAnnotation(appsv1.DeprecatedTemplateGeneration, text)
	if err != nil {
		return err
	}
	hub.Spec.TemplateGeneration = generation
	delete(hub.Annotations, appsv1.DeprecatedTemplateGeneration)
	return nil
}

// generationToAnnotation is the way back.
//
// Compat: the annotation is written even if the field has never been set.
func generationToAnnotation(hub *extensionsv1beta1.DaemonSet, to metav1.Object) error {
	annotate(to, appsv1.DeprecatedTemplateGeneration, strconv.FormatInt(hub.Spec.TemplateGeneration, 10))
	return nil
}

// parseAnnotation returns the number in an annotation that is a field in other
// versions.
func parseAnnotation(key, text string) (int64, error) {
	number, err := strconv.ParseInt(text, 10, 64)
	if err != nil {
		return 0, fmt.Errorf("reading annotation %s: %w", key, err)
	}
	return number, nil
}
