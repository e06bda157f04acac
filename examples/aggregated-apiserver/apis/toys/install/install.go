package install

import (
	"errors"
	"fmt"

	autoscalingv1 "k8s.io/api/autoscaling/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"

	"example.com/gatehouse/examples/aggregated-apiserver/apis/toys"
	"example.com/gatehouse/examples/aggregated-apiserver/apis/toys/v1"
	"example.com/gatehouse/examples/aggregated-apiserver/apis/toys/v1alpha1"
)

// Published returns a scheme with the versions that clients see. OpenAPI names
// come from it; the other scheme would add the internal version of Scale.
func Published() (*runtime.Scheme, error) {
	scheme := runtime.NewScheme()
	core := schema.GroupVersion{Version: "v1"}
	metav1.AddToGroupVersion(scheme, core)
	scheme.AddUnversionedTypes(core,
		&metav1.Status{}, &metav1.APIVersions{}, &metav1.APIGroupList{}, &metav1.APIGroup{},
		&metav1.APIResourceList{})
	err := errors.Join(
		v1.AddToScheme(scheme),
		v1alpha1.AddToScheme(scheme),
		scheme.SetVersionPriority(v1.GroupVersion(), v1alpha1.GroupVersion()),
		autoscalingv1.AddToScheme(scheme),
	)
	if err != nil {
		return nil, fmt.Errorf("adding the served versions to a scheme: %w", err)
	}
	return scheme, nil
}

// Scheme returns the scheme of the server.
func Scheme() (*runtime.Scheme, error) {
	scheme, err := Published()
	if err != nil {
		return nil, err
	}
	if err := toys.AddToScheme(scheme); err != nil {
		return nil, fmt.Errorf("adding the internal version to a scheme: %w", err)
	}
	// The server decodes a request into the internal version of its kind. Scale
	// has one version only, which also serves as the internal one.
	internal := schema.GroupVersion{Group: autoscalingv1.GroupName,
		Version: runtime.APIVersionInternal}
	scheme.AddKnownTypeWithName(internal.WithKind("Scale"), &autoscalingv1.Scale{})
	return scheme, nil
}
