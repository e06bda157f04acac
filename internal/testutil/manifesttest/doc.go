// Package manifesttest lets tests write documents as texts.
//
// Documents and Only parse a text as package manifest parses files, and Compact
// formats one for a comparison. An invalid text fails the test. The package is
// for tests only and has no state.
//
// It does not decode objects and is not for tests of what package manifest
// rejects.
package manifesttest
