package apiserver

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

// scale is the subresource that shows of a resource how many replicas it has, and
// changes it. The objects have their number in spec.replicas, as a pointer.
type scale struct{ store store }

var (
	_ rest.Patcher                  = scale{}
	_ rest.TableConvertor           = scale{}
	_ rest.GroupVersionKindProvider = scale{}
)

func newScale(s store) rest.Storage { return scale{s} }

// New implements rest.Storage.
func (scale) New() runtime.Object { return &autoscalingv1.Scale{} }

// Destroy implements rest.Storage. What is behind belongs to the resource.
func (scale) Destroy() {}

// GroupVersionKind implements rest.GroupVersionKindProvider.
func (scale) GroupVersionKind(schema.GroupVersion) schema.GroupVersionKind {
	return autoscalingv1.SchemeGroupVersion.WithKind("Scale")
}

// ConvertToTable implements rest.TableConvertor.
func (s scale) ConvertToTable(ctx context.Context, object, options runtime.Object) (*metav1.Table, error) {
	return rest.NewDefaultTableConvertor(s.store.resource.groupResource()).ConvertToTable(ctx, object, options)
}

// Get implements rest.Getter.
func (s scale) Get(ctx context.Context, name string, options *metav1.GetOptions) (runtime.Object, error) {
	parent, err := s.store.Get(ctx, name, options)
	if err != nil {
		return nil, err
	}
	return s.of(parent)
}

// of returns the Scale of an object.
func (s scale) of(parent runtime.Object) (*autoscalingv1.Scale, error) {
	made, err := s.store.kinds.ScaleOf(parent)
	if err != nil {
		return nil, err
	}
	return made.(*autoscalingv1.Scale), nil
}

// Update implements rest.Updater. Admission sees Scales.
func (s scale) Update(ctx context.Context, name string, object rest.UpdatedObjectInfo, create rest.ValidateObjectFunc,
	update rest.ValidateObjectUpdateFunc, _ bool, options *metav1.UpdateOptions,
) (runtime.Object, bool, error) {
	validate := func(ctx context.Context, object, old runtime.Object) error {
		now, err := s.of(object)
		if err != nil {
			return err
		}
		before, err := s.of(old)
		if err != nil {
			return err
		}
		return update(ctx, now, before)
	}
	parent, _, err := s.store.Update(ctx, name, scaled{s, object}, create, validate, false, options)
	if err != nil {
		return nil, false, err
	}
	updated, err := s.of(parent)
	return updated, false, err
}

// scaled makes of a changed Scale a changed object.
type scaled struct {
	scale   scale
	request rest.UpdatedObjectInfo
}

// Preconditions implements rest.UpdatedObjectInfo.
func (s scaled) Preconditions() *metav1.Preconditions { return s.request.Preconditions() }

// UpdatedObject implements rest.UpdatedObjectInfo.
func (s scaled) UpdatedObject(ctx context.Context, old runtime.Object) (runtime.Object, error) {
	parent := old.DeepCopyObject()
	m := metadata(parent)
	if m.GetResourceVersion() == "" {
		return nil, apierrors.NewNotFound(s.scale.store.resource.groupResource(), m.GetName())
	}
	before, err := s.scale.of(parent)
	if err != nil {
		return nil, err
	}
	owners := s.scale.owners(m.GetManagedFields())
	if before.ManagedFields, err = owners.ToSubresource(); err != nil {
		return nil, err
	}
	now, err := s.changed(ctx, before)
	if err != nil {
		return nil, err
	}
	if err := agree(now, m); err != nil {
		return nil, err
	}
	if now.ResourceVersion != "" {
		m.SetResourceVersion(now.ResourceVersion)
	}
	section(parent, "Spec").FieldByName("Replicas").Set(reflect.ValueOf(&now.Spec.Replicas))
	fields, err := owners.ToParent(now.ManagedFields)
	m.SetManagedFields(fields)
	return parent, err
}

// changed returns the Scale that the request makes of one.
func (s scaled) changed(ctx context.Context, before *autoscalingv1.Scale) (*autoscalingv1.Scale, error) {
	updated, err := s.request.UpdatedObject(ctx, before)
	if err != nil {
		return nil, err
	}
	now, ok := updated.(*autoscalingv1.Scale)
	if !ok {
		return nil, apierrors.NewBadRequest(fmt.Sprintf("expected input object type to be Scale, but %T", updated))
	}
	return now, checkScale(now)
}

// owners translates between who owns the replicas in an object and in its Scale.
func (s scale) owners(fields []metav1.ManagedFieldsEntry) *managedfields.ScaleHandler {
	version := s.store.resource.version
	return managedfields.NewScaleHandler(fields, version, managedfields.ResourcePathMappings{
		version.String(): fieldpath.MakePathOrDie("spec", "replicas"),
	})
}

func checkScale(s *autoscalingv1.Scale) error {
	if s.Spec.Replicas >= 0 {
		return nil
	}
	kind := autoscalingv1.SchemeGroupVersion.WithKind("Scale").GroupKind()
	return apierrors.NewInvalid(kind, s.Name, field.ErrorList{
		field.Invalid(field.NewPath("spec", "replicas"), s.Spec.Replicas, "must be greater than or equal to 0"),
	})
}

// agree finds out whether a Scale is about another object of the same name.
func agree(s *autoscalingv1.Scale, m metav1.Object) error {
	if s.UID == "" || s.UID == m.GetUID() {
		return nil
	}
	return apierrors.NewConflict(schema.GroupResource{Group: autoscalingv1.GroupName, Resource: "scales"}, s.Name, otherUID(s.UID, m.GetUID()))
}
