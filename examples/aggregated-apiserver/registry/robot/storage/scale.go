package storage

import (
	"context"
	"fmt"

	autoscalingv1 "k8s.io/api/autoscaling/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"
	genericregistry "k8s.io/apiserver/pkg/registry/generic/registry"
	"k8s.io/apiserver/pkg/registry/rest"

	"example.com/gatehouse/examples/aggregated-apiserver/apis/toys"
)

// scaleREST serves the scale subresource. Clients and webhooks see a Scale; the
// stored object stays a robot.
type scaleREST struct{ store *genericregistry.Store }

var (
	_ rest.Patcher                  = scaleREST{}
	_ rest.GroupVersionKindProvider = scaleREST{}
	_ rest.TableConvertor           = scaleREST{}
)

// New returns an empty Scale.
func (scaleREST) New() runtime.Object { return &autoscalingv1.Scale{} }

// Destroy does nothing: the resource closes the store.
func (scaleREST) Destroy() {}

// GroupVersionKind returns Scale of autoscaling/v1 for every version of the
// group.
func (scaleREST) GroupVersionKind(schema.GroupVersion) schema.GroupVersionKind {
	return autoscalingv1.SchemeGroupVersion.WithKind("Scale")
}

// Get returns the Scale of a robot.
func (s scaleREST) Get(ctx context.Context, name string,
	options *metav1.GetOptions) (runtime.Object, error) {
	obj, err := s.store.Get(ctx, name, options)
	if err != nil {
		return nil, err
	}
	return scaleOf(obj)
}

// Update scales a robot. It never creates one.
func (s scaleREST) Update(ctx context.Context, name string, info rest.UpdatedObjectInfo,
	createValidation rest.ValidateObjectFunc, updateValidation rest.ValidateObjectUpdateFunc,
	_ bool, options *metav1.UpdateOptions) (runtime.Object, bool, error) {
	obj, _, err := s.store.Update(ctx, name, &scaling{name: name, of: info},
		createOfScale(createValidation), updateOfScale(updateValidation), false, options)
	if err != nil {
		return nil, false, err
	}
	scale, err := scaleOf(obj)
	return scale, false, err
}

// ConvertToTable delegates to the store.
func (s scaleREST) ConvertToTable(ctx context.Context, obj,
	options runtime.Object) (*metav1.Table, error) {
	return s.store.ConvertToTable(ctx, obj, options)
}

// scaleOf returns a robot's Scale. Labels and annotations are not part of it.
func scaleOf(obj runtime.Object) (*autoscalingv1.Scale, error) {
	r, ok := obj.(*toys.Robot)
	if !ok {
		return nil, fmt.Errorf("reading the scale of a robot: this is a %T", obj)
	}
	return &autoscalingv1.Scale{
		ObjectMeta: metav1.ObjectMeta{
			Name:              r.Name,
			Namespace:         r.Namespace,
			UID:               r.UID,
			ResourceVersion:   r.ResourceVersion,
			CreationTimestamp: r.CreationTimestamp,
		},
		Spec:   autoscalingv1.ScaleSpec{Replicas: r.Spec.Replicas},
		Status: autoscalingv1.ScaleStatus{Replicas: r.Status.Replicas},
	}, nil
}

// createOfScale passes the Scale to admission instead of the robot.
func createOfScale(validate rest.ValidateObjectFunc) rest.ValidateObjectFunc {
	return func(ctx context.Context, obj runtime.Object) error {
		scale, err := scaleOf(obj)
		if err != nil {
			return err
		}
		return validate(ctx, scale)
	}
}

// updateOfScale passes both Scales to admission instead of the robots.
func updateOfScale(validate rest.ValidateObjectUpdateFunc) rest.ValidateObjectUpdateFunc {
	return func(ctx context.Context, obj, old runtime.Object) error {
		scale, err := scaleOf(obj)
		if err != nil {
			return err
		}
		before, err := scaleOf(old)
		if err != nil {
			return err
		}
		return validate(ctx, scale, before)
	}
}
