// Package manifest reads Kubernetes manifests: files, folders and standard
// input with YAML or JSON in them, one object after the other.
//
//	for doc, err := range manifest.Files(paths, os.Stdin) {
//		if err != nil { ... }             // one line, says where
//		obj, err := doc.Decode(manifest.StrictDecoder(scheme))
//	}
//
// A document goes through these steps:
//
//  1. The splitter cuts the input at "---" and "..." lines. It holds one piece
//     in memory at a time, of at most 32 MiB.
//  2. A piece becomes JSON values: itself, if it is JSON, and there may then be
//     several in a row; or what sigs.k8s.io/yaml makes of it, so that a
//     manifest means the same here as it does to kubectl. Keys that YAML has
//     twice are twice in the JSON too. Pieces that hold nothing, nothing but
//     comments, or null are skipped and not counted.
//  3. A v1 List is replaced by its items, and lists among them by theirs, up to
//     16 deep.
//  4. apiVersion and kind are read; a document that lacks either is an error.
//  5. The caller decodes the document, into Go types with a strict decoder of
//     its choice or into an unstructured object. Objects that are fields of a
//     document can be taken out of it, as documents of their own, and a document
//     can be put in the place of a field that names its file.
//
// Every document knows its file, its number and its line, and so does every
// error:
//
//	pods.yaml: document 2 (line 14): unknown field "spec.contianers"
//
// The line is that of the field at fault where it can be known, and otherwise
// the one on which the document starts. An error never spans two lines. After a
// bad document reading goes on with the next one, so that a caller may report
// one error or all of them.
//
// YAML directives (%YAML, %TAG) are not supported. The package knows no kinds,
// applies no defaults, and follows no folder inside a folder. It starts no
// goroutines; an iterator and its documents belong to one goroutine at a time.
package manifest
