// Package admissiontest helps tests of webhooks and of API servers to say why: what it
// checks about the answer to a request, it explains when it fails.
//
//	response, err := d.Simulate(ctx, request, objects)
//	…
//	admissiontest.OnFailure(t, response)
//	admissiontest.Allowed(t, response)
//
// An explanation is that of explain.Response, as a tree. It has more to say if
// calls are traced (dispatcher.Config.Trace).
//
// Concurrency: the functions are for the goroutine of the test.
//
// Errors are failures of the test.
//
// What it does not do: it makes no requests, and changes nothing.
package admissiontest
