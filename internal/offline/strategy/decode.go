package strategy

import (
	"context"
	"fmt"

	structuralschema "k8s.io/apiextensions-apiserver/pkg/apiserver/schema"
	"k8s.io/apiextensions-apiserver/pkg/apiserver/schema/defaulting"
	"k8s.io/apiextensions-apiserver/pkg/apiserver/schema/objectmeta"
	"k8s.io/apiextensions-apiserver/pkg/apiserver/schema/pruning"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apiserver/pkg/warning"
)

// Decode prunes an object that a client sent. Unknown fields are warnings of
// the context, nothing with the field validation Ignore, or an error with
// Strict. Default sets the defaults.
func (c *Custom) Decode(
	ctx context.Context, object *unstructured.Unstructured, fieldValidation string,
) error {
	unknown, err := c.coerce(object, false)
	if err != nil {
		return undecodable(object, err)
	}
	var strict []error
	for _, path := range unknown {
		strict = append(strict, fmt.Errorf("unknown field %q", path))
	}
	switch {
	case len(strict) == 0 || fieldValidation == metav1.FieldValidationIgnore:
		return nil
	case fieldValidation == metav1.FieldValidationStrict:
		return undecodable(object, runtime.NewStrictDecodingError(strict))
	}
	for _, w := range strict {
		warning.AddWarning(ctx, "", w.Error())
	}
	return nil
}

// undecodable returns the error of an API server for an object that it cannot
// decode.
func undecodable(object *unstructured.Unstructured, err error) error {
	kind := object.GroupVersionKind()
	return apierrors.NewBadRequest(fmt.Sprintf("%s in version %q cannot be handled as a %s: %v",
		kind.Kind, kind.Version, kind.Kind, err))
}

// Default sets the defaults of the object's version.
func (c *Custom) Default(object *unstructured.Unstructured) {
	defaulting.Default(object.Object, c.version(object).structural)
}

// coerce prunes an object, drops nulls without a meaning and coerces its
// metadata. It returns the paths of unknown fields. Malformed metadata are
// dropped if dropMalformed is set, and otherwise an error.
func (c *Custom) coerce(
	object *unstructured.Unstructured, dropMalformed bool,
) (unknown []string, err error) {
	structural := c.version(object).structural
	apiVersion, kind := object.GetAPIVersion(), object.GetKind()
	m, hasMetadata, unknown, err := objectmeta.GetObjectMetaWithOptions(object.Object,
		objectmeta.ObjectMetaOptions{
			DropMalformedFields: dropMalformed, ReturnUnknownFieldPaths: true,
		})
	if err != nil {
		return nil, err
	}
	if structural != nil && !c.preserves {
		unknown = append(unknown, pruning.PruneWithOptions(object.Object, structural, true,
			structuralschema.UnknownFieldPathOptions{TrackUnknownFieldPaths: true})...)
		defaulting.PruneNonNullableNullsWithoutDefaults(object.Object, structural)
	}
	malformed, paths := objectmeta.CoerceWithOptions(nil, object.Object, structural, false,
		objectmeta.CoerceOptions{DropInvalidFields: dropMalformed, ReturnUnknownFieldPaths: true})
	if malformed != nil {
		return nil, malformed
	}
	object.SetAPIVersion(apiVersion)
	object.SetKind(kind)
	if hasMetadata {
		err = objectmeta.SetObjectMeta(object.Object, m)
	}
	return append(unknown, paths...), err
}
