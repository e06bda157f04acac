// Package request makes the requests of a soak: the creation of a pod, which has
// a Go type, and of a widget, which is a custom resource. What is in a request
// follows from its number alone, so that who checks an outcome, and the webhooks
// that are on the way, can tell from the number what has to come of it.
//
//	Pod, Widget  the attributes and the interfaces that Admit and Validate take
//	Named        the name of an object, and
//	Number       back from a name to the number
//	Attributes   what was annotated on the way can be read from them afterwards
//
// Concurrency: a request belongs to one goroutine, but its annotations may be
// added and read by many. The interfaces keep nothing and can be shared.
//
// Errors: attributes refuse the annotations that apiserver's refuse.
//
// What it does not do: send anything.
package request
