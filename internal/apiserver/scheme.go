package apiserver

import (
	"fmt"

	registrationv1 "k8s.io/api/admissionregistration/v1"
	appsv1 "k8s.io/api/apps/v1"
	coordinationv1 "k8s.io/api/coordination/v1"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/runtime/serializer"

	"example.com/gatehouse/admission/registration"
	"example.com/gatehouse/internal/defaults"
)

// groups returns what adds the types of each group to a scheme.
func groups() runtime.SchemeBuilder {
	return runtime.NewSchemeBuilder(
		corev1.AddToScheme,
		appsv1.AddToScheme,
		coordinationv1.AddToScheme,
		registrationv1.AddToScheme,
	)
}

// schemes is everything that a server knows of Go types.
type schemes struct {
	// scheme has the served versions and, for each kind of theirs, the internal
	// one, which the generic server converts everything to and from. The Go type
	// is the same: with one served version per kind there is nothing to convert.
	scheme *runtime.Scheme
	// published is the same without the internal versions, for documents that
	// must not mention them.
	published *runtime.Scheme
	codecs    serializer.CodecFactory
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
	return schemes{scheme, published, serializer.NewCodecFactory(scheme)}, nil
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
// share, such as ListOptions, have one already.
func addInternal(scheme *runtime.Scheme) {
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
			scheme.AddKnownTypeWithName(internal, object)
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
