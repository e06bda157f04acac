// Package webhookconfig is what is known about webhook configurations as a kind of
// object: which documents are some, which versions of them are of the past, which
// webhooks they hold, by which names and at which address these are called, and how a CA
// comes from a file into those that name none.
//
// What is in a configuration is for package registration to decode, default and
// validate.
//
// The package keeps nothing, and starts no goroutines. Trust and Adjust change what they
// are given. Errors are that a webhook has no address, and that a file has no CA.
package webhookconfig
