package manifest

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	kjson "sigs.k8s.io/json"
)

// CheckMetadata returns an error with one line for each mistake in the metadata
// of a custom object: values of the wrong type, and if strict is set unknown
// fields. Other fields of a custom object have no Go type. Unstructured reports
// the duplicate fields.
func (d *Document) CheckMetadata(strict bool) error {
	var object struct {
		Metadata metav1.ObjectMeta `json:"metadata"`
	}
	found := d.mistakes(&object, kjson.DisallowUnknownFields)
	if raw := (&tree{raw: d.JSON}).at("metadata"); raw != nil && isNull(raw.raw) {
		found = []mistake{{field: "metadata", err: errors.New("metadata: must be an object")}}
	}
	return errors.Join(d.blameAll(slices.DeleteFunc(found, func(m mistake) bool {
		step, _ := cutPath(m.field)
		return step != "metadata" || m.strict && !strict
	}))...)
}

// UnknownMetadata returns the paths of unknown fields in the metadata of a
// custom object: "lables", "ownerReferences[0].id". A misspelt "labels" would
// otherwise look like an object without labels.
//
// The error says that metadata cannot be decoded. It wraps that of the decoder,
// if there is one, which may quote a value.
func UnknownMetadata(metadata any) (paths []string, err error) {
	fields, ok := metadata.(map[string]any)
	if !ok {
		return nil, errors.New("metadata must be an object")
	}
	err = runtime.DefaultUnstructuredConverter.FromUnstructuredWithValidation(fields,
		&metav1.ObjectMeta{}, true)
	strict, ok := runtime.AsStrictDecodingError(err)
	switch {
	case err == nil:
		return nil, nil
	case !ok:
		return nil, fmt.Errorf("metadata: %w", err)
	}
	for _, unknown := range strict.Errors() {
		path := strings.TrimPrefix(unknown.Error(), `unknown field "`)
		paths = append(paths, strings.TrimSuffix(path, `"`))
	}
	return paths, nil
}
