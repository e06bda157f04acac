// Package leaktest finds goroutines that tests leave behind, as goleak does. goleak waits
// half a second for those that are about to end, which is too short on a busy machine.
package leaktest
