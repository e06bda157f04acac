//go:build !linux

package faultserver

import (
	"errors"
	"net"
)

// fillQueue is known to work on Linux; others accept more than they are asked
// to, or refuse instead of dropping.
func fillQueue(*net.TCPListener) ([]net.Conn, error) {
	return nil, errors.New("listen: full is for Linux only")
}
