package apiserver

import (
	corev1 "k8s.io/api/core/v1"
	eventsv1 "k8s.io/api/events/v1"
	"k8s.io/apimachinery/pkg/api/validation"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apiserver/pkg/registry/rest"
)

// coreResources are those of the core group that people write.
func coreResources() []resource {
	v1 := corev1.SchemeGroupVersion
	return []resource{
		{
			version: v1, kind: "Namespace", plural: "namespaces", short: []string{"ns"}, scope: clusterWide, puts: mayForce,
			name: validation.ValidateNamespaceName, born: bornNamespace, kept: keepNamespaceFinalizers, complete: labelNamespace,
			fields: namespaceFields(), columns: namespaceColumns(), tune: tuneNamespaces, front: newNamespaces,
			beside: beside{"namespaces/finalize": newFinalize},
		},
		{
			version: v1, kind: "Pod", plural: "pods", short: []string{"po"}, categories: inAll(), scope: namespaced, puts: mayForce,
			counts: specChanged, check: checking(checkPod), born: bornPod, fields: podFields(), columns: podColumns(),
			beside: beside{
				"bindings":                 newBindings,
				"pods/binding":             newBinding,
				"pods/eviction":            newEviction,
				"pods/ephemeralcontainers": newEphemeralContainers,
				"pods/resize":              newResize,
				"pods/exec":                connecting(func() runtime.Object { return &corev1.PodExecOptions{} }),
				"pods/attach":              connecting(func() runtime.Object { return &corev1.PodAttachOptions{} }),
				"pods/portforward":         connecting(func() runtime.Object { return &corev1.PodPortForwardOptions{} }),
				"pods/proxy":               proxying(func() runtime.Object { return &corev1.PodProxyOptions{} }),
			},
		},
		{version: v1, kind: "ConfigMap", plural: "configmaps", short: []string{"cm"}, scope: namespaced, puts: mayForce, check: checking(checkConfigMap), columns: configMapColumns()},
		{version: v1, kind: "Secret", plural: "secrets", scope: namespaced, puts: mayForce, check: checking(checkSecret), fields: secretFields(), columns: secretColumns()},
		{
			version: v1, kind: "Service", plural: "services", short: []string{"svc"}, categories: inAll(), scope: namespaced, puts: mayForce | mayCreate,
			name: validation.NameIsDNSLabel, check: checking(checkService), fields: serviceFields(), columns: serviceColumns(), tune: giveAddresses,
			beside: beside{"services/proxy": proxying(func() runtime.Object { return &corev1.ServiceProxyOptions{} })},
		},
		{version: v1, kind: "Endpoints", plural: "endpoints", short: []string{"ep"}, scope: namespaced, puts: mayForce | mayCreate, columns: endpointsColumns()},
		{
			version: v1, kind: "ServiceAccount", plural: "serviceaccounts", short: []string{"sa"}, scope: namespaced, puts: mayForce,
			columns: serviceAccountColumns(), beside: beside{"serviceaccounts/token": newTokens},
		},
		{
			version: v1, also: []schema.GroupVersion{eventsv1.SchemeGroupVersion}, kind: "Event", plural: "events", short: []string{"ev"},
			scope: namespaced, puts: mayForce | mayCreate, fields: eventFields(), columns: eventColumns(),
		},
	}
}

// clusterResources are those of the core group about the cluster and what it
// leaves to its users.
func clusterResources() []resource {
	v1 := corev1.SchemeGroupVersion
	return []resource{
		{
			version: v1, kind: "Node", plural: "nodes", short: []string{"no"}, scope: clusterWide, puts: mayForce,
			born: bornNode, fields: nodeFields(), columns: nodeColumns(),
			beside: beside{"nodes/proxy": proxying(func() runtime.Object { return &corev1.NodeProxyOptions{} })},
		},
		{version: v1, kind: "PersistentVolume", plural: "persistentvolumes", short: []string{"pv"}, scope: clusterWide, puts: mayForce, born: bornVolume, columns: volumeColumns()},
		{version: v1, kind: "PersistentVolumeClaim", plural: "persistentvolumeclaims", short: []string{"pvc"}, scope: namespaced, puts: mayForce, born: bornClaim, columns: claimColumns()},
		{
			version: v1, kind: "ReplicationController", plural: "replicationcontrollers", short: []string{"rc"}, categories: inAll(), scope: namespaced, puts: mayForce,
			counts: specChanged, check: checking(checkReplicationController), fields: replicaFields(), columns: replicationControllerColumns(),
			beside: beside{"replicationcontrollers/scale": newScale},
		},
		{version: v1, kind: "PodTemplate", plural: "podtemplates", scope: namespaced, puts: mayForce | mayCreate, counts: podTemplateChanged, check: checking(checkPodTemplate), columns: podTemplateColumns()},
		{version: v1, kind: "ResourceQuota", plural: "resourcequotas", short: []string{"quota"}, scope: namespaced, puts: mayForce, columns: ageOnly()},
		{version: v1, kind: "LimitRange", plural: "limitranges", short: []string{"limits"}, scope: namespaced, puts: mayForce | mayCreate},
	}
}

type beside = map[string]func(store) rest.Storage

// inAll are the categories of what belongs to an application.
func inAll() []string { return []string{"all"} }
