// Package bombs is a resource exhaustion test. Webhooks respond with what would
// use up the memory of a client without limits: endless, compressed and deeply
// nested bodies, millions of headers and interim responses, patches that
// multiply the object. Many callers receive all of them at the same time, in a
// process with little memory.
//
//	bomb     a fault of test/faultserver and the permitted errors of its calls
//	Serve    the second process, with the fault servers, so that their memory does
//	         not count
//	Run      callers that send requests to all bombs, in both phases, in a loop
//
// Start the process with GOMEMLIMIT=256MiB; Run reports a missing limit. Run
// starts its own program again as the second process, so main begins with
// Serve:
//
//	if served, err := bombs.Serve(os.Stdin, os.Stdout); served { … }
//
// A call must end with the error of its bomb. Two other errors are permitted if
// they name the webhook: the bodies of all calls are too large together
// (Limits.Budget), and the timeout.
//
// Concurrency: Run measures the memory of the whole process, which should do
// nothing else.
//
// Errors: an error means that the run could not start; violations are in the
// Result.
//
// Run neither limits memory nor judges the maximum; a memory limit of the
// container would end the process.
package bombs
