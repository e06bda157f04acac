// Package signal is for unix only.
package signal

import "syscall"

var end = syscall.Kill
