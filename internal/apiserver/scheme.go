package apiserver

import (
	"fmt"

	registrationv1 "k8s.io/api/admissionregistration/v1"
	appsv1 "k8s.io/api/apps/v1"
	authenticationv1 "k8s.io/api/authentication/v1"
	authorizationv1 "k8s.io/api/authorization/v1"
	autoscalingv1 "k8s.io/api/autoscaling/v1"
	autoscalingv2 "k8s.io/api/autoscaling/v2"
	batchv1 "k8s.io/api/batch/v1"
	coordinationv1 "k8s.io/api/coordination/v1"
	corev1 "k8s.io/api/core/v1"
	discoveryv1 "k8s.io/api/discovery/v1"
	eventsv1 "k8s.io/api/events/v1"
	networkingv1 "k8s.io/api/networking/v1"
	policyv1 "k8s.io/api/policy/v1"
	rbacv1 "k8s.io/api/rbac/v1"
	schedulingv1 "k8s.io/api/scheduling/v1"
	storagev1 "k8s.io/api/storage/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/runtime/serializer"

	"example.com/gatehouse/admission/registration"
	"example.com/gatehouse/internal/offline/defaults"
	"example.com/gatehouse/internal/offline/kinds"
)

// groups returns what adds the types of each group to a scheme. Of several versions
// of a group the first is preferred.
func groups() runtime.SchemeBuilder {
	return runtime.NewSchemeBuilder(
		corev1.AddToScheme,
		eventsv1.AddToScheme,
		appsv1.AddToScheme,
		authenticationv1.AddToScheme,
		authorizationv1.AddToScheme,
		autoscalingv2.AddToScheme,
		autoscalingv1.AddToScheme,
		batchv1.AddToScheme,
		coordinationv1.AddToScheme,
		discoveryv1.AddToScheme,
		networkingv1.AddToScheme,
		policyv1.AddToScheme,
		rbacv1.AddToScheme,
		schedulingv1.AddToScheme,
		storagev1.AddToScheme,
		registrationv1.AddToScheme,
	)
}

// schemes is everything that a server knows of Go types.
type schemes struct {
	// scheme has the served versions and, for each kind of theirs, the internal
	// one, which the generic server converts everything to and from. The Go type
	// is that of the preferred version; conversions.go has the way to the others.
	scheme *runtime.Scheme
	// published is the same without the internal versions, for documents that
	// must not mention them.
	published *runtime.Scheme
	codecs    serializer.CodecFactory
	// kinds knows of what objects of single kinds mean: of which Scale they have.
	kinds *kinds.Registry
}

func newSchemes() (schemes, error) {
	scheme, err := newPublished()
	if err != nil {
		return schemes{}, err
	}
	published, err := newPublished()
	if err != nil {
		return schemes{}, err
	}
	addInternal(scheme)
	addDefaults(scheme)
	for _, add := range []func(*runtime.Scheme) error{addConversions, addConnectOptions, addFieldLabels} {
		if err := add(scheme); err != nil {
			return schemes{}, fmt.Errorf("preparing the API types: %w", err)
		}
	}
	return schemes{scheme, published, serializer.NewCodecFactory(scheme), kinds.New()}, nil
}

func newPublished() (*runtime.Scheme, error) {
	scheme := runtime.NewScheme()
	add := groups()
	if err := add.AddToScheme(scheme); err != nil {
		return nil, fmt.Errorf("collecting the API types: %w", err)
	}
	// Every server speaks of Status, APIGroup and the like, which have no group.
	metav1.AddToGroupVersion(scheme, schema.GroupVersion{Version: "v1"})
	return scheme, nil
}

// addInternal makes an internal version of every kind. The types that all groups
// share, such as ListOptions, have one already. Events are the same in both their
// groups, so that they can be in one place.
func addInternal(scheme *runtime.Scheme) {
	events := schema.GroupVersion{Group: eventsv1.GroupName, Version: runtime.APIVersionInternal}
	scheme.AddKnownTypes(events, &corev1.Event{}, &corev1.EventList{})
	shared := runtime.NewScheme()
	for _, version := range scheme.PrioritizedVersionsAllGroups() {
		metav1.AddToGroupVersion(shared, version)
		for kind := range scheme.KnownTypes(version) {
			if shared.Recognizes(version.WithKind(kind)) {
				continue
			}
			object, err := scheme.New(version.WithKind(kind))
			if err != nil {
				panic(fmt.Sprintf("a scheme does not know the %s that it lists: %v", kind, err))
			}
			internal := schema.GroupVersionKind{Group: version.Group, Version: runtime.APIVersionInternal, Kind: kind}
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
}

// codec is what the database is written and read with.
func (t schemes) codec() runtime.Codec {
	return t.codecs.LegacyCodec(t.scheme.PrioritizedVersionsAllGroups()...)
}
