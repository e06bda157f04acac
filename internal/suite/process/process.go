package process

import (
	"cmp"
	"context"
	"fmt"
	"io"
	"os/exec"
	"strconv"
	"strings"
	"sync"
	"time"

	"example.com/gatehouse/admission/limits"
	"example.com/gatehouse/internal/suite/suitefile"
)

// Default timeouts to become ready, and to end.
const (
	defaultStart = 60 // seconds
	defaultStop  = 5
)

// Config describes a command.
type Config struct {
	// Exec is the suite's specification. Required.
	Exec *suitefile.Exec
	// Names are the DNS names of the certificate, besides localhost, 127.0.0.1
	// and ::1.
	Names []string
	// Output receives the command's output; nil discards it. Each Write is one
	// line with its newline, which is added if it is missing. Output need not
	// be safe for concurrent use, unless several commands share it. While a
	// Write blocks, the command's output is not read.
	Output io.Writer
}

// Process is a command that serves webhooks. Its methods are safe for
// concurrent use.
type Process struct {
	name    string // the command in errors
	address string
	certificate
	command *exec.Cmd
	output  *output

	// stop closes stopping, once.
	stop     func()
	stopping chan struct{}
	// ended is closed when the command has ended, and cleanedUp when its group
	// and its files are removed.
	ended, cleanedUp chan struct{}

	// status is how the command ended. It is written before ended is closed.
	status error
	// endedEarly says that the command ended before Stop; cleanupErr is the
	// error of cleaning up. They are written before cleanedUp is closed.
	endedEarly bool
	cleanupErr error
}

// Start starts a command and waits until it is ready. The error is an *Error
// with the end of the output; then nothing keeps running. The command outlives
// ctx: Stop stops it.
func Start(ctx context.Context, c Config) (*Process, error) {
	p, ready, err := launch(ctx, c)
	if err != nil {
		return nil, &Error{Err: fmt.Errorf("starting %s: %w", quoted(c.Exec.Command), err)}
	}
	if err := p.await(ctx, ready, seconds(cmp.Or(c.Exec.StartSeconds, defaultStart))); err != nil {
		p.stop()
		<-p.cleanedUp
		err = joinErrors(fmt.Errorf("starting %s: %w", p.name, err), p.cleanupErr)
		return nil, &Error{Err: err, Printed: p.Printed()}
	}
	return p, nil
}

// Address returns the address of the command, as HOST:PORT.
func (p *Process) Address() string { return p.address }

// CABundle returns the CA of its certificate, in PEM. The caller owns the
// slice.
func (p *Process) CABundle() []byte { return append([]byte(nil), p.bundle...) }

// Renew replaces the files of the certificate by those of a new authority and a
// new certificate, as the kubelet replaces those of a Secret. It returns the
// certificate in DER. CABundle stays that of the first authority.
func (p *Process) Renew() (leaf []byte, err error) { return p.renew() }

// Memory returns the resident memory of the command and its child processes, in
// bytes. The error is errors.ErrUnsupported where that is not known: on systems
// other than Linux.
func (p *Process) Memory() (int64, error) { return group{p.command.Process}.memory() }

// Printed returns the last lines of the output so far, at most 64 KiB,
// unescaped.
func (p *Process) Printed() string { return p.output.String() }

// Stop stops the command's group and removes the certificate. It is idempotent.
// The error is an *Error: a failure to clean up, or the status of a command
// that ended before Stop.
func (p *Process) Stop() error {
	p.stop()
	<-p.cleanedUp
	err := p.cleanupErr
	if p.endedEarly {
		err = joinErrors(fmt.Errorf("it ended before it was stopped: %w", p.status), err)
	}
	if err == nil {
		return nil
	}
	return &Error{Err: fmt.Errorf("stopping %s: %w", p.name, err), Printed: p.Printed()}
}

// launch prepares and starts the command. The probe waits until it is ready.
func launch(ctx context.Context, c Config) (*Process, probe, error) {
	if ctx.Err() != nil {
		return nil, nil, context.Cause(ctx)
	}
	log, err := compile(c.Exec.Readiness.Log)
	if err != nil {
		return nil, nil, err
	}
	port, err := choosePort(ctx, c.Exec.Port)
	if err != nil {
		return nil, nil, err
	}
	made, err := newCertificate(c.Names)
	if err != nil {
		return nil, nil, err
	}
	stopping := make(chan struct{})
	p := &Process{
		name: quoted(
			c.Exec.Command,
		),
		address:     addressOf(port),
		certificate: made,
		output:      newOutput(c.Output, log),
		stop:        sync.OnceFunc(func() { close(stopping) }),
		stopping:    stopping,
		ended:       make(chan struct{}),
		cleanedUp:   make(chan struct{}),
	}
	ready, err := newProbe(c.Exec.Readiness, p)
	if err == nil {
		p.command, err = newCommand(c, p.variables(port))
	}
	if err == nil {
		err = p.startCommand(seconds(cmp.Or(c.Exec.StopSeconds, defaultStop)))
	}
	if err != nil {
		return nil, nil, joinErrors(err, made.remove())
	}
	return p, ready, nil
}

// variables are those that the package adds to the environment.
func (p *Process) variables(port int) []suitefile.EnvVar {
	return []suitefile.EnvVar{
		{Name: "PORT", Value: strconv.Itoa(port)},
		{Name: "CERT_DIR", Value: p.folder},
		{Name: "TLS_CERT_FILE", Value: p.file(certificateFile)},
		{Name: "TLS_KEY_FILE", Value: p.file(keyFile)},
	}
}

func seconds(n int32) time.Duration { return time.Duration(n) * time.Second }

// quoted returns a command for errors.
func quoted(command []string) string {
	return strconv.Quote(limits.Cut(strings.Join(command, " "), maxShown))
}
