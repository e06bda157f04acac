// Package request makes the requests of a soak: for a pod, which has a Go type,
// and for a widget, which is a custom resource with two versions. The number of
// a request determines its content, so that checks and webhooks can compute the
// expected outcome from the number.
//
//	Pod, Widget      a creation: the attributes and the interfaces for Admit and
//	                 Validate
//	PodOf, WidgetOf  another operation, namespace, version, or a dry run
//	Exec             CONNECT to pods/exec
//	Named            the name of the object with a number
//	Number           the number of an object with a name
//	Attributes       attributes whose annotations can be read afterwards
//
// Concurrency: a request belongs to one goroutine, but its annotations are safe
// for concurrent use. The interfaces have no state and can be shared.
//
// Errors: attributes reject the annotations that apiserver's attributes reject.
package request
