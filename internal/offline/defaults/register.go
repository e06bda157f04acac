package defaults

import (
	"reflect"
	"sync"

	appsv1 "k8s.io/api/apps/v1"
	authenticationv1 "k8s.io/api/authentication/v1"
	autoscalingv1 "k8s.io/api/autoscaling/v1"
	autoscalingv2 "k8s.io/api/autoscaling/v2"
	batchv1 "k8s.io/api/batch/v1"
	certificatesv1 "k8s.io/api/certificates/v1"
	certificatesv1beta1 "k8s.io/api/certificates/v1beta1"
	corev1 "k8s.io/api/core/v1"
	discoveryv1 "k8s.io/api/discovery/v1"
	flowcontrolv1 "k8s.io/api/flowcontrol/v1"
	networkingv1 "k8s.io/api/networking/v1"
	nodev1 "k8s.io/api/node/v1"
	rbacv1 "k8s.io/api/rbac/v1"
	resourcev1 "k8s.io/api/resource/v1"
	resourcev1alpha3 "k8s.io/api/resource/v1alpha3"
	resourcev1beta1 "k8s.io/api/resource/v1beta1"
	resourcev1beta2 "k8s.io/api/resource/v1beta2"
	schedulingv1 "k8s.io/api/scheduling/v1"
	schedulingv1alpha3 "k8s.io/api/scheduling/v1alpha3"
	schedulingv1beta1 "k8s.io/api/scheduling/v1beta1"
	storagev1 "k8s.io/api/storage/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"

	"example.com/gatehouse/internal/offline/kinds"
)

// Register adds the defaulting functions of all kinds of the table to a scheme,
// so that its Default sets what kube-apiserver would. Those that the scheme has
// for the same Go types are replaced; other types, lists included, are left
// alone. The scheme need not know the types yet. It must not be in use.
func Register(s *runtime.Scheme) {
	for _, r := range table() {
		s.AddTypeDefaultingFunc(r.prototype, func(object any) { r.set(object.(runtime.Object)) })
	}
}

// withDefaults is what Scheme returns.
var withDefaults = sync.OnceValue(func() *runtime.Scheme {
	s := kinds.NewScheme()
	Register(s)
	return s
})

// Scheme returns the Go types of the built-in kinds with their defaults, for
// kinds.Defaulting. All callers share it, and none may change it.
func Scheme() *runtime.Scheme { return withDefaults() }

// Kinds returns the kinds that Register is for, in the order of the table. The
// slice is the caller's.
func Kinds() []schema.GroupVersionKind {
	rows := table()
	all := make([]schema.GroupVersionKind, len(rows))
	for i, r := range rows {
		all[i] = r.kind
	}
	return all
}

// row is how the objects of a kind are defaulted.
type row struct {
	kind schema.GroupVersionKind
	// prototype is a nil pointer of the Go type.
	prototype runtime.Object
	// set sets the defaults of an object of that type, which is not nil.
	set func(runtime.Object)
}

// in makes a row of a function. The kind has the name of the Go type.
func in[T runtime.Object](gv schema.GroupVersion, set func(T)) row {
	var prototype T
	name := reflect.TypeOf(prototype).Elem().Name()
	return row{gv.WithKind(name), prototype, func(object runtime.Object) { set(object.(T)) }}
}

// table returns the kinds with defaults that kube-apiserver serves.
func table() []row { return append(workloads(), others()...) }

func workloads() []row {
	core, apps := corev1.SchemeGroupVersion, appsv1.SchemeGroupVersion
	batch := batchv1.SchemeGroupVersion
	return []row{
		in(core, pod),
		in(core, func(t *corev1.PodTemplate) { podTemplate(&t.Template) }),
		in(core, replicationController),
		in(apps, deployment),
		in(apps, replicaSet),
		in(apps, statefulSet),
		in(apps, daemonSet),
		in(batch, job),
		in(batch, cronJob),
		in(autoscalingv2.SchemeGroupVersion, autoscaler),
		in(autoscalingv1.SchemeGroupVersion, autoscalerV1),
	}
}

func others() []row {
	core := corev1.SchemeGroupVersion
	return []row{
		in(core, service),
		in(core, namespace),
		in(core, secret),
		in(core, persistentVolume),
		in(core, claim),
		in(core, endpoints),
		in(core, limitRange),
		in(core, resourceQuota),
		in(core, node),
		in(authenticationv1.SchemeGroupVersion, tokenRequest),
		in(certificatesv1.SchemeGroupVersion, podCertificateRequest),
		in(certificatesv1beta1.SchemeGroupVersion, podCertificateRequestBeta),
		in(discoveryv1.SchemeGroupVersion, endpointSlice),
		in(flowcontrolv1.SchemeGroupVersion, flowSchema),
		in(flowcontrolv1.SchemeGroupVersion, priorityLevel),
		in(networkingv1.SchemeGroupVersion, ingressClass),
		in(networkingv1.SchemeGroupVersion, networkPolicy),
		in(nodev1.SchemeGroupVersion, runtimeClass),
		in(rbacv1.SchemeGroupVersion, clusterRoleBinding),
		in(rbacv1.SchemeGroupVersion, roleBinding),
		in(resourcev1.SchemeGroupVersion, resourceClaim),
		in(resourcev1beta2.SchemeGroupVersion, resourceClaimBeta2),
		in(resourcev1beta1.SchemeGroupVersion, resourceClaimBeta1),
		in(resourcev1.SchemeGroupVersion, resourceClaimTemplate),
		in(resourcev1beta2.SchemeGroupVersion, resourceClaimTemplateBeta2),
		in(resourcev1beta1.SchemeGroupVersion, resourceClaimTemplateBeta1),
		in(resourcev1alpha3.SchemeGroupVersion, poolStatusRequest),
		in(schedulingv1alpha3.SchemeGroupVersion, compositePodGroup),
		in(schedulingv1beta1.SchemeGroupVersion, podGroup),
		in(schedulingv1alpha3.SchemeGroupVersion, podGroupAlpha),
		in(schedulingv1.SchemeGroupVersion, priorityClass),
		in(storagev1.SchemeGroupVersion, csiDriver),
		in(storagev1.SchemeGroupVersion, storageClass),
		in(storagev1.SchemeGroupVersion, volumeAttachment),
	}
}
