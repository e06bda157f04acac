package convert

import (
	storagev1 "k8s.io/api/storage/v1"
	storagev1alpha1 "k8s.io/api/storage/v1alpha1"
	storagev1beta1 "k8s.io/api/storage/v1beta1"
	"k8s.io/apimachinery/pkg/runtime"
)

// storages are the kinds of the group storage.k8s.io, which never changed shape.
func storages() []family {
	v1, beta, alpha := storagev1.SchemeGroupVersion, storagev1beta1.SchemeGroupVersion, storagev1alpha1.SchemeGroupVersion
	return []family{
		{kind: "StorageClass", resource: "storageclasses", versions: []version{
			same(v1, (*storagev1.StorageClass)(nil)), same(beta, (*storagev1beta1.StorageClass)(nil)),
		}, hub: func() runtime.Object { return &storagev1.StorageClass{} }},
		{kind: "CSIDriver", resource: "csidrivers", versions: []version{
			same(v1, (*storagev1.CSIDriver)(nil)), same(beta, (*storagev1beta1.CSIDriver)(nil)),
		}, hub: func() runtime.Object { return &storagev1.CSIDriver{} }},
		{kind: "CSINode", resource: "csinodes", versions: []version{
			same(v1, (*storagev1.CSINode)(nil)), same(beta, (*storagev1beta1.CSINode)(nil)),
		}, hub: func() runtime.Object { return &storagev1.CSINode{} }},
		{kind: "VolumeAttachment", resource: "volumeattachments", versions: []version{
			same(v1, (*storagev1.VolumeAttachment)(nil)), same(beta, (*storagev1beta1.VolumeAttachment)(nil)),
			same(alpha, (*storagev1alpha1.VolumeAttachment)(nil)),
		}, hub: func() runtime.Object { return &storagev1.VolumeAttachment{} }},
		{kind: "CSIStorageCapacity", resource: "csistoragecapacities", versions: []version{
			same(v1, (*storagev1.CSIStorageCapacity)(nil)), same(beta, (*storagev1beta1.CSIStorageCapacity)(nil)),
			same(alpha, (*storagev1alpha1.CSIStorageCapacity)(nil)),
		}, hub: func() runtime.Object { return &storagev1.CSIStorageCapacity{} }},
		{kind: "VolumeAttributesClass", resource: "volumeattributesclasses", versions: []version{
			same(v1, (*storagev1.VolumeAttributesClass)(nil)), same(beta, (*storagev1beta1.VolumeAttributesClass)(nil)),
			same(alpha, (*storagev1alpha1.VolumeAttributesClass)(nil)),
		}, hub: func() runtime.Object { return &storagev1.VolumeAttributesClass{} }},
	}
}
