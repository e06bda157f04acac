package crdconversion

import (
	"fmt"

	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"

	"example.com/gatehouse/admission"
)

// contained returns the panics of a convertor as errors, which wrap an
// *admission.PanicError. No answer of a webhook is known that causes one; objects
// that no decoder makes do, such as one that holds an int instead of an int64.
type contained struct {
	next runtime.ObjectConvertor
	crd  string // the definition's name, for errors
}

// Convert is the convertor's. in and out are *unstructured.Unstructured, and out
// has the version that is wanted; in is not modified.
func (c contained) Convert(in, out, context any) (err error) {
	defer c.contain(&err)
	return c.next.Convert(in, out, context)
}

// ConvertToVersion is the convertor's. The object, which may be a list, is not
// modified.
func (c contained) ConvertToVersion(in runtime.Object, target runtime.GroupVersioner) (out runtime.Object, err error) {
	defer c.contain(&err)
	return c.next.ConvertToVersion(in, target)
}

// ConvertFieldLabel is the convertor's.
func (c contained) ConvertFieldLabel(kind schema.GroupVersionKind, label, value string) (string, string, error) {
	return c.next.ConvertFieldLabel(kind, label, value)
}

func (c contained) contain(err *error) {
	if r := recover(); r != nil {
		*err = fmt.Errorf("CustomResourceDefinition %q: %w", c.crd, admission.Contained(r))
	}
}
