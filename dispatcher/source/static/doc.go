// Package static serves the webhooks of a folder of manifests, which an API server
// reads from its own disk, independently of its API (staticManifestsDir of a
// WebhookAdmissionConfiguration, S-040 to S-052).
//
//	Open   reads a folder and follows its changes: a dispatcher.Source
//	Load   reads a folder once
//	Merge  joins folders and the webhooks of an API: a dispatcher.StaticSource
//
// A Folder turns files into a snapshot for requests in these steps, in this order:
//
//	debounce  wait until the files have stopped changing
//	read      read the .yaml, .yml and .json files by name (S-040, S-041)
//	decode    decode strictly, one document after the other, and lists (S-042)
//	default   apply the defaults of an API server (S-043)
//	validate  as on creation, and by the rules for manifests (S-043 to S-045)
//	sort      order configurations by name (S-046)
//	compile   compile the configurations that have changed
//	check     reject selectors that do not parse (S-047)
//	publish   replace the snapshot by a new, immutable one
//
// If a step fails, Open returns the error; later the previous snapshot stays in force
// (S-049). A Folder notices changes by a file watch and once a minute, in case the
// watch fails or misses a change (S-048).
//
// # Half-written folders
//
// A folder is loaded only when its files have stopped changing. A file that is
// truncated between two documents, or that was just emptied to be written again, is a
// valid manifest with fewer webhooks; kube-apiserver would serve it. A Folder waits
// until the manifests (names, sizes, modification times, identity) have stayed the
// same for half a second, or for five seconds if one of them had content and is now
// empty. It loads the folder again if it has changed while it was read. Until then the
// previous snapshot stays in force, so a change takes effect that much later. With
// Config.Exact the folder is read at once, as kube-apiserver does.
//
// If a folder does not stop changing within ten seconds, the Folder reports LoadFailed,
// and again every minute until it does.
//
// A Folder cannot detect a writer that pauses for longer at the end of a document. To
// update a folder safely, write new files elsewhere in the same file system and rename
// them into the folder. For several files that belong together, make them symbolic
// links through a folder that is itself a link, and replace that link, as the volumes
// of ConfigMaps do. If the path of the folder itself is such a link, its replacement
// is noticed within a minute.
//
// # Concurrency
//
// Everything in this package is safe for concurrent use. A reader takes one atomic
// load per folder and no lock. The first reader of a Merged source after a change, and
// readers that arrive meanwhile, wait until the webhooks of the folders and the API
// are merged. An open Folder has two goroutines besides those of the file watch; Close
// ends all of them.
//
// # Errors
//
// Error texts are kube-apiserver's, word for word, except for a folder that does not
// stop changing. A panic while manifests are decoded or compiled is returned as an
// error.
//
// # What it does not do
//
// It does not log or count; Config.Report receives events, one at a time. It does not
// read subfolders and does not know admission policies.
package static
