// Package embedding tests gatehouse's plugins in API servers of other projects,
// over HTTPS, with client-go.
//
// There are two servers: k8s.io/apiextensions-apiserver, which serves custom
// resources, and examples/aggregated-apiserver. Both watch webhook
// configurations and namespaces of gatehouse's own API server. Both are started
// twice: with gatehouse's plugins and with those of k8s.io/apiserver.
//
// A scenario is a function that writes down what its clients and its webhooks
// observe; the audit annotations of its requests and the metrics of its webhooks
// follow. Every scenario runs in all servers. Its transcript must be the same
// with both sets of plugins, and equal to the file in testdata.
//
// Reinvocation together with an in-tree plugin (I-R) needs pods and their
// priorities. It is tested in gatehouse's own API server, with both sets of
// plugins, against a table of expected results.
//
// TestBehindServe runs the example as a program whose host is gatehouse's API
// server, with nothing but the host's kubeconfig.
//
// The package has only tests. It links whole API servers, which need a few
// seconds to start.
package embedding
