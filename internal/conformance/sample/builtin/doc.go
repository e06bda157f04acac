// Package builtin makes objects of built-in kinds that an API server accepts.
//
//  1. Fill walks the Go type of the object. Optional fields stay empty, except
//     for specs; required fields get a small value.
//  2. A table of hints by Go type sets what the type does not tell: that a
//     container has an image, that the labels of a template match the selector,
//     that a Service has ports. Hints of parts run before those of the whole.
//
// The common kinds then pass kube-apiserver's validation. Objects of the
// remaining kinds may be incomplete, but always decode. The package sets no
// defaults, and no metadata except for names of a required form.
package builtin
