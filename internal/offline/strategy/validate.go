package strategy

import (
	"cmp"
	"context"
	"slices"
	"strings"
	"sync"

	"k8s.io/apiextensions-apiserver/pkg/apis/apiextensions"
	"k8s.io/apiextensions-apiserver/pkg/apiserver/schema/cel"
	"k8s.io/apiextensions-apiserver/pkg/apiserver/schema/cel/model"
	"k8s.io/apiextensions-apiserver/pkg/apiserver/schema/listtype"
	"k8s.io/apiextensions-apiserver/pkg/apiserver/schema/objectmeta"
	"k8s.io/apiextensions-apiserver/pkg/apiserver/validation"
	"k8s.io/apimachinery/pkg/api/operation"
	metadatavalidation "k8s.io/apimachinery/pkg/api/validation"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/util/validation/field"
	celconfig "k8s.io/apiserver/pkg/apis/cel"
	"k8s.io/apiserver/pkg/cel/common"
)

// validators are what a version validates with.
type validators struct {
	*version
	// schema is for whole objects; status is for their status, nil if the
	// schema has none.
	schema, status validation.SchemaValidator
	// rules are the rules in CEL; nil if there are none.
	rules *cel.Validator
}

// newValidators returns a function that compiles the schema, which may be nil,
// on its first call.
func newValidators(s *apiextensions.JSONSchemaProps, of *version) func() (*validators, error) {
	return sync.OnceValues(func() (*validators, error) {
		v := &validators{version: of}
		var err error
		if v.schema, _, err = validation.NewSchemaValidator(s); err != nil {
			return nil, err
		}
		if s == nil {
			return v, nil
		}
		if status, ok := s.Properties["status"]; ok {
			if v.status, _, err = validation.NewSchemaValidator(&status); err != nil {
				return nil, err
			}
		}
		v.rules = cel.NewValidator(of.structural, true, celconfig.PerCallLimit)
		return v, nil
	})
}

// Validate validates an object that is created, if old is nil, or updated at
// the endpoint of a subresource.
func (c *Custom) Validate(
	ctx context.Context, object, old *unstructured.Unstructured, subresource string,
) field.ErrorList {
	v, err := c.version(object).validators()
	if err != nil {
		return field.ErrorList{field.InternalError(nil, err)}
	}
	switch {
	case old == nil:
		errs := v.validateNew(ctx, object, c.namespaced)
		if len(errs) > 0 {
			return errs
		}
		return Validate(object, nil, c.namespaced)
	case subresource == "status":
		return append(Validate(object, old, c.namespaced),
			v.validateStatus(ctx, object, old, c.namespaced)...)
	default:
		return append(Validate(object, old, c.namespaced),
			v.validateUpdate(ctx, object, old, c.namespaced)...)
	}
}

func (v *validators) validateNew(
	ctx context.Context, object *unstructured.Unstructured, namespaced bool,
) field.ErrorList {
	now, _ := metadata(object, nil)
	errs := metadatavalidation.ValidateObjectMetaDeclaratively(ctx, operation.Create, now, nil,
		namespaced, metadatavalidation.NameIsDNSSubdomain, metadataPath(), true)
	errs = append(errs, sorted(validation.ValidateCustomResource(nil, object.Object, v.schema))...)
	errs = append(errs, v.scaleErrors(object, true)...)
	errs = append(errs, objectmeta.Validate(ctx, nil, object.Object, v.structural, false)...)
	errs = append(errs, listtype.ValidateListSetsAndMaps(nil, v.structural, object.Object)...)
	return v.addRules(ctx, errs, object, nil)
}

func (v *validators) validateUpdate(
	ctx context.Context, object, old *unstructured.Unstructured, namespaced bool,
) field.ErrorList {
	correlated := v.correlate(object, old)
	errs := metadataUpdate(ctx, object, old, namespaced)
	errs = append(errs, sorted(validation.ValidateCustomResourceUpdate(nil, object.Object, old.Object,
		v.schema, validation.WithRatcheting(correlated)))...)
	errs = append(errs, v.scaleErrors(object, true)...)
	errs = append(errs, objectmeta.Validate(ctx, nil, object.Object, v.structural, false)...)
	errs = append(errs, v.listErrors(object, old)...)
	return v.addRules(ctx, errs, object, old, cel.WithRatcheting(correlated))
}

// validateStatus validates an update of the status: the schema of the status,
// and the rules of the whole object.
func (v *validators) validateStatus(
	ctx context.Context, object, old *unstructured.Unstructured, namespaced bool,
) field.ErrorList {
	correlated := v.correlate(object, old)
	errs := metadataUpdate(ctx, object, old, namespaced)
	if status, has := object.Object["status"]; has && v.status != nil {
		errs = append(errs, sorted(validation.ValidateCustomResourceUpdate(field.NewPath("status"),
			status, old.Object["status"], v.status,
			validation.WithRatcheting(correlated.Key("status"))))...)
	}
	errs = append(errs, v.scaleErrors(object, false)...)
	errs = append(errs, v.listErrors(object, old)...)
	return v.addRules(ctx, errs, object, old, cel.WithRatcheting(correlated))
}

func (v *validators) correlate(object, old *unstructured.Unstructured) *common.CorrelatedObject {
	return common.NewCorrelatedObject(object.Object, old.Object,
		&model.Structural{Structural: v.structural})
}

func metadataUpdate(
	ctx context.Context, object, old *unstructured.Unstructured, namespaced bool,
) field.ErrorList {
	now, before := metadata(object, old)
	return metadatavalidation.ValidateObjectMetaDeclaratively(ctx, operation.Update, now, before,
		namespaced, nil, metadataPath(), true)
}

// listErrors returns the duplicates in lists of the type set or map, unless the
// stored object had duplicates as well.
func (v *validators) listErrors(object, old *unstructured.Unstructured) field.ErrorList {
	if len(listtype.ValidateListSetsAndMaps(nil, v.structural, old.Object)) > 0 {
		return nil
	}
	return listtype.ValidateListSetsAndMaps(nil, v.structural, object.Object)
}

// addRules adds the errors of the rules in CEL. If earlier errors prevent the
// evaluation, it adds an error about that.
func (v *validators) addRules(
	ctx context.Context, errs field.ErrorList, object, old *unstructured.Unstructured,
	options ...cel.Option,
) field.ErrorList {
	if v.rules == nil {
		return errs
	}
	for _, err := range errs {
		switch err.Type {
		case field.ErrorTypeNotSupported, field.ErrorTypeRequired, field.ErrorTypeTooLong,
			field.ErrorTypeTooMany, field.ErrorTypeTypeInvalid:
			return append(errs, field.Invalid(nil, nil, rulesNotChecked))
		}
	}
	var before any // nil, and no nil map, if there is no stored object
	if old != nil {
		before = old.Object
	}
	broken, _ := v.rules.Validate(ctx, nil, v.structural, object.Object, before,
		celconfig.RuntimeCELCostBudget, options...)
	return append(errs, sorted(broken)...)
}

// sorted sorts errors by their field, in place.
//
// Compat: in kube-apiserver they are in the random order of Go's maps.
func sorted(errs field.ErrorList) field.ErrorList {
	slices.SortFunc(errs, func(a, b *field.Error) int {
		return cmp.Or(strings.Compare(a.Field, b.Field), strings.Compare(a.Error(), b.Error()))
	})
	return errs
}

// rulesNotChecked is kube-apiserver's text.
const rulesNotChecked = "some validation rules were not checked because the object was invalid; correct the existing errors to complete validation"
