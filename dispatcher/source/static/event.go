package static

import "example.com/gatehouse/matching"

// Event reports the result of loading or watching a folder.
type Event struct {
	// Kind is the kind of the event.
	Kind EventKind
	// Snapshot holds the folder's webhooks; for Loaded and Reloaded.
	Snapshot *matching.Snapshot
	// Configurations is the number of configurations; for Loaded and Reloaded.
	Configurations int
	// Hash is the hash of the files, empty if the files are empty (S-041); for
	// Loaded and Reloaded.
	Hash string
	// Err is the error; for all other kinds.
	Err error
}

// EventKind is the kind of an Event.
type EventKind uint8

const (
	// Loaded: Open has read the folder (S-050).
	Loaded EventKind = 1 + iota
	// Reloaded: the files have changed and their configurations are in force.
	Reloaded
	// LoadFailed: the files cannot be loaded. It is reported after every
	// attempt, at least once a minute (S-049).
	LoadFailed
	// CheckFailed: a selector does not parse, or compiling panicked. It is
	// reported once for the same content (S-049).
	CheckFailed
	// WatchFailed: the file watch failed; changes are noticed once a minute
	// (S-048).
	WatchFailed
)

// String returns the name of the kind, for messages of tests and tools.
func (k EventKind) String() string {
	names := [...]string{
		Loaded:      "loaded",
		Reloaded:    "reloaded",
		LoadFailed:  "load failed",
		CheckFailed: "check failed",
		WatchFailed: "watch failed",
	}
	if k == 0 || int(k) >= len(names) {
		return "unknown"
	}
	return names[k]
}
