// Package manifest reads Kubernetes manifests: files, folders and standard
// input with YAML or JSON in them, one object after the other.
//
//	for doc, err := range manifest.Files(paths, os.Stdin) {
//		if err != nil { ... }             // one line, with the position
//		err = doc.DecodeInto(pod, true)   // one line for each mistake
//	}
//
// The steps:
//
//  1. pieces cuts the input at "---" and "..." lines. It holds one piece in
//     memory at a time, of at most 32 MiB.
//  2. parse turns a piece into JSON values as kubectl does, with
//     sigs.k8s.io/yaml. Duplicate keys in YAML are duplicates in the JSON too.
//     Empty pieces and nulls are skipped and not counted.
//  3. A v1 List is replaced by its items, up to 16 levels deep.
//  4. The caller decodes each Document, or takes objects out of it with Part.
//     All mistakes of a document are reported at once, each with its line.
//
// Every document and every error has a file, a document number and a line; the
// line is that of the field at fault if it is known:
//
//	pods.yaml: document 2 (line 14): unknown field "spec.contianers"
//
// After a bad document reading goes on with the next one. YAML directives
// (%YAML, %TAG) are not supported. The package knows no kinds, applies no
// defaults, and does not enter folders in a folder. An iterator and its
// documents belong to one goroutine at a time.
package manifest
