package manifest

import (
	"errors"
	"fmt"
	"strings"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
)

// UnknownMetadata returns the paths of unknown fields in the metadata of a
// custom object: "lables", "ownerReferences[0].id". Other fields of a custom
// object have no Go type. A misspelt "labels" would otherwise look like an
// object without labels.
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
