//go:build !(darwin || dragonfly || freebsd || illumos || linux || netbsd || openbsd)

package etcd

import "os"

// lock does nothing on systems without flock. There Start detects a database
// that is in use when it opens it, so two servers must not create a data folder
// at the same time.
func lock(*os.File) error { return nil }
