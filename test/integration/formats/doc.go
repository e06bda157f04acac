// Package formats holds what commands write for programs against the schemas of
// its formats, with validators and readers that are not gatehouse's. It
// holds nothing but tests, in a module of its own, because users of
// gatehouse need not have these.
//
//   - JSON against the schemas in docs/schemas;
//   - SARIF against the schema of the standard, which package go-sarif brings
//     along;
//   - JUnit XML, of which there is no standard, against testdata/junit.xsd, and
//     a reader has to find the same counts in it.
//
// The XML schema is for xmllint, from the PATH or from bin/, where .ci/xmllint
// puts it; without one that test is skipped.
package formats
