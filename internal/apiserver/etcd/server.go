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

// Server is a running database. Make one with Start and end it with Stop.
type Server struct {
	etcd *embed.Etcd
	// run is the temporary folder with the sockets and, unless it has a place of
	// its own, the data.
	run string
	// lock keeps others from the data; nil before it is taken.
	lock io.Closer
	stop func() error
}

// Start runs a database on the data in a folder, which is made if it is not
// there; "" stands for a temporary one. It returns when the database can be
// used, or an error if the folder cannot be made, written to, or is open
// elsewhere, or if ctx ends before. ctx is for starting only.
func Start(ctx context.Context, folder string) (*Server, error) {
	s, err := start(ctx, folder)
	if err != nil {
		return nil, fmt.Errorf("starting etcd: %w", err)
	}
	return s, nil
}

func start(ctx context.Context, folder string) (*Server, error) {
	run, err := os.MkdirTemp("", "gatehouse-")
	if err != nil {
		return nil, fmt.Errorf("making a folder for its sockets: %w", err)
	}
	s := &Server{run: run}
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
		data = filepath.Join(s.run, "data")
	}
	var err error
	if s.lock, err = claim(ctx, data); err != nil {
		return err
	}
	config := embedded(data, s.run, folder == "")
	if err := readLog(config); err != nil {
		return err
	}
	s.etcd, err = open(ctx, config, grace)
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

// checkSockets makes sure that the sockets can have their names, for which systems have
// little room. The error that comes otherwise tells nobody what to do.
func (s *Server) checkSockets() error {
	longest := max(len(socket(s.run, "peers").Path), len(socket(s.run, "clients").Path))
	if room := len(syscall.RawSockaddrUnix{}.Path) - 1; longest > room {
		return fmt.Errorf("the name of the folder for temporary files, %s, is %d characters too long for sockets in it: set TMPDIR to another one", os.TempDir(), longest-room)
	}
	return nil
}

// Endpoint returns the address for clients, as they expect it.
func (s *Server) Endpoint() string {
	address := socket(s.run, "clients")
	return address.String()
}

// Stop closes the database and removes temporary files. Clients that are still
// connected are cut off. An error says that files could not be removed. Only the
// first call does something; later ones return the same.
func (s *Server) Stop() error { return s.stop() }

func (s *Server) close() error {
	if s.etcd != nil {
		s.etcd.Close()
	}
	var errs []error
	if s.lock != nil {
		if err := s.lock.Close(); err != nil {
			errs = append(errs, fmt.Errorf("giving back etcd's data: %w", err))
		}
	}
	if err := os.RemoveAll(s.run); err != nil {
		errs = append(errs, fmt.Errorf("removing etcd's temporary files: %w", err))
	}
	return errors.Join(errs...)
}
