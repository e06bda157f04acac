package etcd

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"sync"

	"go.etcd.io/etcd/server/v3/embed"
)

// Server is a running database. Make one with Start and end it with Stop.
type Server struct {
	etcd *embed.Etcd
	// run is the temporary folder with the sockets and, unless it has a place of
	// its own, the data.
	run  string
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
	data := folder
	if folder == "" {
		data = filepath.Join(s.run, "data")
	}
	if err := claim(data); err != nil {
		return err
	}
	config := embedded(data, s.run, folder == "")
	if err := readLog(config); err != nil {
		return err
	}
	var err error
	s.etcd, err = open(config)
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
	if err := os.RemoveAll(s.run); err != nil {
		return fmt.Errorf("removing etcd's temporary files: %w", err)
	}
	return nil
}
