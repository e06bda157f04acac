// Package schematest compares documents and Go types with the JSON Schemas in
// docs/schemas.
//
// Read reads a schema, and Validator makes a validating function of it; Compile
// does the same without a testing.TB. GoFields, SchemaFields and Enum return
// the parts of a Go type and of a schema that must agree, for the test to
// compare. Mistakes fail the test. The package is for tests only and has no
// state; validators are safe for concurrent use.
//
// It does not support references between schemas.
package schematest
