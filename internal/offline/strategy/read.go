package strategy

import (
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime/schema"
)

// Read changes a stored object, or one that is about to be stored, to what
// clients and webhooks read. Malformed metadata are dropped. The defaults are
// those of the version in which objects are stored; noDefaults leaves them out.
//
// An object in another version, to which a webhook would convert, is treated as
// if its own version were stored.
func (c *Custom) Read(object *unstructured.Unstructured, noDefaults bool) {
	kind := object.GroupVersionKind()
	if c.stored != "" && c.stored != kind.Version {
		object.SetAPIVersion(schema.GroupVersion{Group: kind.Group, Version: c.stored}.String())
	}
	c.prune(object)
	if !noDefaults {
		c.Default(object)
	}
	if object.GroupVersionKind() != kind {
		object.SetAPIVersion(kind.GroupVersion().String())
		c.prune(object)
	}
}

// prune prunes an object and drops malformed metadata. Metadata that are no
// object stay.
func (c *Custom) prune(object *unstructured.Unstructured) { _, _ = c.coerce(object, true) }
