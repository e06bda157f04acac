// Package portforward connects to Services of a cluster by port-forwards of their pods, as
// `kubectl port-forward` does, but without listening on this machine.
//
// A connection to a Service takes three steps: the Service says which of its ports it is, its
// EndpointSlices say which pods are ready and at which port, and a port-forward of the first
// of these pods, by name, carries the connection. A port-forward is tried by WebSocket first,
// and then by SPDY. It carries any number of connections at a time, each with a stream for
// the data and one for the error of the pod.
//
// Errors of two sorts are kept apart. That a Service has no pod, or that the pod refuses a
// connection, would fail a call in the cluster, too: only that connection fails. That the API
// server cannot be reached, or does not let the user do it, says nothing about the cluster:
// it fails all further connections, and Forwarder.Err returns it.
//
// A Forwarder is safe for concurrent use.
package portforward
