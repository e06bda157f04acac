// Package embedding puts gatehouse's plugins into API servers that others wrote, and
// drives them as their users would: over HTTPS, with client-go.
//
// There are two servers: k8s.io/apiextensions-apiserver, which serves custom
// resources, and examples/aggregated-apiserver. Both watch webhook configurations and
// namespaces on a host, which is gatehouse's own API server, and both are started
// twice: with gatehouse's plugins, and with those of k8s.io/apiserver.
//
// A scenario is a function that does something and writes down what its clients and
// its webhooks saw. Every scenario runs in all servers. What it wrote down has to be
// the same with both sets of plugins, and the same as in testdata, where people can
// read it.
//
// What a plugin of the server and webhooks change in turn (I-R) takes pods and their
// priorities. It is tried out in gatehouse's own API server, with both sets of plugins
// as well, and what has to come of it is in a table.
//
// The package has tests only. It links whole API servers and needs a few seconds to
// start them.
package embedding
