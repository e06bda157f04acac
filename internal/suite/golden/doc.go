// Package golden compares final objects with files, and writes the files.
//
//  1. From the final object it removes metadata.managedFields, and a
//     metadata.name that was generated, because that differs on every run.
//  2. Check compares it with the file as package explain compares objects:
//     layout, comments and the order of keys do not matter.
//  3. Write writes the object as YAML, as `gatehouse run -o yaml` does, unless
//     the file is equal already, or has anything but an object of the same
//     kind. The file is replaced atomically. A link stays a link.
//  4. An Update writes each file once. The first of several cases with a golden
//     file writes it, and the others are compared with it.
//
// A file contains the whole object, even the data of a Secret. Failures do not.
//
// Check and Write are safe for concurrent use; the last writer of a file wins.
// An Update is safe for concurrent use; the first writer of a file wins.
package golden
