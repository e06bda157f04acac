// Package schematest helps tests to hold documents against the JSON Schemas in docs/schemas.
//
// Read reads a schema, and Validator makes a function of it that validates. Mistakes are
// failures of the test. The package is for tests alone, keeps nothing, and starts no
// goroutines; validators may be used by several tests at a time.
//
// It does not know references between schemas.
package schematest
