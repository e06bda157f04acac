package registry

import (
	resourcev1 "k8s.io/api/resource/v1"
	storagev1 "k8s.io/api/storage/v1"
	storagemigrationv1 "k8s.io/api/storagemigration/v1"
)

func storageResources() []Resource {
	v1 := storagev1.SchemeGroupVersion
	return []Resource{
		{
			GroupVersionKind: v1.WithKind("StorageClass"),
			Plural:           "storageclasses", ShortNames: []string{"sc"},
			storeOptions: returnDeletedObject, uncached: true,
		},
		{
			GroupVersionKind: v1.WithKind("VolumeAttachment"), Plural: "volumeattachments",
			requireResourceVersion: true,
			storeOptions:           returnDeletedObject, uncached: true,
		},
		{
			GroupVersionKind: v1.WithKind("CSIDriver"), Plural: "csidrivers",
			requireResourceVersion: true, bumpsGeneration: specChanged,
			storeOptions: returnDeletedObject, uncached: true,
		},
		{
			GroupVersionKind: v1.WithKind("CSINode"), Plural: "csinodes",
			requireResourceVersion: true,
			storeOptions:           returnDeletedObject, uncached: true,
		},
		{
			GroupVersionKind: v1.WithKind("CSIStorageCapacity"), Plural: "csistoragecapacities",
			NamespaceScoped: true, requireResourceVersion: true, uncached: true,
		},
		{
			GroupVersionKind: v1.WithKind("VolumeAttributesClass"), Plural: "volumeattributesclasses",
			ShortNames: []string{"vac"}, uncached: true,
		},
		{
			GroupVersionKind: storagemigrationv1.SchemeGroupVersion.WithKind("StorageVersionMigration"),
			Plural:           "storageversionmigrations", requireResourceVersion: true, uncached: true,
		},
	}
}

// deviceResources are those of dynamic resource allocation. No scheduler
// allocates claims.
func deviceResources() []Resource {
	v1 := resourcev1.SchemeGroupVersion
	return []Resource{
		{
			GroupVersionKind: v1.WithKind("ResourceClaim"), Plural: "resourceclaims",
			NamespaceScoped: true,
			storeOptions:    returnDeletedObject, uncached: true,
		},
		{
			GroupVersionKind: v1.WithKind("ResourceClaimTemplate"), Plural: "resourceclaimtemplates",
			NamespaceScoped: true,
			storeOptions:    returnDeletedObject, uncached: true,
		},
		{
			GroupVersionKind: v1.WithKind("DeviceClass"), Plural: "deviceclasses",
			bumpsGeneration: specChanged,
			storeOptions:    returnDeletedObject, uncached: true,
		},
		{
			GroupVersionKind: v1.WithKind("ResourceSlice"), Plural: "resourceslices",
			bumpsGeneration: specChanged, selectableFields: sliceFields,
			storeOptions: returnDeletedObject, uncached: true,
		},
		{
			GroupVersionKind: v1.WithKind("DeviceTaintRule"), Plural: "devicetaintrules",
			bumpsGeneration: specChanged, uncached: true,
		},
	}
}
