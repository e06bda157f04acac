package crdconversion

import (
	"fmt"

	"k8s.io/apimachinery/pkg/runtime"

	"example.com/gatehouse/admission"
	"example.com/gatehouse/internal/engine/guard"
)

// contained returns the panics of a convertor as errors, which wrap an
// *admission.PanicError. No answer of a webhook is known that causes one;
// objects that no decoder makes do, such as one that holds an int instead of an
// int64.
type contained struct {
	runtime.ObjectConvertor
	crd string // the definition's name, for errors
}

// Convert is the convertor's. in and out are *unstructured.Unstructured, and
// out has the version that is wanted; in is not modified.
func (c contained) Convert(in, out, context any) error {
	return c.contain(func() error { return c.ObjectConvertor.Convert(in, out, context) })
}

// ConvertToVersion is the convertor's. The object, which may be a list, is not
// modified.
func (c contained) ConvertToVersion(
	in runtime.Object, target runtime.GroupVersioner,
) (out runtime.Object, err error) {
	err = c.contain(func() (err error) {
		out, err = c.ObjectConvertor.ConvertToVersion(in, target)
		return err
	})
	return out, err
}

// contain names the definition in the error for a panic. It returns other
// errors unchanged.
func (c contained) contain(convert func() error) error {
	err := guard.Call(convert)
	if panicked, ok := err.(*admission.PanicError); ok {
		return fmt.Errorf("CustomResourceDefinition %q: %w", c.crd, panicked)
	}
	return err
}
