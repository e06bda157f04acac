package registry

import (
	"context"
	"fmt"
	"slices"

	"k8s.io/apimachinery/pkg/api/meta"
	apivalidation "k8s.io/apimachinery/pkg/api/validation"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/util/validation/field"
	"k8s.io/apiserver/pkg/endpoints/request"
	"k8s.io/apiserver/pkg/registry/rest"
	"k8s.io/apiserver/pkg/storage/names"
	"sigs.k8s.io/structured-merge-diff/v6/fieldpath"

	"example.com/gatehouse/internal/apiserver/scheme"
	"example.com/gatehouse/internal/apiserver/validation/declared"
	"example.com/gatehouse/internal/apiserver/validation/rules"
	"example.com/gatehouse/internal/offline/internalversion"
)

// strategy is the create, update and delete strategy of a resource.
type strategy struct {
	runtime.ObjectTyper
	names.NameGenerator
	resource  Resource
	hasStatus bool
}

var (
	_ rest.RESTCreateStrategy  = strategy{}
	_ rest.RESTUpdateStrategy  = strategy{}
	_ rest.RESTDeleteStrategy  = strategy{}
	_ rest.ResetFieldsStrategy = strategy{}
)

func newStrategy(r Resource, s scheme.Schemes) strategy {
	return strategy{s.Scheme, names.SimpleNameGenerator, r, hasStatus(s.MustNew(r.GroupVersionKind))}
}

// NamespaceScoped implements the strategies.
func (s strategy) NamespaceScoped() bool { return s.resource.NamespaceScoped }

// AllowCreateOnUpdate implements rest.RESTUpdateStrategy.
func (s strategy) AllowCreateOnUpdate(context.Context) bool {
	return s.resource.allowCreateOnUpdate
}

// AllowUnconditionalUpdate implements rest.RESTUpdateStrategy.
func (s strategy) AllowUnconditionalUpdate(context.Context) bool {
	return !s.resource.requireResourceVersion
}

// PrepareForCreate implements rest.RESTCreateStrategy. It resets the generation
// and the status that the client sent.
func (s strategy) PrepareForCreate(ctx context.Context, object runtime.Object) {
	internalversion.Normalize(object)
	m := accessor(object)
	m.SetGeneration(0)
	if s.resource.bumpsGeneration != nil {
		m.SetGeneration(1)
	}
	if by, ok := request.UserFrom(ctx); ok && s.resource.setRequester != nil {
		s.resource.setRequester(object, by)
	}
	if s.resource.prepareForCreate != nil {
		s.resource.prepareForCreate(object)
	} else if s.hasStatus {
		fieldOf(object, "Status").SetZero()
	}
}

// PrepareForUpdate implements rest.RESTUpdateStrategy. It keeps the status,
// which has its own endpoint. The generic server has already kept the
// generation.
func (s strategy) PrepareForUpdate(_ context.Context, object, old runtime.Object) {
	internalversion.Normalize(object)
	if s.hasStatus {
		fieldOf(object, "Status").Set(fieldOf(old, "Status"))
	}
	if s.resource.prepareForUpdate != nil {
		s.resource.prepareForUpdate(object, old)
	}
	s.updateGeneration(object, old)
}

func (s strategy) updateGeneration(object, old runtime.Object) {
	if s.resource.bumpsGeneration != nil && s.resource.bumpsGeneration(object, old) {
		m := accessor(object)
		m.SetGeneration(m.GetGeneration() + 1)
	}
}

// GetResetFields implements rest.ResetFieldsStrategy: the manager of an applied
// object does not own its status.
func (s strategy) GetResetFields() map[fieldpath.APIVersion]*fieldpath.Set {
	if !s.hasStatus {
		return nil
	}
	return s.resource.resetFields([]any{"status"})
}

// Validate implements rest.RESTCreateStrategy.
func (s strategy) Validate(ctx context.Context, object runtime.Object) field.ErrorList {
	return s.resource.validateObject(ctx, object, nil)
}

// ValidateUpdate implements rest.RESTUpdateStrategy.
func (s strategy) ValidateUpdate(ctx context.Context, object, old runtime.Object) field.ErrorList {
	return s.resource.validateObject(ctx, object, old)
}

// validateObject validates an object that is created or, if old is not nil,
// replaces old. The generic server itself compares the metadata of both.
func (r Resource) validateObject(
	ctx context.Context, object, old runtime.Object,
) field.ErrorList {
	if r.validateAll != nil {
		return r.validateAll(ctx, object, old)
	}
	validateName := r.validateName
	if validateName == nil {
		validateName = apivalidation.NameIsDNSSubdomain
	}
	errs := apivalidation.ValidateObjectMetaAccessor(
		accessor(object), r.NamespaceScoped, validateName, field.NewPath("metadata"))
	if r.metadataOnly {
		return errs
	}
	if r.validate != nil {
		errs = append(errs, r.validate(object, old)...)
	}
	errs = appendNew(errs, rules.Validate(object, old))
	return appendNew(errs, declared.Validate(ctx, object, old))
}

// appendNew appends the errors of the types and fields that errs does not have.
// Where a tag is alpha, kube-apiserver's errors are others: they are in errs, if
// there are any.
func appendNew(errs, others field.ErrorList) field.ErrorList {
	found := len(errs) > 0
	for _, other := range others {
		known := slices.ContainsFunc(errs, func(err *field.Error) bool {
			return err.Type == other.Type && err.Field == other.Field
		})
		if !known && !(found && other.IsAlpha()) {
			errs = append(errs, other)
		}
	}
	return errs
}

// WarningsOnCreate implements rest.RESTCreateStrategy.
func (s strategy) WarningsOnCreate(ctx context.Context, object runtime.Object) []string {
	warnings := s.WarningsOnUpdate(ctx, object, nil)
	if s.resource.noPods != nil {
		s.resource.noPods.Do(func() {
			const text = "this API server runs no controllers: it creates no pods for a %s"
			warnings = append(warnings, fmt.Sprintf(text, s.resource.Kind))
		})
	}
	return warnings
}

// WarningsOnUpdate implements rest.RESTUpdateStrategy.
func (s strategy) WarningsOnUpdate(_ context.Context, object, _ runtime.Object) []string {
	if s.resource.warnings == nil {
		return nil
	}
	return s.resource.warnings(object)
}

// Canonicalize implements the strategies.
func (s strategy) Canonicalize(object runtime.Object) {
	if s.resource.canonicalize != nil {
		s.resource.canonicalize(object)
	}
}

// accessor returns the metadata of an object.
func accessor(object runtime.Object) metav1.Object {
	m, err := meta.Accessor(object)
	if err != nil {
		panic("a served resource has no metadata: " + err.Error())
	}
	return m
}
