package static

import "example.com/gatehouse/matching"

// Event is something that happened to a folder.
type Event struct {
	// Kind says what.
	Kind EventKind
	// Snapshot holds the folder's webhooks; for Loaded and Reloaded.
	Snapshot *matching.Snapshot
	// Configurations says how many there are; for Loaded and Reloaded.
	Configurations int
	// Hash is that of the files, and empty if there is nothing in them (S-041); for
	// Loaded and Reloaded.
	Hash string
	// Err says what went wrong; for all other kinds.
	Err error
}

// EventKind says what happened to a folder.
type EventKind uint8

const (
	// Loaded: Open has read the folder (S-050).
	Loaded EventKind = 1 + iota
	// Reloaded: the files have changed, and what is in them is in force.
	Reloaded
	// LoadFailed: the files cannot be used. It is told again whenever somebody has
	// looked, at the latest after a minute (S-049).
	LoadFailed
	// CheckFailed: a selector does not parse, or compiling panicked. It is told once
	// for what is in the files (S-049).
	CheckFailed
	// WatchFailed: changes may be noticed late, by looking once a minute (S-048).
	WatchFailed
)

// String returns the kind's name for messages of tests and tools.
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
