package kinds

import (
	"fmt"
	"strings"

	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"

	"example.com/gatehouse/internal/manifest"
)

// checkMetadata validates the metadata of a custom object. Unknown fields are
// errors if strict is set.
func checkMetadata(d *manifest.Document, obj *unstructured.Unstructured, strict bool) error {
	metadata, present := obj.Object["metadata"]
	if !present {
		return nil
	}
	unknown, err := manifest.UnknownMetadata(metadata)
	if err != nil {
		return d.Wrap("metadata", err)
	}
	if len(unknown) == 0 || !strict {
		return nil
	}
	messages := make([]string, len(unknown))
	for i, path := range unknown {
		messages[i] = fmt.Sprintf("unknown field %q", path)
	}
	return d.Wrap("metadata", fmt.Errorf("metadata: %s", strings.Join(messages, ", ")))
}
