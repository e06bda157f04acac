package process

import (
	"context"
	"fmt"
	"io"
	"os/exec"
	"strconv"
	"strings"
	"sync"
	"time"

	"example.com/gatehouse/internal/suite/suitefile"
)

// How long a command has to be ready, and to end, if its author does not say.
const (
	defaultStart = 60 * time.Second
	defaultStop  = 5 * time.Second
)

// Config says what is to be run.
type Config struct {
	// Exec is what the suite's author has written. Required.
	Exec *suitefile.Exec
	// Names are those that the certificate has to have, besides localhost, 127.0.0.1 and
	// ::1.
	Names []string
	// Output receives what the command prints, line by line; nil for nobody. It need not
	// be safe for concurrent use, unless several commands share it. Each Write is one
	// line and its newline, which is added where the command has written none. While
	// Output blocks the command's output is not read.
	Output io.Writer
}

// Process is a command that serves webhooks. Its methods are safe for concurrent use.
type Process struct {
	name    string // the command, as errors show it
	address string
	certificate
	command *exec.Cmd
	output  *output

	// stop closes stopping, once.
	stop     func()
	stopping chan struct{}
	// ended is closed when the command has ended, and gone when nothing is left of it
	// and of what it has started.
	ended, gone chan struct{}

	// status is how the command ended. It is written before ended is closed.
	status error
	// alone says that the command ended without having been stopped, and left is what
	// could not be done away with. They are written before gone is closed.
	alone bool
	left  error
}

// Start starts a command and waits until it is ready. The error is an *Error, which says why
// it is not, with the end of what it has printed; nothing is left behind then. The command
// outlives ctx: Stop stops it.
func Start(ctx context.Context, c Config) (*Process, error) {
	p, ready, err := launch(ctx, c)
	if err != nil {
		return nil, &Error{Err: fmt.Errorf("starting %s: %w", quoted(c.Exec.Command), err)}
	}
	if err := p.await(ctx, ready, seconds(c.Exec.StartSeconds, defaultStart)); err != nil {
		p.stop()
		<-p.gone
		err = also(fmt.Errorf("starting %s: %w", p.name, err), p.left)
		return nil, &Error{Err: err, Printed: p.Printed()}
	}
	return p, nil
}

// Address returns where it listens, as HOST:PORT.
func (p *Process) Address() string { return p.address }

// CABundle returns the authority of its certificate, in PEM. The slice belongs to the
// caller.
func (p *Process) CABundle() []byte { return append([]byte(nil), p.bundle...) }

// Printed returns the end of what it has printed so far: whole lines, as they were written,
// of at most 64 KiB together.
func (p *Process) Printed() string { return p.output.String() }

// Stop stops the command with all that it has started, and removes its certificate. It may
// be called again, and says the same then. The error is an *Error, which says what could not
// be done, or how the command ended if it had ended before Stop.
func (p *Process) Stop() error {
	p.stop()
	<-p.gone
	err := p.left
	if p.alone {
		err = also(fmt.Errorf("it ended before it was stopped: %w", p.status), err)
	}
	if err == nil {
		return nil
	}
	return &Error{Err: fmt.Errorf("stopping %s: %w", p.name, err), Printed: p.Printed()}
}

// launch makes what the command needs and starts it. The sign tells when it is ready.
func launch(ctx context.Context, c Config) (*Process, sign, error) {
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
	p := newProcess(quoted(c.Exec.Command), port, made, newOutput(c.Output, log))
	ready, err := newSign(c.Exec.Readiness, p)
	if err == nil {
		p.command, err = newCommand(c, p.variables(port))
	}
	if err == nil {
		err = p.begin(seconds(c.Exec.StopSeconds, defaultStop))
	}
	if err != nil {
		return nil, nil, also(err, made.remove())
	}
	return p, ready, nil
}

// newProcess returns a process that has not begun.
func newProcess(name string, port int, made certificate, o *output) *Process {
	p := &Process{name: name, address: addressOf(port), certificate: made, output: o}
	p.stopping, p.ended, p.gone = make(chan struct{}), make(chan struct{}), make(chan struct{})
	p.stop = sync.OnceFunc(func() { close(p.stopping) })
	return p
}

// variables are what the command finds in its environment.
func (p *Process) variables(port int) []suitefile.EnvVar {
	return []suitefile.EnvVar{
		{Name: "PORT", Value: strconv.Itoa(port)},
		{Name: "CERT_DIR", Value: p.folder},
		{Name: "TLS_CERT_FILE", Value: p.file(certificateFile)},
		{Name: "TLS_KEY_FILE", Value: p.file(keyFile)},
	}
}

// seconds returns a number of seconds, or what stands for none.
func seconds(n int32, none time.Duration) time.Duration {
	if n == 0 {
		return none
	}
	return time.Duration(n) * time.Second
}

// quoted returns a command as errors show it.
func quoted(command []string) string {
	return strconv.Quote(short(strings.Join(command, " ")))
}
