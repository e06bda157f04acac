// Package audit reads the audit log of an API server with a webhook that a controller really
// works against, among requests that clusters have all day: the controller is found, the rest
// is not, and the log says who wrote which field.
//
// The package has only tests.
package audit
