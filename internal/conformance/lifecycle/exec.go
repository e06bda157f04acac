package lifecycle

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"math"
	"net"
	"os"
	"runtime"
	"strconv"
	"time"

	"example.com/gatehouse/internal/suite/process"
	"example.com/gatehouse/internal/suite/suitefile"
)

// Exec is a command that serves the webhooks. The checks may run it several
// times concurrently.
type Exec struct {
	// Command is the program with its arguments. Its environment has PORT,
	// CERT_DIR, TLS_CERT_FILE, TLS_KEY_FILE and BACKEND. The launcher expands
	// references such as $(PORT), as in suites. Required.
	Command []string
	// Timeout limits each step of a check: the time to become ready, to end after
	// SIGTERM, and to serve a new certificate. Default: 30 s.
	Timeout time.Duration
	// PreStop is the time by which a preStop hook delays SIGTERM. Default: 0.
	PreStop time.Duration
	// EndpointLag is the time for which a terminating pod still receives new
	// connections. Default: 2 s.
	EndpointLag time.Duration
	// Backend is the address, HOST:PORT, of a server that the webhooks call.
	// BACKEND has the address of a proxy to it. Default: none.
	Backend string
	// Reviews is the number of reviews after which the memory is compared.
	// Default: 10,000.
	Reviews int
	// Starting is called before the first process starts, for example to handle
	// signals so that the processes are stopped. Default: none.
	Starting func()
}

const (
	defaultTimeout     = 30 * time.Second
	defaultEndpointLag = 2 * time.Second
	defaultReviews     = 10_000
)

// Check returns an error if a field is invalid.
func (e *Exec) Check() error {
	switch {
	case runtime.GOOS == "windows":
		return errors.New("there is no SIGTERM on Windows")
	case len(e.Command) == 0 || e.Command[0] == "":
		return errors.New("there is no command")
	case e.Timeout < 0 || e.PreStop < 0 || e.EndpointLag < 0 || e.Reviews < 0:
		return errors.New("times and numbers must not be negative")
	}
	if e.Backend == "" {
		return nil
	}
	_, port, err := net.SplitHostPort(e.Backend)
	if n, bad := strconv.ParseUint(port, 10, 16); err != nil || bad != nil || n == 0 {
		return fmt.Errorf("the backend %q: want HOST:PORT", e.Backend)
	}
	return nil
}

// Launcher starts processes of a command. The first one runs until Close.
type Launcher struct {
	exec  Exec
	names []string
	first *process.Process
	// backend is the proxy to Exec.Backend; nil without one.
	backend *service
}

// Launch starts the first process and waits until it accepts connections. names
// are the DNS names of its certificate.
func Launch(ctx context.Context, e Exec, names []string) (*Launcher, error) {
	e.Timeout = cmp.Or(e.Timeout, defaultTimeout)
	e.EndpointLag = cmp.Or(e.EndpointLag, defaultEndpointLag)
	e.Reviews = cmp.Or(e.Reviews, defaultReviews)
	l := &Launcher{exec: e, names: names}
	var err error
	if e.Backend != "" {
		if l.backend, err = newService(ctx, e.Backend); err != nil {
			return nil, err
		}
	}
	if l.first, err = l.start(ctx, 0); err != nil {
		l.Close()
		return nil, err
	}
	return l, nil
}

// Close stops the first process.
func (l *Launcher) Close() {
	if l == nil {
		return
	}
	if l.first != nil {
		_ = l.first.Stop() // if it ended before, it has failed checks
	}
	if l.backend != nil {
		l.backend.close()
	}
}

// CABundle returns the CA of the first process, in PEM.
func (l *Launcher) CABundle() []byte { return l.first.CABundle() }

// Dial connects to the first process. It ignores the address.
func (l *Launcher) Dial(ctx context.Context, network, _ string) (net.Conn, error) {
	return new(net.Dialer).DialContext(ctx, network, l.first.Address())
}

// start starts a process. grace is the time between SIGTERM and SIGKILL; 0 is the
// default of suites.
func (l *Launcher) start(ctx context.Context, grace time.Duration) (*process.Process, error) {
	folder, err := os.Getwd()
	if err != nil {
		return nil, fmt.Errorf("starting the webhook: %w", err)
	}
	var env []suitefile.EnvVar
	if l.backend != nil {
		env = []suitefile.EnvVar{{Name: "BACKEND", Value: l.backend.address()}}
	}
	return process.Start(ctx, process.Config{Names: l.names, Exec: &suitefile.Exec{
		Env:          env,
		Command:      l.exec.Command,
		WorkingDir:   folder,
		StartSeconds: wholeSeconds(l.exec.Timeout),
		StopSeconds:  wholeSeconds(grace),
	}})
}

func wholeSeconds(d time.Duration) int32 { return int32(math.Ceil(d.Seconds())) }
