// Package peers runs the specs of another project against gatehouse's API
// server: those of controller-runtime, which are meant for envtest. `make peers`
// runs them, in two ways:
//
//   - unchanged, with `gatehouse serve` as the existing cluster of envtest
//   - with the import line of test/envtest in place of envtest's
//
// The specs come from the module cache. The test copies the module to a
// temporary folder for each way; nothing of it is in this repository.
//
// testdata/failing.txt lists each spec that fails, with its cause. A spec that
// fails and is not in the list fails the test, and so does one in the list that
// passes.
//
//	peers_test.go   builds and runs the packages
//	module_test.go  the copy of the module
//	report_test.go  what Ginkgo reports
//	list_test.go    the list
package peers
