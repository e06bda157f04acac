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
//  1. input.piece cuts the input at "---" and "..." lines. It holds one piece in
//     memory at a time, of at most 32 MiB. A piece of more than 1 MiB is cut
//     further: JSON into its values and the items of a list (cutJSON), a list in
//     YAML, in block style, into its items (cutYAML). So they may be of any size.
//  2. parse turns a piece into JSON values as kubectl does, with
//     sigs.k8s.io/yaml. Duplicate keys in YAML are duplicates in the JSON too.
//     Empty pieces and nulls are skipped and not counted.
//  3. A list is replaced by its items, up to 16 levels deep: a v1 List, or a list
//     of one kind, such as PodList.
//  4. The caller decodes each Document, or takes objects out of it with Part.
//     All mistakes of a document are reported at once, each with its line.
//
// Every document and every error has a file, a document number and a line; the
// line is that of the field at fault if it is known:
//
//	pods.yaml: document 2 (line 14): unknown field "spec.contianers"
//
// After a bad document reading goes on with the next one. YAML directives
// (%YAML, %TAG) are not supported. The package knows no kinds and applies no
// defaults. A Reader reads paths, also recursively, and also several times. An
// iterator and its documents belong to one goroutine at a time.
package manifest
