package command

import "runtime/debug"

// Version returns the version that the go command recorded in a program, which
// for a build from a working copy may be none. info may be nil.
func Version(info *debug.BuildInfo) string {
	if info == nil || info.Main.Version == "" {
		return "(devel)"
	}
	return info.Main.Version
}
