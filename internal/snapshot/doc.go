// Package snapshot reads from a cluster what the commands of gatehouse take as files.
//
//  1. Read asks the API server which kinds it serves, and lists all objects of those in
//     kinds.go, in pages.
//  2. The policies and bindings among them name params, which are read next, and the
//     webhooks name Services, whose pods are read last.
//  3. Secrets are read only if they are named, and only their certificates are kept.
//  4. Every object loses what changes without it: managedFields, resourceVersion,
//     generation, and what commands do not use of its status.
//  5. Folder.Write writes a file for each kind, sorted, in place of what the folder had.
//
// The result depends on the objects alone: a second snapshot of an unchanged cluster is the
// same to the byte. It is not one moment: each kind is read at its own time.
//
// Only GET requests are sent, one after the other, which end with the context. Answers and
// the whole snapshot are bounded. What the user may not read is collected, and the
// *ForbiddenError names all of it with the rules of RBAC that allow it. Errors have one line
// for each problem, may quote what the server says, and quote no content of objects.
package snapshot
