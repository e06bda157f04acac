package snapshot

import (
	admissionregistrationv1 "k8s.io/api/admissionregistration/v1"
	appsv1 "k8s.io/api/apps/v1"
	discoveryv1 "k8s.io/api/discovery/v1"
	policyv1 "k8s.io/api/policy/v1"
	rbacv1 "k8s.io/api/rbac/v1"
	apiextensionsv1 "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"
	"k8s.io/apimachinery/pkg/runtime/schema"
)

// kind is a kind that a snapshot has all objects of.
type kind struct {
	schema.GroupResource
	kind string
	// versions are those that the commands of gatehouse read, the best one first.
	versions []string
	// global says that the objects are in no namespace.
	global bool
	// status are the fields of the status that are kept.
	status []string
}

// scope returns where objects are read if those with a namespace are read in one.
func (k *kind) scope(namespace string) string {
	if k.global {
		return ""
	}
	return namespace
}

// The kinds whose content says what else is read.
const (
	mutatingWebhooks   = "MutatingWebhookConfiguration"
	validatingWebhooks = "ValidatingWebhookConfiguration"
	validatingPolicy   = "ValidatingAdmissionPolicy"
	validatingBinding  = "ValidatingAdmissionPolicyBinding"
	mutatingPolicy     = "MutatingAdmissionPolicy"
	mutatingBinding    = "MutatingAdmissionPolicyBinding"
	service            = "Service"
)

// kinds are in the order in which they are read: what follows from the content of the
// first ones is read last.
var kinds = []kind{
	admission("mutatingwebhookconfigurations", mutatingWebhooks, "v1"),
	admission("validatingwebhookconfigurations", validatingWebhooks, "v1"),
	admission("validatingadmissionpolicies", validatingPolicy, "v1", "v1beta1"),
	admission("validatingadmissionpolicybindings", validatingBinding, "v1", "v1beta1"),
	admission("mutatingadmissionpolicies", mutatingPolicy, "v1", "v1beta1", "v1alpha1"),
	admission("mutatingadmissionpolicybindings", mutatingBinding, "v1", "v1beta1", "v1alpha1"),
	global(v1(apiextensionsv1.GroupName, "customresourcedefinitions", "CustomResourceDefinition")),
	global(v1("", "namespaces", "Namespace", "phase")), // namespaceObject of policies has it
	v1("", "services", service),
	v1(discoveryv1.GroupName, "endpointslices", "EndpointSlice"),
	v1(appsv1.GroupName, "deployments", "Deployment", replicaFields...),
	v1(appsv1.GroupName, "statefulsets", "StatefulSet", replicaFields...),
	v1(appsv1.GroupName, "daemonsets", "DaemonSet", "currentNumberScheduled",
		"desiredNumberScheduled", "numberAvailable", "numberMisscheduled", "numberReady",
		"numberUnavailable", "updatedNumberScheduled"),
	v1(policyv1.GroupName, "poddisruptionbudgets", "PodDisruptionBudget"),
	global(v1(rbacv1.GroupName, "clusterroles", "ClusterRole")),
	global(v1(rbacv1.GroupName, "clusterrolebindings", "ClusterRoleBinding")),
	v1(rbacv1.GroupName, "roles", "Role"),
	v1(rbacv1.GroupName, "rolebindings", "RoleBinding"),
}

// pods are read if they answer for webhooks.
var pods = v1("", "pods", "Pod", "conditions", "phase")

var replicaFields = []string{
	"availableReplicas", "readyReplicas", "replicas", "unavailableReplicas", "updatedReplicas",
}

func admission(resource, name string, versions ...string) kind {
	return kind{
		GroupResource: schema.GroupResource{Group: admissionregistrationv1.GroupName, Resource: resource},
		kind:          name, versions: versions, global: true,
	}
}

func v1(group, resource, name string, status ...string) kind {
	return kind{
		GroupResource: schema.GroupResource{Group: group, Resource: resource},
		kind:          name, versions: []string{"v1"}, status: status,
	}
}

func global(k kind) kind {
	k.global = true
	return k
}
