package apiserver

import (
	batchv1 "k8s.io/api/batch/v1"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/labels"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/util/validation/field"
)

// checkWorkload is about the kinds of the group apps that have pods made. It wants a
// selector that stays what it is and selects the pods that the template is for.
func checkWorkload(object, old runtime.Object) field.ErrorList {
	selector, template := selectorOf(object), section(object, "Spec").FieldByName("Template").Interface().(corev1.PodTemplateSpec)
	path := field.NewPath("spec", "selector")
	var errs field.ErrorList
	if selector == nil {
		errs = append(errs, field.Required(path, ""))
	} else if parsed, err := metav1.LabelSelectorAsSelector(selector); err != nil {
		errs = append(errs, field.Invalid(path, selector, err.Error()))
	} else {
		errs = append(errs, checkSelected(parsed, template)...)
	}
	errs = append(errs, checkTemplate(template)...)
	if old != nil && selector != nil {
		errs = append(errs, immutable(selector, selectorOf(old), path)...)
	}
	return errs
}

func selectorOf(workload runtime.Object) *metav1.LabelSelector {
	return section(workload, "Spec").FieldByName("Selector").Interface().(*metav1.LabelSelector)
}

func checkSelected(selector labels.Selector, template corev1.PodTemplateSpec) field.ErrorList {
	if selector.Matches(labels.Set(template.Labels)) {
		return nil
	}
	return field.ErrorList{field.Invalid(field.NewPath("spec", "template", "metadata", "labels"), template.Labels, "`selector` does not match template `labels`")}
}

func checkTemplate(template corev1.PodTemplateSpec) field.ErrorList {
	return checkPodSpec(template.Spec, field.NewPath("spec", "template", "spec"))
}

func checkReplicationController(object, _ *corev1.ReplicationController) field.ErrorList {
	path := field.NewPath("spec")
	var errs field.ErrorList
	if len(object.Spec.Selector) == 0 {
		errs = append(errs, field.Required(path.Child("selector"), ""))
	}
	if object.Spec.Template == nil {
		return append(errs, field.Required(path.Child("template"), ""))
	}
	errs = append(errs, checkSelected(labels.SelectorFromSet(object.Spec.Selector), *object.Spec.Template)...)
	return append(errs, checkTemplate(*object.Spec.Template)...)
}

func checkPodTemplate(object, _ *corev1.PodTemplate) field.ErrorList {
	return checkPodSpec(object.Template.Spec, field.NewPath("template", "spec"))
}

func checkJob(object, _ *batchv1.Job) field.ErrorList { return checkTemplate(object.Spec.Template) }

func checkCronJob(object, _ *batchv1.CronJob) field.ErrorList {
	spec := field.NewPath("spec")
	errs := checkPodSpec(object.Spec.JobTemplate.Spec.Template.Spec, spec.Child("jobTemplate", "spec", "template", "spec"))
	if object.Spec.Schedule == "" {
		errs = append(errs, field.Required(spec.Child("schedule"), ""))
	}
	return errs
}
