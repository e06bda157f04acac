// Package validate is the command `gatehouse validate`: it validates the
// webhook configurations, admission policies and bindings in files as
// kube-apiserver does.
//
//  1. It reads the documents of the files, and counts those of other kinds.
//  2. It decodes, defaults and validates each object (packages registration and
//     policy), with the positions of the errors; a duplicate name is an error, too.
//  3. It checks the types in valid ValidatingAdmissionPolicies (package typecheck).
//  4. It prints the results as kubectl would, or as one JSON document, and then
//     the read errors.
//
// It returns message.ErrDenied if an object is invalid. Read errors are
// input errors, and come last.
//
// The package starts no goroutines, makes no connections and calls no webhook.
package validate
