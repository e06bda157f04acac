package apiserver

import (
	"cmp"
	"strings"

	corev1 "k8s.io/api/core/v1"
	storagev1 "k8s.io/api/storage/v1"
)

func volumeColumns() []column {
	return append(aged(
		text("Capacity", func(v *corev1.PersistentVolume) string { return capacity(v.Spec.Capacity) }),
		text("Access Modes", func(v *corev1.PersistentVolume) string { return accessModes(v.Spec.AccessModes) }),
		text("Reclaim Policy", func(v *corev1.PersistentVolume) string { return string(v.Spec.PersistentVolumeReclaimPolicy) }),
		text("Status", func(v *corev1.PersistentVolume) string {
			if v.DeletionTimestamp != nil {
				return "Terminating"
			}
			return string(v.Status.Phase)
		}),
		text("Claim", func(v *corev1.PersistentVolume) string {
			if v.Spec.ClaimRef == nil {
				return ""
			}
			return v.Spec.ClaimRef.Namespace + "/" + v.Spec.ClaimRef.Name
		}),
		text("StorageClass", func(v *corev1.PersistentVolume) string { return v.Spec.StorageClassName }),
		text("VolumeAttributesClass", func(v *corev1.PersistentVolume) string {
			return cmp.Or(orZero(v.Spec.VolumeAttributesClassName), "<unset>")
		}),
		text("Reason", func(v *corev1.PersistentVolume) string { return v.Status.Reason }),
	), wide(text("VolumeMode", func(v *corev1.PersistentVolume) string { return volumeMode(v.Spec.VolumeMode) }))...)
}

func claimColumns() []column {
	return append(aged(
		text("Status", func(c *corev1.PersistentVolumeClaim) string {
			if c.DeletionTimestamp != nil {
				return "Terminating"
			}
			return string(c.Status.Phase)
		}),
		text("Volume", func(c *corev1.PersistentVolumeClaim) string { return c.Spec.VolumeName }),
		text("Capacity", func(c *corev1.PersistentVolumeClaim) string {
			if c.Spec.VolumeName == "" {
				return ""
			}
			return capacity(c.Status.Capacity)
		}),
		text("Access Modes", func(c *corev1.PersistentVolumeClaim) string {
			if c.Spec.VolumeName == "" {
				return ""
			}
			return accessModes(c.Status.AccessModes)
		}),
		text("StorageClass", func(c *corev1.PersistentVolumeClaim) string { return orZero(c.Spec.StorageClassName) }),
		text("VolumeAttributesClass", func(c *corev1.PersistentVolumeClaim) string {
			return cmp.Or(orZero(c.Spec.VolumeAttributesClassName), "<unset>")
		}),
	), wide(text("VolumeMode", func(c *corev1.PersistentVolumeClaim) string { return volumeMode(c.Spec.VolumeMode) }))...)
}

func capacity(all corev1.ResourceList) string {
	size := all[corev1.ResourceStorage]
	return size.String()
}

func volumeMode(mode *corev1.PersistentVolumeMode) string {
	return cmp.Or(string(orZero(mode)), "<unset>")
}

// accessModes are abbreviated.
func accessModes(modes []corev1.PersistentVolumeAccessMode) string {
	short := map[corev1.PersistentVolumeAccessMode]string{
		corev1.ReadWriteOnce: "RWO", corev1.ReadOnlyMany: "ROX", corev1.ReadWriteMany: "RWX", corev1.ReadWriteOncePod: "RWOP",
	}
	var all []string
	for _, mode := range modes {
		all = append(all, cmp.Or(short[mode], string(mode)))
	}
	return strings.Join(all, ",")
}

func storageClassColumns() []column {
	return aged(
		text("Provisioner", func(c *storagev1.StorageClass) string { return c.Provisioner }),
		text("ReclaimPolicy", func(c *storagev1.StorageClass) string {
			return cmp.Or(string(orZero(c.ReclaimPolicy)), string(corev1.PersistentVolumeReclaimDelete))
		}),
		text("VolumeBindingMode", func(c *storagev1.StorageClass) string { return cmp.Or(string(orZero(c.VolumeBindingMode)), "<unset>") }),
		truth("AllowVolumeExpansion", func(c *storagev1.StorageClass) bool { return orZero(c.AllowVolumeExpansion) }),
	)
}
