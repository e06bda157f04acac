package defaults

import (
	corev1 "k8s.io/api/core/v1"
	storagev1 "k8s.io/api/storage/v1"
)

func storageClass(c *storagev1.StorageClass) {
	setOnce(&c.ReclaimPolicy, corev1.PersistentVolumeReclaimDelete)
	setOnce(&c.VolumeBindingMode, storagev1.VolumeBindingImmediate)
}

func csiDriver(d *storagev1.CSIDriver) {
	spec := &d.Spec
	setOnce(&spec.AttachRequired, true)
	setOnce(&spec.PodInfoOnMount, false)
	setOnce(&spec.StorageCapacity, false)
	setOnce(&spec.RequiresRepublish, false)
	setOnce(&spec.SELinuxMount, false)
	setOnce(&spec.FSGroupPolicy, storagev1.ReadWriteOnceWithFSTypeFSGroupPolicy)
	if len(spec.VolumeLifecycleModes) == 0 {
		spec.VolumeLifecycleModes = []storagev1.VolumeLifecycleMode{storagev1.VolumeLifecyclePersistent}
	}
}
