package demo

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"

	"example.com/gatehouse/examples/quickstart"
	"example.com/gatehouse/internal/cli/demo/server"
	"example.com/gatehouse/internal/offline/session"
)

// environment is the environment of the demo: running webhooks, and the files
// for them.
type environment struct {
	server *server.Server
	// dir is a temporary folder with the quickstart's files.
	dir    string
	caFile string
}

// newEnvironment starts the webhooks and writes the files. If caFile is empty,
// it writes the CA to the temporary folder.
func newEnvironment(caFile string) (*environment, error) {
	server, err := server.Start()
	if err != nil {
		return nil, err
	}
	s := &environment{server: server, caFile: caFile}
	if err := s.writeFiles(); err != nil {
		return nil, errors.Join(err, s.close())
	}
	return s, nil
}

func (s *environment) writeFiles() (err error) {
	if s.dir, err = os.MkdirTemp("", "gatehouse-demo-"); err != nil {
		return err
	}
	for _, name := range []string{"webhooks.yaml", "objects.yaml"} {
		content, err := quickstart.Files().ReadFile(name)
		if err != nil {
			return err
		}
		if err := os.WriteFile(filepath.Join(s.dir, name), content, 0o600); err != nil {
			return err
		}
	}
	if s.caFile == "" {
		s.caFile = filepath.Join(s.dir, "ca.crt")
	}
	return os.WriteFile(s.caFile, s.server.CABundle(), 0o644) //nolint:gosec // certificates are public
}

// options returns the options of `run` for these webhooks.
func (s *environment) options() *session.Options {
	o := session.NewOptions()
	o.Configs = []string{filepath.Join(s.dir, "webhooks.yaml")}
	o.Objects = []string{filepath.Join(s.dir, "objects.yaml")}
	o.CAFile = s.caFile
	for _, host := range server.Services() {
		o.Resolve = append(o.Resolve, fmt.Sprintf("%s:443:%s", host, s.server.Addr()))
	}
	return o
}

// close stops the webhooks and removes the temporary folder. A CA file
// elsewhere stays.
func (s *environment) close() error {
	err := s.server.Close()
	if s.dir == "" {
		return err
	}
	return errors.Join(err, os.RemoveAll(s.dir))
}
