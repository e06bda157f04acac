package registry

import (
	"context"
	"fmt"
	"reflect"

	autoscalingv1 "k8s.io/api/autoscaling/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/util/managedfields"
	"k8s.io/apimachinery/pkg/util/validation/field"
	"k8s.io/apiserver/pkg/registry/rest"
	"sigs.k8s.io/structured-merge-diff/v6/fieldpath"
)

// scaleREST is the subresource "scale" of resources whose Go types have the
// field Spec.Replicas, a pointer.
type scaleREST struct{ parents resourceREST }

var (
	_ rest.Patcher                  = scaleREST{}
	_ rest.TableConvertor           = scaleREST{}
	_ rest.GroupVersionKindProvider = scaleREST{}
)

func newScaleREST(r resourceREST) rest.Storage { return scaleREST{r} }

// New implements rest.Storage.
func (scaleREST) New() runtime.Object { return &autoscalingv1.Scale{} }

// Destroy implements rest.Storage. The resource owns the store.
func (scaleREST) Destroy() {}

// GroupVersionKind implements rest.GroupVersionKindProvider.
func (scaleREST) GroupVersionKind(schema.GroupVersion) schema.GroupVersionKind {
	return autoscalingv1.SchemeGroupVersion.WithKind("Scale")
}

// ConvertToTable implements rest.TableConvertor.
func (r scaleREST) ConvertToTable(
	ctx context.Context, object, options runtime.Object,
) (*metav1.Table, error) {
	convertor := rest.NewDefaultTableConvertor(r.parents.resource.groupResource())
	return convertor.ConvertToTable(ctx, object, options)
}

// Get implements rest.Getter.
func (r scaleREST) Get(
	ctx context.Context, name string, options *metav1.GetOptions,
) (runtime.Object, error) {
	parent, err := r.parents.Get(ctx, name, options)
	if err != nil {
		return nil, err
	}
	return r.scaleOf(parent)
}

func (r scaleREST) scaleOf(parent runtime.Object) (*autoscalingv1.Scale, error) {
	scale, err := r.parents.kinds.ScaleOf(parent)
	if err != nil {
		return nil, err
	}
	return scale.(*autoscalingv1.Scale), nil
}

// Update implements rest.Updater. Admission receives Scales.
func (r scaleREST) Update(
	ctx context.Context, name string, object rest.UpdatedObjectInfo, create rest.ValidateObjectFunc,
	update rest.ValidateObjectUpdateFunc, _ bool, options *metav1.UpdateOptions,
) (runtime.Object, bool, error) {
	validate := func(ctx context.Context, object, old runtime.Object) error {
		now, err := r.scaleOf(object)
		if err != nil {
			return err
		}
		before, err := r.scaleOf(old)
		if err != nil {
			return err
		}
		return update(ctx, now, before)
	}
	scaled := scaledObjectInfo{r, object}
	parent, _, err := r.parents.Update(ctx, name, scaled, create, validate, false, options)
	if err != nil {
		return nil, false, err
	}
	updated, err := r.scaleOf(parent)
	return updated, false, err
}

// scaledObjectInfo turns the update of a Scale into an update of its parent.
type scaledObjectInfo struct {
	rest  scaleREST
	scale rest.UpdatedObjectInfo
}

// Preconditions implements rest.UpdatedObjectInfo.
func (i scaledObjectInfo) Preconditions() *metav1.Preconditions { return i.scale.Preconditions() }

// UpdatedObject implements rest.UpdatedObjectInfo.
func (i scaledObjectInfo) UpdatedObject(
	ctx context.Context, old runtime.Object,
) (runtime.Object, error) {
	parent := old.DeepCopyObject()
	m := accessor(parent)
	if m.GetResourceVersion() == "" {
		return nil, apierrors.NewNotFound(i.rest.parents.resource.groupResource(), m.GetName())
	}
	before, err := i.rest.scaleOf(parent)
	if err != nil {
		return nil, err
	}
	managers := i.rest.scaleHandler(m.GetManagedFields())
	if before.ManagedFields, err = managers.ToSubresource(); err != nil {
		return nil, err
	}
	now, err := i.updatedScale(ctx, before)
	if err != nil {
		return nil, err
	}
	if err := checkUID(now, m); err != nil {
		return nil, err
	}
	if now.ResourceVersion != "" {
		m.SetResourceVersion(now.ResourceVersion)
	}
	fieldOf(parent, "Spec").FieldByName("Replicas").Set(reflect.ValueOf(&now.Spec.Replicas))
	fields, err := managers.ToParent(now.ManagedFields)
	m.SetManagedFields(fields)
	return parent, err
}

func (i scaledObjectInfo) updatedScale(
	ctx context.Context, before *autoscalingv1.Scale,
) (*autoscalingv1.Scale, error) {
	updated, err := i.scale.UpdatedObject(ctx, before)
	if err != nil {
		return nil, err
	}
	now, ok := updated.(*autoscalingv1.Scale)
	if !ok {
		return nil, apierrors.NewBadRequest(
			fmt.Sprintf("expected input object type to be Scale, but %T", updated))
	}
	return now, validateScale(now)
}

// scaleHandler converts managed fields between an object and its Scale.
func (r scaleREST) scaleHandler(fields []metav1.ManagedFieldsEntry) *managedfields.ScaleHandler {
	version := r.parents.resource.GroupVersion()
	return managedfields.NewScaleHandler(fields, version, managedfields.ResourcePathMappings{
		version.String(): fieldpath.MakePathOrDie("spec", "replicas"),
	})
}

func validateScale(s *autoscalingv1.Scale) error {
	if s.Spec.Replicas >= 0 {
		return nil
	}
	kind := autoscalingv1.SchemeGroupVersion.WithKind("Scale").GroupKind()
	return apierrors.NewInvalid(kind, s.Name, field.ErrorList{
		field.Invalid(
			field.NewPath("spec", "replicas"), s.Spec.Replicas, "must be greater than or equal to 0"),
	})
}

// checkUID returns a conflict if the Scale belongs to another object with the
// same name.
func checkUID(s *autoscalingv1.Scale, m metav1.Object) error {
	if s.UID == "" || s.UID == m.GetUID() {
		return nil
	}
	scales := schema.GroupResource{Group: autoscalingv1.GroupName, Resource: "scales"}
	return apierrors.NewConflict(scales, s.Name, uidPreconditionError(s.UID, m.GetUID()))
}
