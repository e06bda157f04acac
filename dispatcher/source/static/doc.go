// Package static serves the webhooks of a folder of manifests: those that an API
// server has from its own disk, before and beside those of its API
// (staticManifestsDir of a WebhookAdmissionConfiguration, S-040 to S-052).
//
//	Open   a folder, read and followed as it changes: a dispatcher.Source
//	Load   what is in a folder now
//	Join   folders and the webhooks of an API: a dispatcher.StaticSource
//
// On the way from files to a request's snapshot these steps are taken, in this
// order:
//
//	rest      the folder is waited for until nobody writes to it
//	read      the .yaml, .yml and .json files in it, by name (S-040, S-041)
//	decode    strictly, one document after the other, and lists of them (S-042)
//	default   what an API server would have filled in is filled in (S-043)
//	validate  as on creation, and by the rules for manifests (S-043 to S-045)
//	sort      by configuration name (S-046)
//	compile   what has changed since the last time
//	check     selectors have to parse (S-047)
//	publish   one immutable snapshot replaces the one before
//
// A step that fails ends the way: Open returns the error, and later the snapshot
// before stays in force (S-049). Changes are noticed by a file watch and, should
// that fail or miss one, once a minute (S-048).
//
// # Half-written folders
//
// What is read is what somebody meant. A file that is cut off between two
// documents, or has just been emptied to be written again, is a valid manifest
// with fewer webhooks, and kube-apiserver would serve it. Here a folder counts as
// written when its manifests (names, sizes, times, identity) have stayed the same
// for half a second, or for five seconds if one of them that had content is empty;
// and what was read while it changed is read again. Until then the set before is
// in force, whole. So a change takes that much longer to be noticed. With
// Config.Exact the folder is read at once, as kube-apiserver does.
//
// A folder that is not at rest within ten seconds is reported as one that cannot be
// loaded, and again every minute, until it is.
//
// A writer that pauses for longer with half of a file written, at the end of a
// document, cannot be told from one who has finished. Whoever updates a folder
// should write new files elsewhere in the same file system and rename them into
// it, or, for several files that belong together, have them be symbolic links
// through a folder that is itself a link and is replaced, as the volumes of
// ConfigMaps are. Should the folder's own path be such a link, replacing it is
// noticed within a minute.
//
// # Concurrency
//
// Everything here is safe for concurrent use. A reader takes one atomic load per
// folder and no lock; the first one after a change, and those who come meanwhile,
// wait until the folders' webhooks and those of the API are put together. An open
// Folder has two goroutines besides those of the file watch, and Close ends all of
// them.
//
// # Errors
//
// Texts are kube-apiserver's, word for word, with the exception of that about a
// folder that does not come to rest while it is opened. A panic while manifests
// are decoded or compiled is an error like others.
//
// # What it does not do
//
// It does not log or count: Config.Report is told, by one goroutine at a time. It
// does not look into folders inside the folder, and knows no admission policies.
package static
