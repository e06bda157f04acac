// Package admissiontest explains admission responses in failed tests of
// webhooks and API servers.
//
//	response, err := simulate.Request(ctx, d, request, objects)
//	…
//	admissiontest.OnFailure(t, response)
//	admissiontest.Allowed(t, response)
//
// The explanation is that of explain.Response, as a tree. It has more detail if
// calls are traced (dispatcher.Config.Trace). A test prints it once, however
// many checks of the response fail.
//
// The functions belong to the goroutine of the test, and report errors as
// failures of it. They make no requests and change nothing.
package admissiontest
