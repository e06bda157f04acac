// Package robot prepares and validates robots before the server stores them.
//
//	validation.go    validation
//	strategy.go      create, update and delete
//	status.go        the status subresource
//
// The API server calls a strategy in this order: PrepareForCreate or
// PrepareForUpdate, then, after mutating admission, Validate or ValidateUpdate,
// and then validating admission. So webhooks see a prepared object, and the
// server validates their changes.
//
// A strategy has no state besides the scheme and is safe for concurrent use. It
// changes only the object that it prepares.
package robot
