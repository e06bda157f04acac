package apiserver

import (
	corev1 "k8s.io/api/core/v1"
	apiequality "k8s.io/apimachinery/pkg/api/equality"
	"k8s.io/apimachinery/pkg/util/sets"
	"k8s.io/apimachinery/pkg/util/validation"
	"k8s.io/apimachinery/pkg/util/validation/field"
)

// podFrozen is why an update of a pod is refused. kube-apiserver goes on with what
// differs, in a form that is not meant for programs.
const podFrozen = "pod updates may not change fields other than `spec.containers[*].image`,`spec.initContainers[*].image`," +
	"`spec.activeDeadlineSeconds`,`spec.tolerations` (only additions to existing tolerations)," +
	"`spec.terminationGracePeriodSeconds` (allow it to be set to 1 if it was previously negative)"

func checkPod(pod, old *corev1.Pod) field.ErrorList {
	path := field.NewPath("spec")
	errs := checkPodSpec(pod.Spec, path)
	if old != nil && len(errs) == 0 && !apiequality.Semantic.DeepEqual(thawed(pod, old), old.Spec) {
		errs = append(errs, field.Forbidden(path, podFrozen))
	}
	return errs
}

// thawed returns a pod's spec with the old values of the fields that may change.
func thawed(pod, old *corev1.Pod) corev1.PodSpec {
	spec := pod.DeepCopy().Spec
	sameImages(spec.Containers, old.Spec.Containers)
	sameImages(spec.InitContainers, old.Spec.InitContainers)
	spec.ActiveDeadlineSeconds = old.Spec.ActiveDeadlineSeconds
	if containsAll(spec.Tolerations, old.Spec.Tolerations) {
		spec.Tolerations = old.Spec.Tolerations
	}
	if before, now := old.Spec.TerminationGracePeriodSeconds, spec.TerminationGracePeriodSeconds; before != nil && *before < 0 && now != nil && *now == 1 {
		spec.TerminationGracePeriodSeconds = before
	}
	if containsAll(old.Spec.SchedulingGates, spec.SchedulingGates) {
		// Who takes a gate away may also narrow down where the pod goes.
		if len(old.Spec.SchedulingGates) > 0 {
			spec.NodeSelector, spec.Affinity = old.Spec.NodeSelector, old.Spec.Affinity
		}
		spec.SchedulingGates = old.Spec.SchedulingGates
	}
	return spec
}

func sameImages(containers, old []corev1.Container) {
	if len(containers) != len(old) {
		return
	}
	for i := range containers {
		containers[i].Image = old[i].Image
	}
}

func containsAll[T any](all, some []T) bool {
	for _, wanted := range some {
		found := false
		for _, one := range all {
			found = found || apiequality.Semantic.DeepEqual(one, wanted)
		}
		if !found {
			return false
		}
	}
	return true
}

// checkPodSpec wants containers that have names and images.
func checkPodSpec(spec corev1.PodSpec, path *field.Path) field.ErrorList {
	names := sets.New[string]()
	errs := checkContainers(spec.InitContainers, names, path.Child("initContainers"))
	containers := path.Child("containers")
	if len(spec.Containers) == 0 {
		return append(errs, field.Required(containers, ""))
	}
	return append(errs, checkContainers(spec.Containers, names, containers)...)
}

// checkContainers adds the names that it finds to those that are taken.
func checkContainers(containers []corev1.Container, taken sets.Set[string], path *field.Path) field.ErrorList {
	var errs field.ErrorList
	for i, c := range containers {
		at := path.Index(i)
		switch {
		case c.Name == "":
			errs = append(errs, field.Required(at.Child("name"), ""))
		case taken.Has(c.Name):
			errs = append(errs, field.Duplicate(at.Child("name"), c.Name))
		default:
			for _, wrong := range validation.IsDNS1123Label(c.Name) {
				errs = append(errs, field.Invalid(at.Child("name"), c.Name, wrong))
			}
		}
		taken.Insert(c.Name)
		if c.Image == "" {
			errs = append(errs, field.Required(at.Child("image"), ""))
		}
	}
	return errs
}
