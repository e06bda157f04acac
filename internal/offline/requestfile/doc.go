// Package requestfile reads requests from manifests: AdmissionRequests of
// gatehouse/v1alpha1, the format in which people write requests, and the
// AdmissionReviews of admission.k8s.io that a server has sent to a webhook.
//
//	for doc, err := range manifest.Files(paths, os.Stdin) {
//		if err != nil || !requestfile.Is(doc.Kind) { ... }
//		r, err := requestfile.Read(doc)   // one line, says where
//	}
//
// AdmissionRequest is the format, field by field; docs/requests.md tells it to
// users, and docs/schemas has it for editors.
//
// # Steps
//
//  1. apiVersion and kind say what is to be read; whatever else is in the two API
//     groups is an error.
//  2. Fields that are there twice are errors, anywhere in the document.
//  3. The document is decoded. An AdmissionRequest with a field that the format
//     does not have is an error. In an AdmissionReview such fields are ignored,
//     because a newer server may have sent it; objects and options are kept as
//     they are, and are to be decoded as tolerantly.
//  4. Objects become documents of their own, so that whoever decodes them can say
//     in which line of which file something is wrong.
//  5. The operation is settled, and what it comes with is checked: which objects
//     it has (S-217), that a patch can be meant, and for an AdmissionReview, which
//     people write as well, that it says what every server says and does not
//     contradict itself.
//
// # Concurrency
//
// There is no state. A Request shares the document that it was read from, which
// belongs to one goroutine at a time.
//
// # Errors
//
// An error is one line: file, document, line, the field at fault and what is wrong
// with it. Only the first mistake of a document is reported, except for fields that
// do not exist, which are reported together.
//
// # What it does not do
//
// It knows no kinds and no resources: it decodes no objects, applies no patches and
// fills in no names. What package request checks, such as which options an operation
// has and whether the names agree, is left to it.
package requestfile
