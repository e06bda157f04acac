package storage

import (
	"context"
	"fmt"

	autoscalingv1 "k8s.io/api/autoscaling/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/util/managedfields"
	"k8s.io/apimachinery/pkg/util/validation/field"
	genericrequest "k8s.io/apiserver/pkg/endpoints/request"
	"k8s.io/apiserver/pkg/registry/rest"
	"sigs.k8s.io/structured-merge-diff/v6/fieldpath"

	"example.com/gatehouse/examples/aggregated-apiserver/apis/toys"
	"example.com/gatehouse/examples/aggregated-apiserver/apis/toys/v1"
	"example.com/gatehouse/examples/aggregated-apiserver/apis/toys/v1alpha1"
)

// scaling turns a change of a robot's Scale into a change of the robot. The
// store may call it more than once, each time with a newer robot.
type scaling struct {
	name string
	of   rest.UpdatedObjectInfo
}

// Preconditions returns the preconditions of the change.
func (s *scaling) Preconditions() *metav1.Preconditions { return s.of.Preconditions() }

// UpdatedObject returns the robot with the new number. It calls mutating
// admission, which sees Scales.
func (s *scaling) UpdatedObject(ctx context.Context, old runtime.Object) (runtime.Object, error) {
	before, ok := old.(*toys.Robot)
	if !ok {
		return nil, fmt.Errorf("scaling a robot: this is a %T", old)
	}
	if before.UID == "" {
		// The store passes an empty object if there is none.
		return nil, apierrors.NewNotFound(toys.Resource("robots"), s.name)
	}
	owners := managedfields.NewScaleHandler(before.ManagedFields, requestedVersion(ctx),
		replicasPaths())
	scale, err := s.updatedScale(ctx, before, owners)
	if err != nil {
		return nil, err
	}
	managed, err := owners.ToParent(scale.ManagedFields)
	if err != nil {
		return nil, fmt.Errorf("scaling robot %q: finding the owners of its fields: %w", s.name, err)
	}
	r := before.DeepCopy()
	r.ManagedFields = managed
	r.Spec.Replicas = scale.Spec.Replicas
	if scale.ResourceVersion != "" {
		// The store compares it and reports the conflict.
		r.ResourceVersion = scale.ResourceVersion
	}
	return r, nil
}

// updatedScale returns the requested Scale.
func (s *scaling) updatedScale(ctx context.Context, before *toys.Robot,
	owners *managedfields.ScaleHandler) (*autoscalingv1.Scale, error) {
	scale, err := scaleOf(before)
	if err != nil {
		return nil, err
	}
	if scale.ManagedFields, err = owners.ToSubresource(); err != nil {
		return nil, fmt.Errorf("scaling robot %q: finding the owners of its fields: %w", s.name, err)
	}
	obj, err := s.of.UpdatedObject(ctx, scale)
	if err != nil {
		return nil, err
	}
	wanted, ok := obj.(*autoscalingv1.Scale)
	if !ok {
		return nil, apierrors.NewBadRequest(
			fmt.Sprintf("expected object to be a Scale, but it is a %T", obj))
	}
	if wanted.Spec.Replicas < 0 {
		return nil, apierrors.NewInvalid(autoscalingv1.SchemeGroupVersion.WithKind("Scale").GroupKind(),
			s.name, field.ErrorList{
				field.Invalid(field.NewPath("spec", "replicas"), wanted.Spec.Replicas,
					"must be greater than or equal to 0"),
			})
	}
	return wanted, nil
}

// requestedVersion is the version of the resource in the request; field
// ownership uses the name of the field in that version.
func requestedVersion(ctx context.Context) schema.GroupVersion {
	info, ok := genericrequest.RequestInfoFrom(ctx)
	if !ok {
		return v1.GroupVersion()
	}
	return schema.GroupVersion{Group: info.APIGroup, Version: info.APIVersion}
}

// replicasPaths returns the path of the number in each version.
func replicasPaths() managedfields.ResourcePathMappings {
	return managedfields.ResourcePathMappings{
		v1.GroupVersion().String():       fieldpath.MakePathOrDie("spec", "replicas"),
		v1alpha1.GroupVersion().String(): fieldpath.MakePathOrDie("spec", "count"),
	}
}
