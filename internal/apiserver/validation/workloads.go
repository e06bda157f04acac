package validation

import (
	"fmt"

	appsv1 "k8s.io/api/apps/v1"
	batchv1 "k8s.io/api/batch/v1"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/labels"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/util/validation/field"
)

// Workload is a Func for the kinds of the group apps that have a pod template.
func Workload(object, old runtime.Object) field.ErrorList {
	selector, template := selectorAndTemplate(object)
	path := field.NewPath("spec", "selector")
	var errs field.ErrorList
	if selector == nil {
		errs = append(errs, field.Required(path, ""))
	} else if parsed, err := metav1.LabelSelectorAsSelector(selector); err != nil {
		errs = append(errs, field.Invalid(path, selector, err.Error()))
	} else {
		errs = append(errs, selectorMatchesTemplate(parsed, template)...)
	}
	errs = append(errs, podTemplateSpec(template)...)
	if old != nil && selector != nil {
		before, _ := selectorAndTemplate(old)
		errs = append(errs, immutable(selector, before, path)...)
	}
	return errs
}

func selectorAndTemplate(object runtime.Object) (*metav1.LabelSelector, corev1.PodTemplateSpec) {
	switch o := object.(type) {
	case *appsv1.Deployment:
		return o.Spec.Selector, o.Spec.Template
	case *appsv1.ReplicaSet:
		return o.Spec.Selector, o.Spec.Template
	case *appsv1.StatefulSet:
		return o.Spec.Selector, o.Spec.Template
	case *appsv1.DaemonSet:
		return o.Spec.Selector, o.Spec.Template
	}
	panic(fmt.Sprintf("%T is not a workload of the group apps", object))
}

func selectorMatchesTemplate(
	selector labels.Selector, template corev1.PodTemplateSpec,
) field.ErrorList {
	if selector.Matches(labels.Set(template.Labels)) {
		return nil
	}
	path := field.NewPath("spec", "template", "metadata", "labels")
	return field.ErrorList{
		field.Invalid(path, template.Labels, "`selector` does not match template `labels`"),
	}
}

func podTemplateSpec(template corev1.PodTemplateSpec) field.ErrorList {
	return podSpec(template.Spec, field.NewPath("spec", "template", "spec"))
}

// ReplicationController is a Func for ReplicationControllers.
func ReplicationController(object, _ runtime.Object) field.ErrorList {
	spec, path := object.(*corev1.ReplicationController).Spec, field.NewPath("spec")
	var errs field.ErrorList
	if len(spec.Selector) == 0 {
		errs = append(errs, field.Required(path.Child("selector"), ""))
	}
	if spec.Template == nil {
		return append(errs, field.Required(path.Child("template"), ""))
	}
	selector := labels.SelectorFromSet(spec.Selector)
	errs = append(errs, selectorMatchesTemplate(selector, *spec.Template)...)
	return append(errs, podTemplateSpec(*spec.Template)...)
}

// PodTemplate is a Func for PodTemplates.
func PodTemplate(object, _ runtime.Object) field.ErrorList {
	return podSpec(object.(*corev1.PodTemplate).Template.Spec, field.NewPath("template", "spec"))
}

// Job is a Func for Jobs.
func Job(object, old runtime.Object) field.ErrorList {
	spec := object.(*batchv1.Job).Spec
	errs := podTemplateSpec(spec.Template)
	if old == nil {
		return errs
	}
	return append(errs, jobUpdate(spec, old.(*batchv1.Job).Spec)...)
}

// CronJob is a Func for CronJobs.
func CronJob(object, _ runtime.Object) field.ErrorList {
	spec, path := object.(*batchv1.CronJob).Spec, field.NewPath("spec")
	template := path.Child("jobTemplate", "spec", "template")
	errs := podSpec(spec.JobTemplate.Spec.Template.Spec, template.Child("spec"))
	if spec.Schedule == "" {
		errs = append(errs, field.Required(path.Child("schedule"), ""))
	}
	return errs
}
