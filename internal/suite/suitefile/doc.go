// Package suitefile reads suites of tests from manifests: AdmissionTests of
// gatehouse/v1alpha1, in which the author of webhooks says which requests are made and what
// is expected of each.
//
//	for d, err := range manifest.Files(paths, os.Stdin) {
//		if err != nil || !suitefile.Is(d) { ... }
//		s, err := suitefile.Read(d)   // a line for every mistake, each says where
//	}
//
// AdmissionTest is the format, field by field; docs/suites.md tells it to users, and
// docs/schemas has it for editors. Marshal writes it.
//
// # Steps
//
//  1. The version is looked at: there is one.
//  2. The document is decoded. A field that the format does not have is a mistake, and so
//     is one that is there twice, also in the objects of which the format does not know the
//     fields. If there are such mistakes nothing else is looked for, because most of the
//     rest would follow from them.
//  3. Every field is checked as far as that can be done without knowing the webhooks:
//     names, addresses, bounds, and expectations that contradict each other. For those
//     who write expectations in Go, Expect.Check does the last. An expectation that is
//     there with null is a mistake, too: it would be met by whatever comes.
//  4. Paths are resolved: they are relative to the folder of the file, or to the working
//     directory if the suite comes from standard input.
//  5. Requests become documents. Those in files are read. Those in the suite get their
//     apiVersion and kind, and whatever they name files for, so that package requestfile
//     reads them as it reads those in files of their own. So do the objects among the
//     configurations, and the namespaces in short.
//  6. Goldens, which an update writes, are held against all that the suite reads.
//
// # Concurrency
//
// There is no state. The documents of a Suite are shared with nobody but, for their lines,
// with the document that the suite was read from, which belongs to one goroutine at a time.
// Case.At and the two Wraps ask that one, but change it no more once Read is done.
//
// # Errors
//
// The error of Read has a line for every mistake, in the order of the file: file, document,
// line, the field at fault and what is wrong with it. What is wrong in another file is said
// with both places. A file that many cases name is one mistake.
//
// # What it does not do
//
// It knows no kinds and no webhooks: it decodes no objects, and does not say whether there
// is a webhook of a name. It checks no requests, which is for package requestfile, and
// compiles no expectations. Configurations, CAs and goldens are not opened.
package suitefile
