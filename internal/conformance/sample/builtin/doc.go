// Package builtin makes objects of built-in kinds that an API server accepts.
//
//  1. Fill walks the Go type of the object. Optional fields stay empty, except
//     for specs; required fields get a small value.
//  2. A table of hints by Go type sets values that the type does not determine:
//     the image of a container, the labels of a template that match the
//     selector, the ports of a Service. Hints of parts run before those of the
//     whole.
//
// The common kinds then pass kube-apiserver's validation. Objects of the
// remaining kinds may be incomplete, but always decode. The package sets no
// defaults, and no metadata except names that must have a certain form.
package builtin
