// Package parity compares gatehouse with kube-apiserver's own code.
//
//	tables      upstream's exported test tables, with upstream's expectations
//	scenarios   whole requests through upstream's plugins and through gatehouse's
//	relations   properties that must hold between two runs of gatehouse
//	metrics     upstream's metrics and gatehouse's, series by series
//	plugins     errors about configuration files and initializers
//	catalogue   every fact about upstream is named by a test
//	mutants     faults that the comparison must find; see package mutant
//
// The subpackages are the test server (webhookserver), the format of scenarios
// (scenario), the code that runs and compares them (harness), and the generator
// (generate). This package has only tests, because only tests may import
// upstream's webhook plugins.
//
// make parity runs the comparison and make mutants tests the comparison itself.
// docs/parity.md lists the intended differences.
//
// Upstream's packages register metrics in a global registry and read global
// feature gates. Therefore tests that use a harness are not parallel, and the
// others use webhook names that are unique among the tests.
package parity
