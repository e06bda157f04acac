// Package schematest helps tests to hold documents, and Go types, against the JSON Schemas in
// docs/schemas.
//
// Read reads a schema, and Validator makes a function of it that validates; Compile does so
// where there is no test at hand. GoFields, SchemaFields and Enum return what a Go type and a
// schema have to agree on, for the test to compare. Mistakes are failures of the test. The
// package is for tests alone, keeps nothing, and starts no goroutines; validators may be used
// by several tests at a time.
//
// It does not know references between schemas.
package schematest
