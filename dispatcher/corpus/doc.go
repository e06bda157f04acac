// Package corpus stores admission requests in files, so that other webhooks and
// policies can admit them again later.
//
// A corpus is a folder of files with one Entry per line, as JSON: *.jsonl, or
// *.jsonl.zst if they are compressed. The names of the files have no meaning.
// An Entry contains the AdmissionReview of a request as the API server received
// it, before any webhook changed it, and, if known, the answers of the webhooks
// and the verdict.
//
// FromResponse creates and redacts the Entry of a request. A Writer appends
// entries to its own files. A Recorder does both for the requests of a server,
// without delaying them. Read returns the entries of files and folders one by
// one, with the position of each line that is not an Entry.
//
// docs/corpus.md describes the format. Numbers such as S-123 refer to
// docs/semantics.md.
package corpus
