// Package forwardtest has an API server for tests of port-forwards: it serves Services,
// EndpointSlices and the port-forwards of pods, which lead to an address of this machine.
//
// A Server is safe for concurrent use.
package forwardtest
