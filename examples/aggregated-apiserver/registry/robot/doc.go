// Package robot decides what the server does to a robot before it is stored.
//
//	validation.go    which robots are refused
//	strategy.go      create, update and delete
//	status.go        the status subresource
//
// The API server asks a strategy in this order: PrepareForCreate or
// PrepareForUpdate, then, once mutating admission is over, Validate or
// ValidateUpdate, and validating admission after that. So webhooks see an object
// that is prepared, and what they make of it is validated.
//
// # Concurrency
//
// A strategy has no state beside the scheme and may be used by any number of
// goroutines. It changes only the object that it is given to prepare.
//
// # What it does not do
//
// It neither stores nor admits; see packages storage below and server beside.
package robot
