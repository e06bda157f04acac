// Package results stores the results of replays in files, and merges them.
//
// A replay may be divided into N shards, 0 to N-1: a Shard has the requests whose
// IDs have its hash. Each shard writes a file of its own, results-I-of-N.jsonl,
// readable by its owner only:
//
//  1. a Header says which corpus was replayed with which settings;
//  2. a line for each replay.Result, in the order of the corpus;
//  3. an End says that the shard is complete.
//
// Open continues a file whose process was killed: it removes what comes after the
// last whole line, and the Writer returns the earlier results again. It refuses a
// file of another corpus or of other settings, and never changes a whole line.
//
// Merge sorts the results of all shards by ID, so that they do not depend on the
// number of shards. Its memory does not depend on the number of results; it needs
// the same room on disk again.
package results
