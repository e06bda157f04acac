// Package parity holds gatehouse against kube-apiserver's own code.
//
//	tables      upstream's exported test tables, with upstream's expectations
//	scenarios   whole requests, through upstream's plugins and through gatehouse's
//	relations   what must hold between two runs of gatehouse, whatever upstream does
//	metrics     upstream's metrics and gatehouse's, series by series
//	plugins     errors about configuration files and initializers
//	catalogue   which facts about upstream are named by a test
//	mutants     faults that the comparison must find; see package mutant
//
// Its subpackages are the test server (hook), the scenarios' form (scenario), the
// harness that runs and compares them (world), and the generator (generate). This
// package itself holds nothing but tests, because only tests may import upstream's
// webhook plugins.
//
// make parity runs them and says what was compared, make mutants whether that is
// enough. docs/parity.md tells what differs on purpose.
//
// Upstream's packages register metrics in a global registry and read global
// feature gates: tests that use a harness are not parallel, and the others use
// names of webhooks that no other test uses.
package parity
