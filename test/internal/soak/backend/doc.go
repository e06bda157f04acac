// Package backend is the webhooks of a soak: one server whose webhooks answer as the
// model says, with certificates of an authority that can be replaced while they are
// called, and a fault server for every fault.
//
// Authorities are replaced in three steps, as operators do it: Announce, after which
// configurations trust the old one and the next; Switch, when all requests under way
// know both; Retire, after which configurations trust only the new one.
//
// # Concurrency
//
// All methods may be called at any time, but the three steps one after the other.
//
// # Errors
//
// Start says what could not be started. Requests that are no reviews get 400.
//
// # What it does not do
//
// It keeps nothing of what it is asked but a count.
package backend
