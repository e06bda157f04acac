package apiserver

import (
	"maps"
	"slices"

	batchv1 "k8s.io/api/batch/v1"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
)

// What the table of resources says of how objects of single kinds begin.

// bornNamespace makes a namespace stay, once it is deleted, until all that is in it
// is gone.
func bornNamespace(o runtime.Object) {
	namespace := o.(*corev1.Namespace)
	namespace.Status = corev1.NamespaceStatus{Phase: corev1.NamespaceActive}
	if !slices.Contains(namespace.Spec.Finalizers, corev1.FinalizerKubernetes) {
		namespace.Spec.Finalizers = append(namespace.Spec.Finalizers, corev1.FinalizerKubernetes)
	}
}

// keepNamespaceFinalizers: these finalizers have a subresource of their own.
func keepNamespaceFinalizers(object, old runtime.Object) {
	object.(*corev1.Namespace).Spec.Finalizers = old.(*corev1.Namespace).Spec.Finalizers
}

// labelNamespace sets the label with the namespace's name. It is a default too,
// but one that a name made from generateName comes too late for.
func labelNamespace(o runtime.Object) {
	namespace := o.(*corev1.Namespace)
	if namespace.Labels == nil {
		namespace.Labels = map[string]string{}
	}
	namespace.Labels[corev1.LabelMetadataName] = namespace.Name
}

func bornPod(o runtime.Object) {
	pod := o.(*corev1.Pod)
	pod.Status = corev1.PodStatus{Phase: corev1.PodPending, QOSClass: qualityOf(pod.Spec)}
	if len(pod.Spec.SchedulingGates) > 0 {
		pod.Status.Conditions = []corev1.PodCondition{{
			Type: corev1.PodScheduled, Status: corev1.ConditionFalse,
			Reason: corev1.PodReasonSchedulingGated, Message: "Scheduling is blocked due to non-empty scheduling gates",
		}}
	}
}

// qualityOf says how well a pod's needs are known: guaranteed if every container
// gets all that it may use of CPU and memory, best effort if none says anything.
func qualityOf(spec corev1.PodSpec) corev1.PodQOSClass {
	guaranteed, silent := true, true
	for _, c := range slices.Concat(spec.InitContainers, spec.Containers) {
		for _, name := range []corev1.ResourceName{corev1.ResourceCPU, corev1.ResourceMemory} {
			request, limit := c.Resources.Requests[name], c.Resources.Limits[name]
			silent = silent && request.IsZero() && limit.IsZero()
			guaranteed = guaranteed && !limit.IsZero() && request.Cmp(limit) == 0
		}
	}
	switch {
	case silent:
		return corev1.PodQOSBestEffort
	case guaranteed:
		return corev1.PodQOSGuaranteed
	default:
		return corev1.PodQOSBurstable
	}
}

// bornNode leaves the status: it is how a node introduces itself.
func bornNode(runtime.Object) {}

func bornVolume(o runtime.Object) {
	o.(*corev1.PersistentVolume).Status = corev1.PersistentVolumeStatus{Phase: corev1.VolumePending}
}

func bornClaim(o runtime.Object) {
	o.(*corev1.PersistentVolumeClaim).Status = corev1.PersistentVolumeClaimStatus{Phase: corev1.ClaimPending}
}

// bornJob has a job select the pods that it will make, by a label with its UID,
// unless its author selects them.
func bornJob(o runtime.Object) {
	job := o.(*batchv1.Job)
	job.Status = batchv1.JobStatus{}
	if job.Spec.ManualSelector != nil && *job.Spec.ManualSelector {
		return
	}
	uid := string(job.UID)
	job.Spec.Template.Labels = withMissing(job.Spec.Template.Labels, map[string]string{
		batchv1.ControllerUidLabel: uid, "controller-uid": uid,
		batchv1.JobNameLabel: job.Name, "job-name": job.Name,
	})
	if job.Spec.Selector == nil {
		job.Spec.Selector = &metav1.LabelSelector{}
	}
	job.Spec.Selector.MatchLabels = withMissing(job.Spec.Selector.MatchLabels, map[string]string{batchv1.ControllerUidLabel: uid})
}

// withMissing adds labels where others are not in their place.
func withMissing(labels, more map[string]string) map[string]string {
	out := maps.Clone(more)
	maps.Copy(out, labels)
	return out
}
