// Package requestfile reads requests from manifests: AdmissionRequests of
// gatehouse/v1alpha1, the format in which users write requests, and the
// AdmissionReviews of admission.k8s.io that an API server sent to a webhook.
//
//	for doc, err := range manifest.Files(paths, os.Stdin) {
//		if err != nil || !requestfile.Is(doc.Kind) { ... }
//		r, err := requestfile.Read(doc)   // one line, with the position
//	}
//
// AdmissionRequest is the format; docs/requests.md documents it, and
// docs/schemas has it for editors.
//
// Duplicate fields are errors anywhere in a document. Unknown fields of an
// AdmissionRequest are errors; those of an AdmissionReview are ignored, because
// a newer server may have sent them. Objects become documents, so that errors
// of decoding them have the file and the line. Read then sets the default of
// the operation and checks that its objects are present (S-217), and that an
// AdmissionReview, which users write as well, has the fields that every server
// sends.
//
// Errors have the position and the invalid field. Read returns all mistakes of
// decoding a document together, one line each, and otherwise the first mistake.
//
// The package knows no kinds and no resources: it decodes no objects, applies
// no patches and sets no names. Package request checks the options of an
// operation and the names. There is no state; a Request shares the document
// that it was read from.
package requestfile
