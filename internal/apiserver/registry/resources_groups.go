package registry

import (
	"strings"

	registrationv1 "k8s.io/api/admissionregistration/v1"
	appsv1 "k8s.io/api/apps/v1"
	autoscalingv1 "k8s.io/api/autoscaling/v1"
	autoscalingv2 "k8s.io/api/autoscaling/v2"
	batchv1 "k8s.io/api/batch/v1"
	coordinationv1 "k8s.io/api/coordination/v1"
	discoveryv1 "k8s.io/api/discovery/v1"
	flowcontrolv1 "k8s.io/api/flowcontrol/v1"
	networkingv1 "k8s.io/api/networking/v1"
	policyv1 "k8s.io/api/policy/v1"
	rbacv1 "k8s.io/api/rbac/v1"
	schedulingv1 "k8s.io/api/scheduling/v1"
	"k8s.io/apimachinery/pkg/api/validate/content"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apiserver/pkg/registry/rest"

	"example.com/gatehouse/internal/apiserver/rbac"
	"example.com/gatehouse/internal/apiserver/validation"
)

func workloadResources() []Resource {
	apps, batch := appsv1.SchemeGroupVersion, batchv1.SchemeGroupVersion
	return []Resource{
		{
			GroupVersionKind: apps.WithKind("Deployment"), Plural: "deployments",
			ShortNames: []string{"deploy"}, Categories: inAll(), NamespaceScoped: true,
			bumpsGeneration: deploymentChanged, validate: validation.Workload, workload: true,
			subresources: subresources{"deployments/scale": newScaleREST},
		},
		{
			GroupVersionKind: apps.WithKind("ReplicaSet"), Plural: "replicasets",
			ShortNames: []string{"rs"}, Categories: inAll(), NamespaceScoped: true,
			bumpsGeneration: specChanged, validate: validation.Workload, selectableFields: replicaFields,
			workload:     true,
			subresources: subresources{"replicasets/scale": newScaleREST},
		},
		{
			GroupVersionKind: apps.WithKind("StatefulSet"), Plural: "statefulsets",
			ShortNames: []string{"sts"}, Categories: inAll(), NamespaceScoped: true,
			bumpsGeneration: specChanged, validate: validation.StatefulSet, workload: true,
			subresources: subresources{"statefulsets/scale": newScaleREST},
		},
		{
			GroupVersionKind: apps.WithKind("DaemonSet"), Plural: "daemonsets",
			ShortNames: []string{"ds"}, Categories: inAll(), NamespaceScoped: true,
			bumpsGeneration: specChanged, validate: validation.Workload, workload: true,
		},
		{
			GroupVersionKind: apps.WithKind("ControllerRevision"), Plural: "controllerrevisions",
			NamespaceScoped: true, uncached: true,
		},
		{
			GroupVersionKind: autoscalingv2.SchemeGroupVersion.WithKind("HorizontalPodAutoscaler"),
			OtherVersions:    []schema.GroupVersion{autoscalingv1.SchemeGroupVersion},
			Plural:           "horizontalpodautoscalers", ShortNames: []string{"hpa"},
			Categories: inAll(), NamespaceScoped: true,
		},
		{
			GroupVersionKind: batch.WithKind("Job"), Plural: "jobs",
			Categories: inAll(), NamespaceScoped: true, bumpsGeneration: specChanged,
			prepareForCreate: prepareJobForCreate, validate: validation.Job, selectableFields: jobFields,
			workload: true, deletePolicy: rest.OrphanDependents, wrapStorage: newJobREST,
		},
		{
			GroupVersionKind: batch.WithKind("CronJob"), Plural: "cronjobs",
			ShortNames: []string{"cj"}, Categories: inAll(), NamespaceScoped: true,
			bumpsGeneration: specChanged, validate: validation.CronJob, workload: true,
		},
	}
}

func networkResources() []Resource {
	networking := networkingv1.SchemeGroupVersion
	return []Resource{
		{
			GroupVersionKind: coordinationv1.SchemeGroupVersion.WithKind("Lease"), Plural: "leases",
			NamespaceScoped: true, allowCreateOnUpdate: true, requireResourceVersion: true,
		},
		{
			GroupVersionKind: discoveryv1.SchemeGroupVersion.WithKind("EndpointSlice"),
			Plural:           "endpointslices", NamespaceScoped: true, bumpsGeneration: endpointSliceChanged,
		},
		{
			GroupVersionKind: networking.WithKind("Ingress"), Plural: "ingresses",
			ShortNames: []string{"ing"}, NamespaceScoped: true, bumpsGeneration: specChanged,
		},
		{
			GroupVersionKind: networking.WithKind("IngressClass"), Plural: "ingressclasses",
			bumpsGeneration: specChanged, uncached: true,
		},
		{
			GroupVersionKind: networking.WithKind("NetworkPolicy"), Plural: "networkpolicies",
			ShortNames: []string{"netpol"}, NamespaceScoped: true, bumpsGeneration: specChanged,
		},
	}
}

