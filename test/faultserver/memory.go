package faultserver

import (
	"context"
	"net"
	"os"
	"sync"
	"sync/atomic"
	"syscall"
	"time"
)

// memoryListener accepts connections that never leave the process. What waits
// on it waits on channels only, so that the virtual time of testing/synctest
// goes on.
type memoryListener struct {
	address  *net.TCPAddr
	incoming chan net.Conn
	closed   chan struct{}
	close    sync.Once
	clients  atomic.Int64 // that have tried to connect
}

func newMemoryListener(port int) *memoryListener {
	return &memoryListener{
		address:  &net.TCPAddr{IP: net.IPv4(127, 0, 0, 1), Port: port},
		incoming: make(chan net.Conn),
		closed:   make(chan struct{}),
	}
}

func (l *memoryListener) Accept() (net.Conn, error) {
	select {
	case c := <-l.incoming:
		return c, nil
	case <-l.closed:
		return nil, net.ErrClosed
	}
}

func (l *memoryListener) Close() error {
	l.close.Do(func() { close(l.closed) })
	return nil
}

func (l *memoryListener) Addr() net.Addr { return l.address }

const maxPort = 1<<16 - 1

// dial makes a connection from a port of its own.
func (l *memoryListener) dial(ctx context.Context) (net.Conn, error) {
	port := 1 + int(l.clients.Add(1)%maxPort) // used again after a while, as a kernel does
	client, server := newPipe(l.address, port)
	var err error
	select {
	case <-l.closed: // also when both could go on
		err = refused()
	default:
		select {
		case l.incoming <- server:
			return client, nil
		case <-l.closed:
			err = refused()
		case <-ctx.Done():
			err = ctx.Err()
		}
	}
	return nil, &net.OpError{Op: "dial", Net: "tcp", Addr: l.address, Err: err}
}

func refused() error { return os.NewSyscallError("connect", syscall.ECONNREFUSED) }

// capacity is how much one direction of a connection holds unread, as a kernel
// would.
const capacity = 64 << 10

// pipe is one direction of a connection in memory.
type pipe struct {
	mu      sync.Mutex
	data    []byte
	ended   bool          // Invariant: nothing is added after the writer ended.
	dropped bool          // the reader went away; what is written is lost
	changed chan struct{} // closed, and replaced, when anything above changes
}

func newHalf() *pipe { return &pipe{changed: make(chan struct{})} }

// change does something under the lock and wakes all goroutines that wait.
func (p *pipe) change(do func()) {
	p.mu.Lock()
	defer p.mu.Unlock()
	do()
	close(p.changed)
	p.changed = make(chan struct{})
}

// attempt does something under the lock and returns what to wait for if it
// could not.
func (p *pipe) attempt(do func() bool) (done bool, changed <-chan struct{}) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if !do() {
		return false, p.changed
	}
	close(p.changed)
	p.changed = make(chan struct{})
	return true, nil
}

// deadline is a time until which may be waited; it can be moved meanwhile.
type deadline struct {
	mu    sync.Mutex
	at    time.Time
	moved chan struct{} // closed, and replaced, by set
}

func newDeadline() *deadline { return &deadline{moved: make(chan struct{})} }

func (d *deadline) set(at time.Time) {
	d.mu.Lock()
	defer d.mu.Unlock()
	d.at = at
	close(d.moved)
	d.moved = make(chan struct{})
}

func (d *deadline) get() (at time.Time, moved <-chan struct{}) {
	d.mu.Lock()
	defer d.mu.Unlock()
	return d.at, d.moved
}

// wait returns when something changed, or the deadline, or with the error that
// it is over.
func (d *deadline) wait(changed <-chan struct{}) error {
	at, moved := d.get()
	if at.IsZero() {
		select {
		case <-changed:
		case <-moved:
		}
		return nil
	}
	left := time.Until(at)
	if left <= 0 {
		return os.ErrDeadlineExceeded
	}
	timer := time.NewTimer(left)
	defer timer.Stop()
	select {
	case <-changed:
	case <-moved:
	case <-timer.C:
		return os.ErrDeadlineExceeded
	}
	return nil
}

// over reports a deadline that has passed; it comes before whatever could be
// read or written.
func (d *deadline) over() bool {
	at, _ := d.get()
	return !at.IsZero() && !time.Now().Before(at)
}
