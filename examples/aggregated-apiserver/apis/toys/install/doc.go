// Package install creates the scheme of this server: every version of
// toys.example.com, and Scale of autoscaling/v1 for the scale subresource.
//
//	Published    the versions that clients see, for OpenAPI
//	Scheme       these and the internal versions
//
// Each call creates a new scheme, which is safe for concurrent reads.
package install
