package defaults

import (
	corev1 "k8s.io/api/core/v1"
	storagev1 "k8s.io/api/storage/v1"
)

// claim is for claims of their own and for the templates of a StatefulSet,
// which are whole claims, too.
func claim(c *corev1.PersistentVolumeClaim) {
	fill(&c.Status.Phase, corev1.ClaimPending)
	claimSpec(&c.Spec)
	round(c.Status.Capacity, c.Status.AllocatedResources)
}

func claimSpec(s *corev1.PersistentVolumeClaimSpec) {
	setOnce(&s.VolumeMode, corev1.PersistentVolumeFilesystem)
	round(s.Resources.Limits, s.Resources.Requests)
}

func persistentVolume(v *corev1.PersistentVolume) {
	fill(&v.Status.Phase, corev1.VolumePending)
	fill(&v.Spec.PersistentVolumeReclaimPolicy, corev1.PersistentVolumeReclaimRetain)
	setOnce(&v.Spec.VolumeMode, corev1.PersistentVolumeFilesystem)
	persistentVolumeSpec(&v.Spec)
}

// persistentVolumeSpec is for volumes that are written into another object,
// too, which have no policy of their own.
func persistentVolumeSpec(s *corev1.PersistentVolumeSpec) {
	round(s.Capacity)
	persistentSource(&s.PersistentVolumeSource)
}

func volumeAttachment(a *storagev1.VolumeAttachment) {
	some(a.Spec.Source.InlineVolumeSpec, persistentVolumeSpec)
}
