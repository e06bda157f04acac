package builtin

import (
	corev1 "k8s.io/api/core/v1"
	storagev1 "k8s.io/api/storage/v1"
	"k8s.io/apimachinery/pkg/api/resource"
)

// hintStorage sets storage objects.
func hintStorage(part any) {
	switch p := part.(type) {
	case *corev1.PersistentVolumeClaimSpec:
		p.AccessModes = []corev1.PersistentVolumeAccessMode{corev1.ReadWriteOnce}
		p.Resources.Requests = space()
	case *corev1.PersistentVolumeSpec:
		p.AccessModes = []corev1.PersistentVolumeAccessMode{corev1.ReadWriteOnce}
		p.Capacity = space()
		p.HostPath = &corev1.HostPathVolumeSource{Path: "/srv/" + word}
	case *storagev1.StorageClass:
		p.Provisioner = "example.com/" + word
	case *storagev1.VolumeAttachmentSource:
		p.PersistentVolumeName = new(word)
	}
}

func space() corev1.ResourceList {
	return corev1.ResourceList{corev1.ResourceStorage: resource.MustParse("1Gi")}
}
