package defaults

import (
	corev1 "k8s.io/api/core/v1"
	storagev1 "k8s.io/api/storage/v1"
	storagev1beta1 "k8s.io/api/storage/v1beta1"
)

func storageClass(c *storagev1.StorageClass) {
	setOnce(&c.ReclaimPolicy, corev1.PersistentVolumeReclaimDelete)
	setOnce(&c.VolumeBindingMode, storagev1.VolumeBindingImmediate)
}

func storageClassBeta(c *storagev1beta1.StorageClass) {
	setOnce(&c.ReclaimPolicy, corev1.PersistentVolumeReclaimDelete)
	setOnce(&c.VolumeBindingMode, storagev1beta1.VolumeBindingImmediate)
}

func csiDriver(d *storagev1.CSIDriver) {
	spec := &d.Spec
	csiSwitches(&spec.AttachRequired, &spec.PodInfoOnMount, &spec.StorageCapacity, &spec.RequiresRepublish, &spec.SELinuxMount)
	setOnce(&spec.FSGroupPolicy, storagev1.ReadWriteOnceWithFSTypeFSGroupPolicy)
	if len(spec.VolumeLifecycleModes) == 0 {
		spec.VolumeLifecycleModes = []storagev1.VolumeLifecycleMode{storagev1.VolumeLifecyclePersistent}
	}
}

func csiDriverBeta(d *storagev1beta1.CSIDriver) {
	spec := &d.Spec
	csiSwitches(&spec.AttachRequired, &spec.PodInfoOnMount, &spec.StorageCapacity, &spec.RequiresRepublish, &spec.SELinuxMount)
	setOnce(&spec.FSGroupPolicy, storagev1beta1.ReadWriteOnceWithFSTypeFSGroupPolicy)
	if len(spec.VolumeLifecycleModes) == 0 {
		spec.VolumeLifecycleModes = []storagev1beta1.VolumeLifecycleMode{storagev1beta1.VolumeLifecyclePersistent}
	}
}

// csiSwitches has a driver attach volumes, and do nothing else of its own accord.
func csiSwitches(attach **bool, off ...**bool) {
	setOnce(attach, true)
	for _, o := range off {
		setOnce(o, false)
	}
}
