//go:build !(darwin || dragonfly || freebsd || illumos || linux || netbsd || openbsd)

package filelock

import "os"

// Lock does nothing on systems without flock. There an API server detects a database
// that is in use when it opens it, so that two servers must not create a data folder
// at the same time.
func Lock(*os.File) error { return nil }
