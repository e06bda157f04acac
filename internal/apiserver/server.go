package apiserver

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"net"
	"path/filepath"
	"sync"

	"k8s.io/client-go/informers"
	"k8s.io/client-go/rest"

	"example.com/gatehouse/internal/apiserver/etcd"
	"example.com/gatehouse/internal/apiserver/inforce"
)

// Config is what servers differ in. The zero value is a server without admission
// plugins and with temporary data.
type Config struct {
	// Listen is the HOST:PORT to listen on, with port 0 for a free one. The
	// default, "", stands for a free port of 127.0.0.1. Every other host, and none
	// as in ":6443" in particular, lets those in who have the token and can reach
	// the machine.
	Listen string
	// Token is what the administrator shows. The default, "", stands for a random
	// one, which nobody can have known before; see ClientConfig.
	Token string
	// DataDir is the folder for everything that outlives the server; it is made
	// if it is not there, and one server can use it at a time. The default, "",
	// stands for a temporary folder that Stop removes.
	DataDir string
	// Admission is the chain of admission plugins; the default is none.
	Admission Admission
	// Webhooks says how webhooks are reached; the default is on this machine only.
	Webhooks Webhooks
	// Audit is the audit log; the default is none.
	Audit Audit
}

// Server is a running API server. Make one with Start and end it with Stop.
type Server struct {
	client *rest.Config
	// admin is the certificate that does as much as the token.
	admin pair
	stop  func() error
	// closers undo what start has done so far, last first.
	closers []func() error
}

// Start runs an API server and returns when it is ready. It returns an error, and
// nothing keeps running, if the port is in use, the data folder cannot be used, the
// admission plugins do not want to start, or ctx ends before the server is ready.
// ctx is for starting only: the server runs until Stop.
func Start(ctx context.Context, config Config) (*Server, error) {
	s := &Server{}
	s.stop = sync.OnceValue(s.close)
	if err := s.start(ctx, config); err != nil {
		return nil, errors.Join(fmt.Errorf("starting the API server: %w", err), s.Stop())
	}
	return s, nil
}

// ClientConfig returns the configuration of a client that may do everything. It
// is a copy, which the caller may change. Clients made with it send requests as
// fast as they are told to.
func (s *Server) ClientConfig() *rest.Config { return rest.CopyConfig(s.client) }

// Stop ends the server: it accepts no more requests, lets those that have come
// finish, ends watches, closes the database and removes temporary files. That
// takes a second more while clients watch: HTTP/2 gives them as much to go. No
// goroutine of the server is left then, but for timers of lists, which run out
// three seconds after the list. An error says which of these failed; the
// others were done all the same. Only the first call does something; later ones
// wait for it and return the same.
func (s *Server) Stop() error { return s.stop() }

func (s *Server) close() error {
	var errs []error
	for i := len(s.closers) - 1; i >= 0; i-- {
		errs = append(errs, s.closers[i]())
	}
	if err := errors.Join(errs...); err != nil {
		return fmt.Errorf("stopping the API server: %w", err)
	}
	return nil
}

func (s *Server) atStop(f func() error) { s.closers = append(s.closers, f) }

func (s *Server) start(ctx context.Context, config Config) error {
	address := cmp.Or(config.Listen, anyPort)
	listener, err := s.listen(ctx, address)
	if err != nil {
		return err
	}
	host, _, err := net.SplitHostPort(address)
	if err != nil {
		return err
	}
	id, err := newIdentity(host, config.Token)
	if err != nil {
		return err
	}
	s.client, s.admin = id.client(listener.Addr().String(), id.token), id.admin
	endpoint, err := s.openDatabase(ctx, config.DataDir)
	if err != nil {
		return err
	}
	server, err := s.assemble(config, id, listener, endpoint)
	if err != nil {
		return err
	}
	return s.run(ctx, server)
}

// openDatabase starts the database and returns its address.
func (s *Server) openDatabase(ctx context.Context, folder string) (string, error) {
	if folder != "" {
		folder = filepath.Join(folder, "etcd")
	}
	db, err := etcd.Start(ctx, folder)
	if err != nil {
		return "", err
	}
	s.atStop(db.Stop)
	return db.Endpoint(), nil
}

// assemble makes a generic server of all that the package has to offer. The
// server must be run, or destroyed.
func (s *Server) assemble(settings Config, id identity, listener net.Listener, endpoint string) (assembly, error) {
	t, err := newSchemes()
	if err != nil {
		return assembly{}, err
	}
	db := newDatabase(endpoint, t)
	config := newConfig(t, id, listener, db)
	config.SecureServing.ClientCA = id.clientCA
	own, err := newClients(config.LoopbackClientConfig)
	if err != nil {
		return assembly{}, err
	}
	shared := informers.NewSharedInformerFactory(own.typed, 0)
	told := inforce.New()
	found, err := s.plug(settings, config, told.Tap(shared), own)
	if err != nil {
		return assembly{}, err
	}
	if err := told.Follow(shared); err != nil {
		return assembly{}, err
	}
	custom, err := newExtensions(config, shared, db, found)
	if err != nil {
		return assembly{}, err
	}
	server, err := config.Complete(shared).New("gatehouse", custom.GenericAPIServer)
	if err != nil {
		custom.GenericAPIServer.Destroy()
		return assembly{}, fmt.Errorf("assembling the server: %w", err)
	}
	server.RegisterDestroyFunc(shared.Shutdown)
	server.Handler.NonGoRestfulMux.HandlePrefix(inforce.Path, told)
	if err := errors.Join(install(server, t, db), installReviews(server, t, config.Authentication.Authenticator), custom.join(server)); err != nil {
		server.Destroy()
		return assembly{}, err
	}
	return assembly{server, custom}, nil
}