func policyResources() []Resource {
	v1 := rbacv1.SchemeGroupVersion
	return []Resource{
		{
			GroupVersionKind: policyv1.SchemeGroupVersion.WithKind("PodDisruptionBudget"),
			Plural:           "poddisruptionbudgets", ShortNames: []string{"pdb"}, NamespaceScoped: true,
			requireResourceVersion: true, bumpsGeneration: specChanged,
		},
		{
			GroupVersionKind: v1.WithKind("Role"), Plural: "roles", NamespaceScoped: true,
			allowCreateOnUpdate: true, validateName: validateRoleName, initialObjects: rbac.Roles,
		},
		{
			GroupVersionKind: v1.WithKind("RoleBinding"), Plural: "rolebindings", NamespaceScoped: true,
			allowCreateOnUpdate: true, validateName: validateRoleName, validate: validation.RoleBinding,
			initialObjects: rbac.RoleBindings,
		},
		{
			GroupVersionKind: v1.WithKind("ClusterRole"), Plural: "clusterroles",
			allowCreateOnUpdate: true, validateName: validateRoleName, initialObjects: rbac.ClusterRoles,
		},
		{
			GroupVersionKind: v1.WithKind("ClusterRoleBinding"), Plural: "clusterrolebindings",
			allowCreateOnUpdate: true, validateName: validateRoleName, validate: validation.RoleBinding,
			initialObjects: rbac.ClusterRoleBindings,
		},
		{
			GroupVersionKind: schedulingv1.SchemeGroupVersion.WithKind("PriorityClass"),
			Plural:           "priorityclasses", ShortNames: []string{"pc"}, bumpsGeneration: never,
			initialObjects: initialPriorityClasses, wrapStorage: newPriorityClassREST,
			validate: validation.PriorityClass, uncached: true,
		},
	}
}

// flowControlResources are read by aggregated API servers, which limit their
// requests accordingly. This server does not.
func flowControlResources() []Resource {
	v1 := flowcontrolv1.SchemeGroupVersion
	return []Resource{
		{
			GroupVersionKind: v1.WithKind("FlowSchema"), Plural: "flowschemas",
			bumpsGeneration: specChanged, initialObjects: initialFlowSchemas,
		},
		{
			GroupVersionKind: v1.WithKind("PriorityLevelConfiguration"),
			Plural:           "prioritylevelconfigurations", bumpsGeneration: specChanged,
			initialObjects: initialPriorityLevels,
		},
	}
}

func webhookResources() []Resource {
	v1 := registrationv1.SchemeGroupVersion
	return []Resource{
		{
			GroupVersionKind: v1.WithKind("MutatingWebhookConfiguration"),
			Plural:           "mutatingwebhookconfigurations", Categories: []string{"api-extensions"},
			requireResourceVersion: true, bumpsGeneration: webhooksChanged,
			validateAll: validateWebhookConfiguration, warnings: webhookConfigurationWarnings,
		},
		{
			GroupVersionKind: v1.WithKind("ValidatingWebhookConfiguration"),
			Plural:           "validatingwebhookconfigurations", Categories: []string{"api-extensions"},
			requireResourceVersion: true, bumpsGeneration: webhooksChanged,
			validateAll: validateWebhookConfiguration, warnings: webhookConfigurationWarnings,
		},
	}
}

func admissionPolicyResources() []Resource {
	var all []Resource
	for _, kind := range []string{
		"ValidatingAdmissionPolicy", "ValidatingAdmissionPolicyBinding",
		"MutatingAdmissionPolicy", "MutatingAdmissionPolicyBinding",
	} {
		plural := strings.ToLower(kind) + "s"
		if stem, ok := strings.CutSuffix(plural, "ys"); ok {
			plural = stem + "ies"
		}
		all = append(all, Resource{
			GroupVersionKind: registrationv1.SchemeGroupVersion.WithKind(kind),
			Plural:           plural, Categories: []string{"api-extensions"},
			requireResourceVersion: true, bumpsGeneration: specChanged,
			validateAll: validatePolicy, warnings: policyWarnings,
		})
	}
	return all
}

// validateRoleName allows every name that is a path segment, such as
// "system:node".
func validateRoleName(name string, prefix bool) []string {
	if prefix {
		return content.IsPathSegmentPrefix(name)
	}
	return content.IsPathSegmentName(name)
}
