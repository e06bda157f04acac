// Package memorynet has listeners whose connections exist in the process only,
// for tests in a bubble of testing/synctest.
package memorynet
