package faultserver

import (
	"fmt"
	"net"
	"syscall"
	"time"
)

// fillQueue makes the accept queue of a listener as short as possible and fills
// it. From then on the kernel drops new connections. The caller keeps the
// returned connections open as long as the queue is to be full.
func fillQueue(listener *net.TCPListener) ([]net.Conn, error) {
	if err := shorten(listener); err != nil {
		return nil, err
	}
	const (
		enough = 16
		soon   = 50 * time.Millisecond // on the loopback interface an answer takes far less
	)
	var fillers []net.Conn
	for range enough {
		filler, err := net.DialTimeout("tcp", listener.Addr().String(), soon)
		if err != nil {
			return fillers, nil
		}
		fillers = append(fillers, filler)
	}
	for _, filler := range fillers {
		_ = filler.Close()
	}
	return nil, fmt.Errorf("%d connections were accepted into a queue for one", enough)
}

// shorten listens again, which sets the queue's length anew.
func shorten(listener *net.TCPListener) error {
	raw, err := listener.SyscallConn()
	if err != nil {
		return err
	}
	var failed error
	if err := raw.Control(func(fd uintptr) { failed = syscall.Listen(int(fd), 0) }); err != nil {
		return err
	}
	return failed
}
