// Package cluster reads what a simulation is given, and sorts it by what it is good
// for.
//
// Read takes these steps:
//
//  1. the files are read and split into documents, in the order of Files;
//  2. CustomResourceDefinitions teach kinds, before anything else is decoded: they may
//     come after what they define, in another file even;
//  3. the other documents are decoded and put where they belong: webhook
//     configurations become the source of the engine, RBAC objects its authorizer,
//     Namespaces its labels, and the rest are objects, or what objects update. Request
//     files and AdmissionReviews are kept as they are written.
//
// Of a Set follow the Maker of requests, the Authorizer, and by Describe the namespaces.
//
// What describes the cluster may stand among the arguments, too; there it is both, a
// description and an object, unless something else has described it before.
//
// # Concurrency
//
// A Set belongs to one goroutine.
//
// # Errors
//
// There is one for every document with a mistake, each of one line, with the file, the
// number of the document and the line. What is no mistake, but may not be what was
// meant, is for Remarks.
//
// # What it does not do
//
// It makes no requests of the objects (package requests), and connects to nobody but, when
// objects have to be converted, to conversion webhooks.
package cluster
