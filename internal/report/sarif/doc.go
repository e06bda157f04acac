// Package sarif writes SARIF 2.1.0, the format in which code hosts and editors
// read the results of tools.
//
//	sarif.Write(out, sarif.Run{
//		Tool:    sarif.Tool{Driver: sarif.Component{Name: "gatehouse", Rules: rules}},
//		Results: results,
//	})
//
// The types are those of the standard that this module needs, with its names;
// other fields keep their defaults. Results refer to rules by ID and index, and
// URI converts a path to the form that the standard requires.
//
// Write does not check required fields. Test project test/integration/formats
// validates the output of the commands against the schema. Errors are those of
// the writer.
package sarif
