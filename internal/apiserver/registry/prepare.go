package registry

import (
	"maps"
	"slices"

	batchv1 "k8s.io/api/batch/v1"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
)

// prepareNamespaceForCreate adds the finalizer that package namespaces removes.
func prepareNamespaceForCreate(o runtime.Object) {
	namespace := o.(*corev1.Namespace)
	namespace.Status = corev1.NamespaceStatus{Phase: corev1.NamespaceActive}
	if !slices.Contains(namespace.Spec.Finalizers, corev1.FinalizerKubernetes) {
		namespace.Spec.Finalizers = append(namespace.Spec.Finalizers, corev1.FinalizerKubernetes)
	}
}

// keepNamespaceFinalizers keeps spec.finalizers, which has its own endpoint.
func keepNamespaceFinalizers(object, old runtime.Object) {
	object.(*corev1.Namespace).Spec.Finalizers = old.(*corev1.Namespace).Spec.Finalizers
}

// setNamespaceLabel sets kubernetes.io/metadata.name. Defaulting sets it too,
// but before the server generates a name from generateName.
func setNamespaceLabel(o runtime.Object) {
	namespace := o.(*corev1.Namespace)
	if namespace.Labels == nil {
		namespace.Labels = map[string]string{}
	}
	namespace.Labels[corev1.LabelMetadataName] = namespace.Name
}

func preparePodForCreate(o runtime.Object) {
	pod := o.(*corev1.Pod)
	pod.Status = corev1.PodStatus{Phase: corev1.PodPending, QOSClass: qosClass(pod.Spec)}
	if len(pod.Spec.SchedulingGates) > 0 {
		pod.Status.Conditions = []corev1.PodCondition{{
			Type: corev1.PodScheduled, Status: corev1.ConditionFalse,
			Reason:  corev1.PodReasonSchedulingGated,
			Message: "Scheduling is blocked due to non-empty scheduling gates",
		}}
	}
}

// qosClass returns Guaranteed if every container has equal requests and limits
// of CPU and memory, and BestEffort if none has any. The resources of the pod, if
// it has any, count instead of those of the containers.
func qosClass(spec corev1.PodSpec) corev1.PodQOSClass {
	var all []corev1.ResourceRequirements
	for _, c := range slices.Concat(spec.InitContainers, spec.Containers) {
		all = append(all, c.Resources)
	}
	if spec.Resources != nil { // Compat: even if it is empty
		all = []corev1.ResourceRequirements{*spec.Resources}
	}
	guaranteed, bestEffort := true, true
	for _, r := range all {
		for _, name := range []corev1.ResourceName{corev1.ResourceCPU, corev1.ResourceMemory} {
			request, limit := r.Requests[name], r.Limits[name]
			bestEffort = bestEffort && request.IsZero() && limit.IsZero()
			guaranteed = guaranteed && !limit.IsZero() && request.Cmp(limit) == 0
		}
	}
	switch {
	case bestEffort:
		return corev1.PodQOSBestEffort
	case guaranteed:
		return corev1.PodQOSGuaranteed
	default:
		return corev1.PodQOSBurstable
	}
}

// keepNodeStatus keeps the status of a new node, with which kubelets register.
func keepNodeStatus(runtime.Object) {}

func prepareVolumeForCreate(o runtime.Object) {
	o.(*corev1.PersistentVolume).Status = corev1.PersistentVolumeStatus{Phase: corev1.VolumePending}
}

func prepareClaimForCreate(o runtime.Object) {
	claim := o.(*corev1.PersistentVolumeClaim)
	claim.Status = corev1.PersistentVolumeClaimStatus{Phase: corev1.ClaimPending}
}

// prepareJobForCreate makes a job select the pods of its template by a label
// with its UID, unless spec.manualSelector is set.
func prepareJobForCreate(o runtime.Object) {
	job := o.(*batchv1.Job)
	job.Status = batchv1.JobStatus{}
	if job.Spec.ManualSelector != nil && *job.Spec.ManualSelector {
		return
	}
	uid := string(job.UID)
	job.Spec.Template.Labels = addMissing(job.Spec.Template.Labels, map[string]string{
		batchv1.ControllerUidLabel: uid, "controller-uid": uid,
		batchv1.JobNameLabel: job.Name, "job-name": job.Name,
	})
	if job.Spec.Selector == nil {
		job.Spec.Selector = &metav1.LabelSelector{}
	}
	job.Spec.Selector.MatchLabels = addMissing(job.Spec.Selector.MatchLabels,
		map[string]string{batchv1.ControllerUidLabel: uid})
}

// addMissing returns labels and those of defaults that labels does not have.
func addMissing(labels, defaults map[string]string) map[string]string {
	out := maps.Clone(defaults)
	maps.Copy(out, labels)
	return out
}
