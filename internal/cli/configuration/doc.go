// Package configuration is what commands know about webhook configurations as a kind
// of object: which documents are some, which versions of them are of the past, which
// webhooks they hold, and how the CA of --ca-file comes into them.
//
// What is in a configuration is for package registration to decode, default and
// validate.
//
// The package keeps nothing, starts no goroutines and has no errors. Trust is the only
// function that changes what it is given.
package configuration
