// Package draw generates admission requests for a comparison of two sides: requests that an
// API server could receive, near the constants and fields that the sides mention.
//
//	d := draw.New(kinds, definitions, rules, mentioned)
//	for c := range d.Systematic() { … }   // one field at a time
//	c := d.Random(random, nil)            // several fields
//	c = d.Random(random, seed)            // like seed, with other fields
//
// A Case is for an endpoint: a resource, a subresource and an operation. A rule of either
// side matches most endpoints, and no rule matches some. A Case begins with the required
// fields, without which an API server rejects the object. An edit then sets or removes
// a field that a side mentions, with a value near the constants to which the side
// compares it: the constant, one more or less, longer or shorter, in other letters, empty
// or absent. A field in a list is also edited in the lists beside it, such as
// initContainers beside containers, and one of a Pod in the templates of workloads.
//
// The types of fields are those of the Go types of built-in kinds and of the structural
// schemas of CustomResourceDefinitions. Valid has the part of an API server's validation
// of built-in kinds that follows from these types; it is not complete. Package strategy
// validates custom objects.
//
// A Drawer belongs to one goroutine. The same arguments and random numbers give the same
// cases.
package draw
