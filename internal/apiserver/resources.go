package apiserver

import (
	"strings"

	registrationv1 "k8s.io/api/admissionregistration/v1"
	appsv1 "k8s.io/api/apps/v1"
	coordinationv1 "k8s.io/api/coordination/v1"
	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/validation"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"
)

// resource is a row of the table of what is served.
type resource struct {
	version schema.GroupVersion
	kind    string
	plural  string
	short   []string
	// categories are the names under which clients ask for several resources.
	categories []string
	scope      scope
	puts       puts
	// name says whether an object may have a name; nil is a DNS subdomain.
	name validation.ValidateNameFunc
	// counts says whether metadata.generation counts the change of an object from
	// the second argument to the first; nil means that it stays 0.
	counts func(object, old runtime.Object) bool
	// rules replace the validation of metadata; nil is that and nothing else.
	rules rules
	// complete changes an object that is valid and about to be stored; nil does
	// nothing.
	complete func(runtime.Object)
}

type scope uint8

const (
	namespaced scope = 1 + iota
	clusterWide
)

// puts is what a PUT may do beyond replacing the object whose resourceVersion it
// states.
type puts uint8

const (
	mayForce  puts = 1 << iota // replace an object without stating its resourceVersion
	mayCreate                  // create an object that is not there

	careful puts = 0
)

// groupResource is the name of the resource among all.
func (r resource) groupResource() schema.GroupResource {
	return r.version.WithResource(r.plural).GroupResource()
}

// singular is the name for one of its objects, as in "pod".
func (r resource) singular() string { return strings.ToLower(r.kind) }

// resources is the table. Discovery lists groups in its order. A plain resource
// needs its line here and nothing else, provided that scheme.go knows its group
// and package openapi its definitions.
func resources() []resource {
	core, apps, registration := corev1.SchemeGroupVersion, appsv1.SchemeGroupVersion, registrationv1.SchemeGroupVersion
	all, extensions := []string{"all"}, []string{"api-extensions"}
	return []resource{
		{version: core, kind: "Namespace", plural: "namespaces", short: []string{"ns"}, scope: clusterWide, puts: mayForce, name: validation.ValidateNamespaceName, complete: labelNamespace},
		{version: core, kind: "ConfigMap", plural: "configmaps", short: []string{"cm"}, scope: namespaced, puts: mayForce},
		{version: core, kind: "Secret", plural: "secrets", scope: namespaced, puts: mayForce},
		{version: core, kind: "Service", plural: "services", short: []string{"svc"}, categories: all, scope: namespaced, puts: mayForce | mayCreate, name: validation.NameIsDNSLabel},
		{version: core, kind: "Endpoints", plural: "endpoints", short: []string{"ep"}, scope: namespaced, puts: mayForce | mayCreate},
		{version: core, kind: "ServiceAccount", plural: "serviceaccounts", short: []string{"sa"}, scope: namespaced, puts: mayForce},
		{version: core, kind: "Pod", plural: "pods", short: []string{"po"}, categories: all, scope: namespaced, puts: mayForce, counts: podChanged},
		{version: apps, kind: "Deployment", plural: "deployments", short: []string{"deploy"}, categories: all, scope: namespaced, puts: mayForce, counts: deploymentChanged},
		{version: coordinationv1.SchemeGroupVersion, kind: "Lease", plural: "leases", scope: namespaced, puts: mayCreate},
		{version: registration, kind: "MutatingWebhookConfiguration", plural: "mutatingwebhookconfigurations", categories: extensions, scope: clusterWide, puts: careful, counts: mutatingChanged, rules: configurations{}},
		{version: registration, kind: "ValidatingWebhookConfiguration", plural: "validatingwebhookconfigurations", categories: extensions, scope: clusterWide, puts: careful, counts: validatingChanged, rules: configurations{}},
	}
}
