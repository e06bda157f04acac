// Package golden compares final objects with files, and writes the files.
//
//  1. The final object is made ready: without metadata.managedFields, which tell how it
//     came about rather than what it is, and without metadata.name if the request left
//     that to generateName, because it would be another one each time.
//  2. Check reads the file and compares the two as package explain compares states of an
//     object: layout, comments and the order of keys do not matter.
//  3. Write writes the object in YAML, as `gatehouse run -o yaml` does, unless the file
//     says the same already, or holds anything but an object of the same kind. Whoever
//     reads a file meanwhile finds the old one or the new one, and never a part of one. A
//     link to the file stays a link.
//  4. An Update writes each file once. A file that several cases name is that of the
//     first, and the others are compared with it.
//
// What a server fills in (admission.Request.SystemFields) is in the object if it was asked
// for, and differs from run to run.
//
// A file holds what the object holds: for a Secret that is its data. Failures have none of
// it.
//
// # Concurrency
//
// Check and Write share nothing. Several may check and write the same file; the last one to
// write it wins. An Update may be used by several goroutines; the first one to write a file
// wins.
//
// # Errors
//
// They name the file, and the line if something is wrong with what is in it. A file that
// is not there is no error but a Failure, which says how to have it written.
//
// # What it does not do
//
// It does not know the format of suites: paths are ready to be opened. Files are written
// only for requests that were admitted.
package golden
