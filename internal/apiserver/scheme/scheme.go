package scheme

import (
	"errors"
	"fmt"

	registrationv1 "k8s.io/api/admissionregistration/v1"
	appsv1 "k8s.io/api/apps/v1"
	authenticationv1 "k8s.io/api/authentication/v1"
	authorizationv1 "k8s.io/api/authorization/v1"
	autoscalingv1 "k8s.io/api/autoscaling/v1"
	autoscalingv2 "k8s.io/api/autoscaling/v2"
	batchv1 "k8s.io/api/batch/v1"
	certificatesv1 "k8s.io/api/certificates/v1"
	coordinationv1 "k8s.io/api/coordination/v1"
	corev1 "k8s.io/api/core/v1"
	discoveryv1 "k8s.io/api/discovery/v1"
	eventsv1 "k8s.io/api/events/v1"
	flowcontrolv1 "k8s.io/api/flowcontrol/v1"
	networkingv1 "k8s.io/api/networking/v1"
	nodev1 "k8s.io/api/node/v1"
	policyv1 "k8s.io/api/policy/v1"
	rbacv1 "k8s.io/api/rbac/v1"
	resourcev1 "k8s.io/api/resource/v1"
	schedulingv1 "k8s.io/api/scheduling/v1"
	storagev1 "k8s.io/api/storage/v1"
	storagemigrationv1 "k8s.io/api/storagemigration/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/runtime/serializer"
	apiregistrationv1 "k8s.io/kube-aggregator/pkg/apis/apiregistration/v1"

	"example.com/gatehouse/admission/registration"
	"example.com/gatehouse/admission/registration/policy"
	"example.com/gatehouse/internal/offline/defaults"
)

// addGroupsToScheme adds the types of every group. The first version of a group
// is its preferred version.
func addGroupsToScheme() runtime.SchemeBuilder {
	return runtime.NewSchemeBuilder(
		corev1.AddToScheme,
		eventsv1.AddToScheme,
		appsv1.AddToScheme,
		authenticationv1.AddToScheme,
		authorizationv1.AddToScheme,
		autoscalingv2.AddToScheme,
		autoscalingv1.AddToScheme,
		batchv1.AddToScheme,
		certificatesv1.AddToScheme,
		coordinationv1.AddToScheme,
		discoveryv1.AddToScheme,
		flowcontrolv1.AddToScheme,
		networkingv1.AddToScheme,
		nodev1.AddToScheme,
		policyv1.AddToScheme,
		rbacv1.AddToScheme,
		resourcev1.AddToScheme,
		schedulingv1.AddToScheme,
		storagev1.AddToScheme,
		storagemigrationv1.AddToScheme,
		registrationv1.AddToScheme,
		apiregistrationv1.AddToScheme,
	)
}

// Schemes are the schemes of one server.
type Schemes struct {
	// Scheme has the served versions and the internal version of every kind.
	// The generic server converts every object to and from the internal
	// version.
	Scheme *runtime.Scheme
	// Published has only the served versions, for the OpenAPI documents.
	Published *runtime.Scheme
	Codecs    serializer.CodecFactory
}

// New returns new schemes.
func New() (Schemes, error) {
	scheme, err := newPublished()
	if err != nil {
		return Schemes{}, err
	}
	published, err := newPublished()
	if err != nil {
		return Schemes{}, err
	}
	addInternalVersions(scheme)
	addDefaults(scheme)
	if err := errors.Join(addConversions(scheme), addConnectOptions(scheme)); err != nil {
		return Schemes{}, fmt.Errorf("adding conversions to the scheme: %w", err)
	}
	return Schemes{scheme, published, serializer.NewCodecFactory(scheme)}, nil
}

func newPublished() (*runtime.Scheme, error) {
	scheme := runtime.NewScheme()
	builder := addGroupsToScheme()
	if err := builder.AddToScheme(scheme); err != nil {
		return nil, fmt.Errorf("adding the API types to the scheme: %w", err)
	}
	// Status, APIGroup and other types without a group.
	metav1.AddToGroupVersion(scheme, schema.GroupVersion{Version: "v1"})
	return scheme, nil
}

// addInternalVersions adds an internal version of every kind, except the types
// that are common to all groups, such as ListOptions, which already have one.
// Events of both groups have the same internal type, so that one storage can
// serve both.
func addInternalVersions(scheme *runtime.Scheme) {
	events := schema.GroupVersion{Group: eventsv1.GroupName, Version: runtime.APIVersionInternal}
	scheme.AddKnownTypes(events, &corev1.Event{}, &corev1.EventList{})
	common := runtime.NewScheme()
	for _, version := range scheme.PrioritizedVersionsAllGroups() {
		metav1.AddToGroupVersion(common, version)
		for kind := range scheme.KnownTypes(version) {
			if common.Recognizes(version.WithKind(kind)) {
				continue
			}
			object, err := scheme.New(version.WithKind(kind))
			if err != nil {
				panic(fmt.Sprintf("the scheme lists %s but cannot create it: %v", kind, err))
			}
			internal := schema.GroupVersionKind{
				Group: version.Group, Version: runtime.APIVersionInternal, Kind: kind,
			}
			if !scheme.Recognizes(internal) {
				scheme.AddKnownTypeWithName(internal, object)
			}
		}
	}
}

func addDefaults(scheme *runtime.Scheme) {
	defaults.Register(scheme)
	set := func(o any) { registration.Default(o.(registration.Configuration)) }
	scheme.AddTypeDefaultingFunc(&registrationv1.MutatingWebhookConfiguration{}, set)
	scheme.AddTypeDefaultingFunc(&registrationv1.ValidatingWebhookConfiguration{}, set)
	setPolicy := func(o any) { policy.Default(o.(policy.Object)) }
	scheme.AddTypeDefaultingFunc(&registrationv1.MutatingAdmissionPolicy{}, setPolicy)
	scheme.AddTypeDefaultingFunc(&registrationv1.MutatingAdmissionPolicyBinding{}, setPolicy)
	scheme.AddTypeDefaultingFunc(&registrationv1.ValidatingAdmissionPolicy{}, setPolicy)
	scheme.AddTypeDefaultingFunc(&registrationv1.ValidatingAdmissionPolicyBinding{}, setPolicy)
}

// MustNew returns a new object of a kind, and panics if the kind is unknown.
func (s Schemes) MustNew(kind schema.GroupVersionKind) runtime.Object {
	object, err := s.Scheme.New(kind)
	if err != nil {
		panic(fmt.Sprintf("a served resource has a kind that is not in the scheme: %v", err))
	}
	return object
}

// StorageCodec returns the codec for objects in etcd.
func (s Schemes) StorageCodec() runtime.Codec {
	return s.Codecs.LegacyCodec(s.Scheme.PrioritizedVersionsAllGroups()...)
}
