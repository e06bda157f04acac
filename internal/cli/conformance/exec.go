package conformance

import (
	"errors"
	"fmt"
	"strings"
	"time"

	"github.com/spf13/pflag"

	"example.com/gatehouse/internal/conformance"
	"example.com/gatehouse/internal/suite/draft"
)

// execution are the flags about a command that serves the webhooks.
type execution struct {
	command, backend string
	timeout, preStop time.Duration
}

// withExec are the flags that have no effect without --exec.
var withExec = []string{"exec-timeout", "pre-stop", "backend"}

func (e *execution) addFlags(f *pflag.FlagSet) {
	f.StringVar(&e.command, "exec", "",
		"shell `command` that serves the webhooks, on $PORT, certificate in $CERT_DIR")
	f.DurationVar(&e.timeout, "exec-timeout", 30*time.Second,
		"`time` limit for each start and end of the command of --exec")
	f.DurationVar(&e.preStop, "pre-stop", 0,
		"`time` that the preStop hook of the pod takes before SIGTERM")
	f.StringVar(&e.backend, "backend", "",
		"`HOST:PORT` that the webhooks call, as $BACKEND")
}

// check rejects mistakes in the flags.
func (e *execution) check(f *pflag.FlagSet) error {
	if !f.Changed("exec") {
		for _, name := range withExec {
			if f.Changed(name) {
				return fmt.Errorf("--%s needs --exec", name)
			}
		}
		return nil
	}
	switch {
	case strings.TrimSpace(e.command) == "":
		return errors.New("--exec: the command is empty")
	case f.Changed("resolve") || f.Changed("ca-file"):
		return errors.New("--exec: gatehouse chooses the address and the certificate of the webhook: " +
			"leave out --resolve and --ca-file")
	case e.timeout < time.Second:
		return fmt.Errorf("--exec-timeout %s: want at least 1s", e.timeout)
	case e.preStop < 0:
		return fmt.Errorf("--pre-stop %s: want 0 or more", e.preStop)
	}
	return nil
}

// subject returns the command; nil without --exec.
func (e *execution) subject() *conformance.Exec {
	if e.command == "" {
		return nil
	}
	return &conformance.Exec{Command: draft.Shell(e.command), Backend: e.backend,
		Timeout: e.timeout, PreStop: e.preStop}
}
