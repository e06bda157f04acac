// Package cluster reads the input files of a simulation and sorts their
// documents by kind.
//
// Read adds the kinds of CustomResourceDefinitions before it decodes other
// documents, because a definition may come after its objects, even in another
// file. Then it decodes the rest: webhook configurations become the source of
// the engine, RBAC objects its authorizer, Namespaces its labels; other objects
// are stored objects that arguments update, or params of policies, or do not
// matter. What describes the cluster may be a param, too.
//
// There may be any number of arguments, so they are not kept. Read makes and
// drops the request of each, which finds all mistakes; Requests reads the files
// again, and makes the requests again.
//
// An argument of a kind that describes the cluster is both: a description and
// an object to admit, unless another file has described it before.
//
// There is one error of one line for every bad document, with its position.
// Remarks returns what is valid but probably not intended. A Set belongs to one
// goroutine. Package requests makes requests of the objects.
package cluster
