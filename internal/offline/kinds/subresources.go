package kinds

import (
	"fmt"

	"k8s.io/apimachinery/pkg/runtime/schema"
)

// CheckSubresource reports a status or a scale that a resource does not have: many
// built-in ones lack one, and a version of a custom resource has those that its
// definition gives it. Other subresources, and none at all, are not looked at: package
// request knows where they are.
func (r *Registry) CheckSubresource(at schema.GroupVersionResource, subresource string) error {
	if subresource != "status" && subresource != "scale" {
		return nil
	}
	if !r.mapper.KindFor(at, subresource).Empty() {
		return nil
	}
	err := fmt.Errorf("%s have no subresource %s", at.GroupResource(), subresource)
	if d := r.custom(r.mapper.KindFor(at, "")); d != nil {
		return fmt.Errorf("%w in %s: see spec.versions of the CustomResourceDefinition %s", err, at.Version, d.name)
	}
	return err
}
