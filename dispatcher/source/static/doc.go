// Package static serves the webhooks of a folder of manifests, which an API
// server reads from its own disk, independently of its API (staticManifestsDir
// of a WebhookAdmissionConfiguration, S-040 to S-052).
//
//	Open   reads a folder and follows its changes: a dispatcher.Source
//	Load   reads a folder once
//	Merge  joins folders and the webhooks of an API: a dispatcher.StaticSource
//
// A Folder detects changes with a file watch, and checks once a minute in case
// the watch fails or misses a change (S-048). If a folder cannot be loaded,
// Open returns the error; later the previous snapshot stays in force (S-049).
// Error texts are kube-apiserver's, word for word, except for a folder that
// does not stop changing.
//
// # Half-written folders
//
// A file that is truncated between two documents, or that was just emptied to
// be written again, is a valid manifest with fewer webhooks; kube-apiserver
// would serve it. A Folder is loaded only when its manifests (names, sizes,
// modification times, identity) have stayed the same for half a second, so a
// change takes effect that much later. It is loaded again if it has changed
// while it was read. If it does not stop changing, the Folder reports
// LoadFailed every ten seconds. With Config.Exact the folder is read at once,
// as kube-apiserver does.
//
// A Folder cannot detect a writer that pauses for longer, in an empty file or
// at the end of a document. To update a folder safely, write new files
// elsewhere in the same file system and rename them into the folder. For
// several files that belong together, make them symbolic links through a folder
// that is itself a link, and replace that link, as the volumes of ConfigMaps
// do. If the path of the folder itself is such a link, its replacement is
// noticed within a minute.
//
// # Concurrency
//
// Everything in this package is safe for concurrent use. A reader takes one
// atomic load per folder and no lock. The first reader of a Merged source after
// a change, and readers that arrive meanwhile, wait until the webhooks of the
// folders and the API are merged. An open Folder has two goroutines besides
// those of the file watch; Close ends all of them.
//
// Numbers such as S-123 refer to docs/semantics.md.
package static
