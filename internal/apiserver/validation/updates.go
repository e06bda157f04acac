package validation

import (
	appsv1 "k8s.io/api/apps/v1"
	batchv1 "k8s.io/api/batch/v1"
	corev1 "k8s.io/api/core/v1"
	schedulingv1 "k8s.io/api/scheduling/v1"
	apiequality "k8s.io/apimachinery/pkg/api/equality"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/util/validation/field"
)

// StatefulSet is a Func for StatefulSets.
func StatefulSet(object, old runtime.Object) field.ErrorList {
	errs := Workload(object, nil)
	if old == nil {
		return errs
	}
	now, before := object.(*appsv1.StatefulSet).DeepCopy().Spec, old.(*appsv1.StatefulSet).Spec
	now.Replicas, now.Template = before.Replicas, before.Template
	now.UpdateStrategy = before.UpdateStrategy
	now.MinReadySeconds, now.Ordinals = before.MinReadySeconds, before.Ordinals
	now.RevisionHistoryLimit = before.RevisionHistoryLimit
	now.PersistentVolumeClaimRetentionPolicy = before.PersistentVolumeClaimRetentionPolicy
	if !apiequality.Semantic.DeepEqual(now, before) {
		errs = append(errs, field.Forbidden(field.NewPath("spec"),
			"updates to statefulset spec for fields other than 'replicas', 'ordinals', 'template', "+
				"'updateStrategy', 'revisionHistoryLimit', 'persistentVolumeClaimRetentionPolicy' and "+
				"'minReadySeconds' are forbidden"))
	}
	return errs
}

// jobUpdate compares jobs. The template of a suspended job may change in parts,
// which are not compared.
func jobUpdate(now, before batchv1.JobSpec) field.ErrorList {
	path := field.NewPath("spec")
	errs := immutable(now.Selector, before.Selector, path.Child("selector"))
	errs = append(errs, immutable(
		now.CompletionMode, before.CompletionMode, path.Child("completionMode"))...)
	errs = append(errs, immutable(
		now.PodFailurePolicy, before.PodFailurePolicy, path.Child("podFailurePolicy"))...)
	if before.Suspend == nil || !*before.Suspend {
		errs = append(errs, immutable(now.Template, before.Template, path.Child("template"))...)
	}
	indexed := before.CompletionMode != nil && *before.CompletionMode == batchv1.IndexedCompletion
	if !indexed {
		errs = append(errs, immutable(now.Completions, before.Completions, path.Child("completions"))...)
	}
	return errs
}

// Claim is a Func for PersistentVolumeClaims. A controller binds them and may set
// a missing class.
func Claim(object, old runtime.Object) field.ErrorList {
	if old == nil {
		return nil
	}
	now := object.(*corev1.PersistentVolumeClaim).DeepCopy().Spec
	before := old.(*corev1.PersistentVolumeClaim).Spec
	now.Resources.Requests = before.Resources.Requests
	now.VolumeAttributesClassName = before.VolumeAttributesClassName
	if before.VolumeName == "" {
		now.VolumeName = ""
	}
	if before.StorageClassName == nil {
		now.StorageClassName = nil
	}
	if apiequality.Semantic.DeepEqual(now, before) {
		return nil
	}
	return field.ErrorList{field.Forbidden(field.NewPath("spec"), "spec is immutable after creation "+
		"except resources.requests and volumeAttributesClassName for bound claims")}
}

// Volume is a Func for PersistentVolumes.
func Volume(object, old runtime.Object) field.ErrorList {
	if old == nil {
		return nil
	}
	now, before := object.(*corev1.PersistentVolume).Spec, old.(*corev1.PersistentVolume).Spec
	path := field.NewPath("spec")
	errs := immutable(now.VolumeMode, before.VolumeMode, path.Child("volumeMode"))
	// The secret of expansion may be added.
	if now.CSI != nil && before.CSI != nil {
		now.CSI = now.CSI.DeepCopy()
		now.CSI.ControllerExpandSecretRef = before.CSI.ControllerExpandSecretRef
	}
	if !apiequality.Semantic.DeepEqual(now.PersistentVolumeSource, before.PersistentVolumeSource) {
		errs = append(errs, field.Forbidden(path.Child("persistentvolumesource"),
			"spec.persistentvolumesource is immutable after creation"))
	}
	return errs
}

// PriorityClass is a Func for PriorityClasses.
func PriorityClass(object, old runtime.Object) field.ErrorList {
	if old == nil {
		return nil
	}
	now, before := object.(*schedulingv1.PriorityClass), old.(*schedulingv1.PriorityClass)
	errs := immutable(now.PreemptionPolicy, before.PreemptionPolicy, field.NewPath("preemptionPolicy"))
	if now.Value != before.Value {
		errs = append(errs, field.Forbidden(field.NewPath("value"), "may not be changed in an update."))
	}
	return errs
}
