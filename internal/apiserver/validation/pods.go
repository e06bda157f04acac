package validation

import (
	"slices"

	corev1 "k8s.io/api/core/v1"
	apiequality "k8s.io/apimachinery/pkg/api/equality"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/util/sets"
	"k8s.io/apimachinery/pkg/util/validation"
	"k8s.io/apimachinery/pkg/util/validation/field"
)

// podUpdateForbidden is the beginning of kube-apiserver's message, which goes
// on with a diff.
const podUpdateForbidden = "pod updates may not change fields other than " +
	"`spec.containers[*].image`,`spec.initContainers[*].image`," +
	"`spec.activeDeadlineSeconds`," +
	"`spec.tolerations` (only additions to existing tolerations)," +
	"`spec.terminationGracePeriodSeconds` (allow it to be set to 1 if it was previously negative)"

// Pod is a Func for pods.
func Pod(object, old runtime.Object) field.ErrorList {
	path := field.NewPath("spec")
	pod := object.(*corev1.Pod)
	errs := podSpec(pod.Spec, path)
	if old == nil || len(errs) > 0 {
		return errs
	}
	before := old.(*corev1.Pod).Spec
	if !apiequality.Semantic.DeepEqual(withMutableFieldsOf(pod.DeepCopy().Spec, before), before) {
		errs = append(errs, field.Forbidden(path, podUpdateForbidden))
	}
	return errs
}

// withMutableFieldsOf returns spec with the old values of the fields whose
// change is allowed. spec belongs to the function.
func withMutableFieldsOf(spec, old corev1.PodSpec) corev1.PodSpec {
	copyImages(spec.Containers, old.Containers)
	copyImages(spec.InitContainers, old.InitContainers)
	spec.ActiveDeadlineSeconds = old.ActiveDeadlineSeconds
	if containsAll(spec.Tolerations, old.Tolerations) {
		spec.Tolerations = old.Tolerations
	}
	before, now := old.TerminationGracePeriodSeconds, spec.TerminationGracePeriodSeconds
	if before != nil && *before < 0 && now != nil && *now == 1 {
		spec.TerminationGracePeriodSeconds = before
	}
	if containsAll(old.SchedulingGates, spec.SchedulingGates) {
		// A pod that is still gated may also be restricted to fewer nodes.
		if len(old.SchedulingGates) > 0 {
			spec.NodeSelector, spec.Affinity = old.NodeSelector, old.Affinity
		}
		spec.SchedulingGates = old.SchedulingGates
	}
	return spec
}

func copyImages(containers, old []corev1.Container) {
	if len(containers) != len(old) {
		return
	}
	for i := range containers {
		containers[i].Image = old[i].Image
	}
}

func containsAll[T any](all, some []T) bool {
	for _, wanted := range some {
		if !slices.ContainsFunc(all, func(one T) bool {
			return apiequality.Semantic.DeepEqual(one, wanted)
		}) {
			return false
		}
	}
	return true
}

func podSpec(spec corev1.PodSpec, path *field.Path) field.ErrorList {
	names := sets.New[string]()
	errs := procMounts(spec, path)
	errs = append(errs, containers(spec.InitContainers, names, path.Child("initContainers"))...)
	if len(spec.Containers) == 0 {
		return append(errs, field.Required(path.Child("containers"), ""))
	}
	return append(errs, containers(spec.Containers, names, path.Child("containers"))...)
}

// containers validates containers, whose names must not be in names, and adds
// their names.
func containers(list []corev1.Container, names sets.Set[string], path *field.Path) field.ErrorList {
	var errs field.ErrorList
	for i, c := range list {
		namePath := path.Index(i).Child("name")
		switch {
		case c.Name == "":
			errs = append(errs, field.Required(namePath, ""))
		case names.Has(c.Name):
			errs = append(errs, field.Duplicate(namePath, c.Name))
		default:
			for _, message := range validation.IsDNS1123Label(c.Name) {
				errs = append(errs, field.Invalid(namePath, c.Name, message))
			}
		}
		names.Insert(c.Name)
		if c.Image == "" {
			errs = append(errs, field.Required(path.Index(i).Child("image"), ""))
		}
	}
	return errs
}
