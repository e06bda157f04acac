// Package suitefile decodes suites of tests: AdmissionTests of
// gatehouse/v1alpha1, which list requests and the expected responses.
// AdmissionTest is the format, field by field; docs/suites.md documents it for
// users, and docs/schemas has a JSON schema for editors. Marshal encodes it.
//
//  1. Read checks the version, and decodes the document. Unknown and duplicate
//     fields are mistakes, even in objects of other kinds. After such mistakes
//     it stops, because most further errors would follow from them.
//  2. It validates every field as far as possible without the webhooks: names,
//     addresses, ranges, and contradicting expectations. A null expectation is
//     a mistake, too: it would always be met.
//  3. It resolves paths: they are relative to the folder of the file, or to the
//     working directory for standard input.
//  4. It makes documents of the requests, for package requestfile: it reads
//     those in files, and adds apiVersion, kind and referenced files to those
//     in the suite. Objects among the configurations, and namespaces in short
//     form, become documents, too.
//  5. It rejects golden files that the suite reads as input.
//
// A mistake in another file has both positions. A broken file that many cases
// name is reported once. The package knows no kinds and no webhooks: package
// requestfile checks requests; package expect compiles expectations.
//
// The documents of a Suite take positions from the source document, which
// belongs to one goroutine at a time. Case.At and the two Wraps only read it
// once Read has returned.
package suitefile
