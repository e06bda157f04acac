package etcd

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"sync"
	"syscall"

	"go.etcd.io/etcd/server/v3/embed"
)

// Server is a running database. Start creates it; the caller must call Stop.
type Server struct {
	etcd *embed.Etcd
	// runDir is the temporary folder for the sockets and for temporary data.
	runDir string
	// lock is the lock on the data folder; nil until it is acquired.
	lock io.Closer
	stop func() error
}

// Start starts a database with the data in folder, which it creates if
// necessary; "" is a temporary folder. It returns when clients can use the
// database. It fails if the folder cannot be created or written to or is in
// use, or if ctx ends first. After Start has returned, the database does not
// depend on ctx.
func Start(ctx context.Context, folder string) (*Server, error) {
	s, err := newServer(ctx, folder)
	if err != nil {
		return nil, fmt.Errorf("starting etcd: %w", err)
	}
	return s, nil
}

func newServer(ctx context.Context, folder string) (*Server, error) {
	runDir, err := os.MkdirTemp("", "gatehouse-")
	if err != nil {
		return nil, fmt.Errorf("creating a folder for its sockets: %w", err)
	}
	s := &Server{runDir: runDir}
	s.stop = sync.OnceValue(s.close)
	if err := s.serve(ctx, folder); err != nil {
		return nil, errors.Join(err, s.Stop())
	}
	return s, nil
}

func (s *Server) serve(ctx context.Context, folder string) error {
	if err := context.Cause(ctx); err != nil {
		return err
	}
	if err := s.checkSockets(); err != nil {
		return err
	}
	data := folder
	if folder == "" {
		data = filepath.Join(s.runDir, "data")
	}
	var err error
	if s.lock, err = lockDataDir(ctx, data); err != nil {
		return err
	}
	if err := checkWAL(data); err != nil {
		return err
	}
	s.etcd, err = start(ctx, newConfig(data, s.runDir, folder == ""), startGrace)
	if err != nil {
		return fmt.Errorf("serving the data in %s: %w", data, err)
	}
	select {
	case <-s.etcd.Server.ReadyNotify():
		return nil
	case <-ctx.Done():
		return fmt.Errorf("waiting for the data in %s: %w", data, context.Cause(ctx))
	}
}

// checkSockets returns an error if the paths of the sockets are longer than the
// system allows. The error of the system itself does not say what to do.
func (s *Server) checkSockets() error {
	longest := max(len(socket(s.runDir, "peers").Path), len(socket(s.runDir, "clients").Path))
	if limit := len(syscall.RawSockaddrUnix{}.Path) - 1; longest > limit {
		return fmt.Errorf("the name of the folder for temporary files, %s, is %d characters too long "+
			"for sockets in it: set TMPDIR to another one", os.TempDir(), longest-limit)
	}
	return nil
}

// Endpoint returns the endpoint for etcd clients.
func (s *Server) Endpoint() string {
	address := socket(s.runDir, "clients")
	return address.String()
}

// Stop closes the database and its connections and removes temporary files. It
// fails if files cannot be removed. Further calls return the result of the
// first.
func (s *Server) Stop() error { return s.stop() }

func (s *Server) close() error {
	if s.etcd != nil {
		s.etcd.Close()
	}
	var errs []error
	if s.lock != nil {
		if err := s.lock.Close(); err != nil {
			errs = append(errs, fmt.Errorf("unlocking etcd's data: %w", err))
		}
	}
	if err := os.RemoveAll(s.runDir); err != nil {
		errs = append(errs, fmt.Errorf("removing etcd's temporary files: %w", err))
	}
	return errors.Join(errs...)
}
