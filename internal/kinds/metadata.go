package kinds

import (
	"errors"
	"fmt"
	"strings"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime"

	"example.com/gatehouse/internal/manifest"
)

// checkMetadata finds what is wrong with the metadata of a custom object. It is
// the one part whose fields are known; and a misspelt "labels" would otherwise
// look like an object that no selector selects.
func checkMetadata(d *manifest.Document, obj *unstructured.Unstructured) error {
	metadata, present := obj.Object["metadata"]
	if !present {
		return nil
	}
	fields, ok := metadata.(map[string]any)
	if !ok {
		return d.Wrap("metadata", errors.New("metadata must be an object"))
	}
	err := runtime.DefaultUnstructuredConverter.FromUnstructuredWithValidation(fields, &metav1.ObjectMeta{}, true)
	if err == nil {
		return nil
	}
	strict, ok := runtime.AsStrictDecodingError(err)
	if !ok || len(strict.Errors()) == 0 {
		return d.Wrap("metadata", fmt.Errorf("metadata: %w", err))
	}
	messages := make([]string, len(strict.Errors()))
	for i, e := range strict.Errors() {
		messages[i] = e.Error()
	}
	return d.Wrap("metadata", fmt.Errorf("metadata: %s", strings.Join(messages, ", ")))
}
