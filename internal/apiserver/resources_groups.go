package apiserver

import (
	registrationv1 "k8s.io/api/admissionregistration/v1"
	appsv1 "k8s.io/api/apps/v1"
	autoscalingv1 "k8s.io/api/autoscaling/v1"
	autoscalingv2 "k8s.io/api/autoscaling/v2"
	batchv1 "k8s.io/api/batch/v1"
	coordinationv1 "k8s.io/api/coordination/v1"
	discoveryv1 "k8s.io/api/discovery/v1"
	networkingv1 "k8s.io/api/networking/v1"
	policyv1 "k8s.io/api/policy/v1"
	rbacv1 "k8s.io/api/rbac/v1"
	schedulingv1 "k8s.io/api/scheduling/v1"
	storagev1 "k8s.io/api/storage/v1"
	"k8s.io/apimachinery/pkg/runtime/schema"
)

// workloads are what has pods made.
func workloads() []resource {
	apps, batch := appsv1.SchemeGroupVersion, batchv1.SchemeGroupVersion
	return []resource{
		{
			version: apps, kind: "Deployment", plural: "deployments", short: []string{"deploy"}, categories: inAll(), scope: namespaced, puts: mayForce,
			counts: deploymentChanged, check: checkWorkload, columns: deploymentColumns(), beside: beside{"deployments/scale": newScale},
		},
		{
			version: apps, kind: "ReplicaSet", plural: "replicasets", short: []string{"rs"}, categories: inAll(), scope: namespaced, puts: mayForce,
			counts: specChanged, check: checkWorkload, fields: replicaFields(), columns: replicaSetColumns(), beside: beside{"replicasets/scale": newScale},
		},
		{
			version: apps, kind: "StatefulSet", plural: "statefulsets", short: []string{"sts"}, categories: inAll(), scope: namespaced, puts: mayForce,
			counts: specChanged, check: checkWorkload, columns: statefulSetColumns(), beside: beside{"statefulsets/scale": newScale},
		},
		{
			version: apps, kind: "DaemonSet", plural: "daemonsets", short: []string{"ds"}, categories: inAll(), scope: namespaced, puts: mayForce,
			counts: specChanged, check: checkWorkload, columns: daemonSetColumns(),
		},
		{version: apps, kind: "ControllerRevision", plural: "controllerrevisions", scope: namespaced, puts: mayForce, columns: revisionColumns()},
		{
			version: autoscalingv2.SchemeGroupVersion, also: []schema.GroupVersion{autoscalingv1.SchemeGroupVersion}, kind: "HorizontalPodAutoscaler", plural: "horizontalpodautoscalers",
			short: []string{"hpa"}, categories: inAll(), scope: namespaced, puts: mayForce, columns: autoscalerColumns(),
		},
		{
			version: batch, kind: "Job", plural: "jobs", categories: inAll(), scope: namespaced, puts: mayForce,
			counts: specChanged, born: bornJob, check: checking(checkJob), fields: jobFields(), columns: jobColumns(),
		},
		{
			version: batch, kind: "CronJob", plural: "cronjobs", short: []string{"cj"}, categories: inAll(), scope: namespaced, puts: mayForce,
			counts: specChanged, check: checking(checkCronJob), columns: cronJobColumns(),
		},
	}
}

// networks are how programs find each other.
func networks() []resource {
	networking := networkingv1.SchemeGroupVersion
	return []resource{
		{version: coordinationv1.SchemeGroupVersion, kind: "Lease", plural: "leases", scope: namespaced, puts: mayCreate, columns: leaseColumns()},
		{version: discoveryv1.SchemeGroupVersion, kind: "EndpointSlice", plural: "endpointslices", scope: namespaced, puts: mayForce, counts: sliceChanged, columns: sliceColumns()},
		{version: networking, kind: "Ingress", plural: "ingresses", short: []string{"ing"}, scope: namespaced, puts: mayForce, counts: specChanged, columns: ingressColumns()},
		{version: networking, kind: "IngressClass", plural: "ingressclasses", scope: clusterWide, puts: mayForce, counts: specChanged, columns: ingressClassColumns()},
		{version: networking, kind: "NetworkPolicy", plural: "networkpolicies", short: []string{"netpol"}, scope: namespaced, puts: mayForce, counts: specChanged, columns: networkPolicyColumns()},
	}
}

// policies are what clusters decide by. Here nothing does.
func policies() []resource {
	rbac := rbacv1.SchemeGroupVersion
	return []resource{
		{version: policyv1.SchemeGroupVersion, kind: "PodDisruptionBudget", plural: "poddisruptionbudgets", short: []string{"pdb"}, scope: namespaced, puts: careful, counts: specChanged, columns: budgetColumns()},
		{version: rbac, kind: "Role", plural: "roles", scope: namespaced, puts: mayForce | mayCreate, name: nameOfRole},
		{version: rbac, kind: "RoleBinding", plural: "rolebindings", scope: namespaced, puts: mayForce | mayCreate, name: nameOfRole, check: checking(checkRoleBinding), columns: roleBindingColumns()},
		{version: rbac, kind: "ClusterRole", plural: "clusterroles", scope: clusterWide, puts: mayForce | mayCreate, name: nameOfRole},
		{version: rbac, kind: "ClusterRoleBinding", plural: "clusterrolebindings", scope: clusterWide, puts: mayForce | mayCreate, name: nameOfRole, check: checking(checkClusterRoleBinding), columns: clusterRoleBindingColumns()},
		{version: schedulingv1.SchemeGroupVersion, kind: "PriorityClass", plural: "priorityclasses", short: []string{"pc"}, scope: clusterWide, puts: mayForce, counts: never, columns: priorityClassColumns()},
		{version: storagev1.SchemeGroupVersion, kind: "StorageClass", plural: "storageclasses", short: []string{"sc"}, scope: clusterWide, puts: mayForce, columns: storageClassColumns()},
	}
}

func registrations() []resource {
	v1, extensions := registrationv1.SchemeGroupVersion, []string{"api-extensions"}
	return []resource{
		{version: v1, kind: "MutatingWebhookConfiguration", plural: "mutatingwebhookconfigurations", categories: extensions, scope: clusterWide, puts: careful, counts: mutatingChanged, rules: configurations{}, columns: mutatingColumns()},
		{version: v1, kind: "ValidatingWebhookConfiguration", plural: "validatingwebhookconfigurations", categories: extensions, scope: clusterWide, puts: careful, counts: validatingChanged, rules: configurations{}, columns: validatingColumns()},
	}
}
