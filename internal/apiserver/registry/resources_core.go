package registry

import (
	corev1 "k8s.io/api/core/v1"
	eventsv1 "k8s.io/api/events/v1"
	apivalidation "k8s.io/apimachinery/pkg/api/validation"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apiserver/pkg/registry/rest"

	"example.com/gatehouse/internal/apiserver/validation"
)

// inAll returns the category "all".
func inAll() []string { return []string{"all"} }

// coreResources are namespaces and most namespaced resources of the core group.
func coreResources() []Resource {
	v1 := corev1.SchemeGroupVersion
	return []Resource{
		{
			GroupVersionKind: v1.WithKind("Namespace"), Plural: "namespaces", ShortNames: []string{"ns"},
			validateName:     apivalidation.ValidateNamespaceName,
			prepareForCreate: prepareNamespaceForCreate, prepareForUpdate: keepNamespaceFinalizers,
			canonicalize: setNamespaceLabel, selectableFields: namespaceFields,
			storeOptions: setNamespaceStoreOptions, wrapStorage: newNamespaceREST,
			subresources: subresources{"namespaces/finalize": newFinalizeREST},
		},
		podResource(),
		{
			GroupVersionKind: v1.WithKind("ConfigMap"), Plural: "configmaps",
			ShortNames: []string{"cm"}, NamespaceScoped: true, validate: validation.ConfigMap,
		},
		{
			GroupVersionKind: v1.WithKind("Secret"), Plural: "secrets", NamespaceScoped: true,
			validate: validation.Secret, selectableFields: secretFields,
		},
		{
			GroupVersionKind: v1.WithKind("Service"), Plural: "services", ShortNames: []string{"svc"},
			Categories: inAll(), NamespaceScoped: true, allowCreateOnUpdate: true,
			validateName: apivalidation.NameIsDNSLabel, validate: validation.Service,
			prepareForCreate: prepareServiceForCreate, prepareForUpdate: prepareServiceForUpdate,
			selectableFields: serviceFields, storeOptions: returnDeletedObject,
			subresources: subresources{"services/proxy": newProxyREST(&corev1.ServiceProxyOptions{})},
		},
		{
			GroupVersionKind: v1.WithKind("Endpoints"), Plural: "endpoints",
			ShortNames: []string{"ep"}, NamespaceScoped: true, allowCreateOnUpdate: true,
		},
		{
			GroupVersionKind: v1.WithKind("ServiceAccount"), Plural: "serviceaccounts",
			ShortNames: []string{"sa"}, NamespaceScoped: true, storeOptions: returnDeletedObject,
		},
		{
			GroupVersionKind: v1.WithKind("Event"), Plural: "events",
			OtherVersions: []schema.GroupVersion{eventsv1.SchemeGroupVersion},
			ShortNames:    []string{"ev"}, NamespaceScoped: true, allowCreateOnUpdate: true,
			selectableFields: eventFields, deletePolicy: rest.Unsupported, uncached: true,
		},
	}
}

func podResource() Resource {
	return Resource{
		GroupVersionKind: corev1.SchemeGroupVersion.WithKind("Pod"), Plural: "pods",
		ShortNames: []string{"po"}, Categories: inAll(), NamespaceScoped: true,
		bumpsGeneration: specChanged, validate: validation.Pod,
		prepareForCreate: preparePodForCreate, selectableFields: podFields,
		gracePeriod: podGracePeriod, storeOptions: returnDeletedObject,
		subresources: subresources{
			"bindings":                 newLegacyBindingREST,
			"pods/binding":             newBindingREST,
			"pods/eviction":            newEvictionREST,
			"pods/ephemeralcontainers": newEphemeralContainersREST,
			"pods/resize":              newResizeREST,
			"pods/exec":                newConnectREST(&corev1.PodExecOptions{}),
			"pods/log":                 newLogREST,
			"pods/attach":              newConnectREST(&corev1.PodAttachOptions{}),
			"pods/portforward":         newConnectREST(&corev1.PodPortForwardOptions{}),
			"pods/proxy":               newProxyREST(&corev1.PodProxyOptions{}),
		},
	}
}

// clusterResources are the other resources of the core group.
func clusterResources() []Resource {
	v1 := corev1.SchemeGroupVersion
	return []Resource{
		{
			GroupVersionKind: v1.WithKind("Node"), Plural: "nodes", ShortNames: []string{"no"},
			prepareForCreate: keepNodeStatus, selectableFields: nodeFields,
			subresources: subresources{"nodes/proxy": newProxyREST(&corev1.NodeProxyOptions{})},
		},
		{
			GroupVersionKind: v1.WithKind("PersistentVolume"), Plural: "persistentvolumes",
			ShortNames: []string{"pv"}, prepareForCreate: prepareVolumeForCreate,
			storeOptions: returnDeletedObject, validate: validation.Volume,
		},
		{
			GroupVersionKind: v1.WithKind("PersistentVolumeClaim"), Plural: "persistentvolumeclaims",
			ShortNames: []string{"pvc"}, NamespaceScoped: true, prepareForCreate: prepareClaimForCreate,
			storeOptions: returnDeletedObject, validate: validation.Claim,
		},
		{
			GroupVersionKind: v1.WithKind("ReplicationController"), Plural: "replicationcontrollers",
			ShortNames: []string{"rc"}, Categories: inAll(), NamespaceScoped: true,
			bumpsGeneration: specChanged, validate: validation.ReplicationController, workload: true,
			selectableFields: replicaFields, deletePolicy: rest.OrphanDependents, uncached: true,
			subresources: subresources{"replicationcontrollers/scale": newScaleREST},
		},
		{
			GroupVersionKind: v1.WithKind("PodTemplate"), Plural: "podtemplates", NamespaceScoped: true,
			allowCreateOnUpdate: true, bumpsGeneration: podTemplateChanged,
			validate: validation.PodTemplate, storeOptions: returnDeletedObject, uncached: true,
		},
		{
			GroupVersionKind: v1.WithKind("ResourceQuota"), Plural: "resourcequotas",
			ShortNames: []string{"quota"}, NamespaceScoped: true,
			storeOptions: returnDeletedObject, uncached: true,
		},
		{
			GroupVersionKind: v1.WithKind("LimitRange"), Plural: "limitranges",
			ShortNames: []string{"limits"}, NamespaceScoped: true, allowCreateOnUpdate: true,
			uncached: true,
		},
	}
}
