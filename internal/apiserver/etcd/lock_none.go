//go:build !(darwin || dragonfly || freebsd || illumos || linux || netbsd || openbsd)

package etcd

import "os"

// lock does nothing where there is no flock. A database that is there is found in use
// when it is opened all the same, so that two servers must not be the first ones, at the
// same time, with a folder.
func lock(*os.File) error { return nil }
