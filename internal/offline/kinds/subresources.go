package kinds

import (
	"fmt"

	"k8s.io/apimachinery/pkg/runtime/schema"
)

// CheckSubresource returns an error for a status or a scale that a resource
// does not have. It accepts all other subresources, which package request
// checks.
func (r *Registry) CheckSubresource(at schema.GroupVersionResource, subresource string) error {
	if subresource != "status" && subresource != "scale" {
		return nil
	}
	if !r.mapper.KindFor(at, subresource).Empty() {
		return nil
	}
	err := fmt.Errorf("%s have no subresource %s", at.GroupResource(), subresource)
	if d := r.custom(r.mapper.KindFor(at, "")); d != nil {
		return fmt.Errorf("%w in %s: see spec.versions of the CustomResourceDefinition %s", err,
			at.Version, d.name)
	}
	return err
}
