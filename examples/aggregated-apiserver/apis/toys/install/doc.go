// Package install makes the scheme of this server: every version of
// toys.example.com, and Scale of autoscaling/v1 for the scale subresource.
//
//	Published    what clients may see, which OpenAPI is made from
//	Scheme       that, and the internal versions that the server works with
//
// Each call makes a scheme of its own; a finished scheme may be read by any number
// of goroutines.
package install
