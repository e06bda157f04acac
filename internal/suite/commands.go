package suite

import (
	"context"
	"errors"
	"io"
	"slices"
	"sync"

	"example.com/gatehouse/admission"
	"example.com/gatehouse/internal/offline/webhookconfig"
	"example.com/gatehouse/internal/suite/process"
)

// startCommands starts all commands concurrently: each may take long to
// compile.
func (env *Environment) startCommands(ctx context.Context) error {
	var wait sync.WaitGroup
	problems := make([]error, len(env.suite.entries))
	for i := range env.suite.entries {
		if e := &env.suite.entries[i]; e.Exec != nil && env.called(e) {
			wait.Go(func() { env.processes[i], problems[i] = env.startCommand(ctx, e) })
		}
	}
	wait.Wait()
	return errors.Join(problems...)
}

// called reports whether a webhook of the entry is called at the entry's
// endpoint.
func (env *Environment) called(e *entry) bool {
	return slices.ContainsFunc(e.webhooks, func(w *admission.Webhook) bool {
		address, _ := env.options.Address(w)
		return address == "" && env.handlers[keyOf(w)] == nil
	})
}

func (env *Environment) startCommand(ctx context.Context, e *entry) (*process.Process, error) {
	var names []string
	for _, w := range e.webhooks {
		if _, name, err := webhookconfig.Address(w); err == nil {
			names = append(names, name)
		}
	}
	slices.Sort(names)
	p, err := process.Start(ctx, process.Config{
		Exec: e.Exec, Names: slices.Compact(names), Output: env.options.Output,
	})
	return p, env.suite.from.Wrap(e.field+".exec", err)
}

// stopCommands stops all commands concurrently.
func (env *Environment) stopCommands() error {
	var wait sync.WaitGroup
	problems := make([]error, len(env.processes))
	for i, p := range env.processes {
		if p != nil {
			wait.Go(
				func() { problems[i] = env.suite.from.Wrap(env.suite.entries[i].field+".exec", p.Stop()) })
		}
	}
	wait.Wait()
	return errors.Join(problems...)
}

// Printed returns the end of the commands' output, unescaped.
func (env *Environment) Printed() string {
	var text string
	for _, p := range env.processes {
		if p != nil {
			text += p.Printed()
		}
	}
	return text
}

// lockedWriter is a writer that several commands share.
type lockedWriter struct {
	mu   sync.Mutex
	next io.Writer
}

// Write implements io.Writer.
func (o *lockedWriter) Write(p []byte) (int, error) {
	o.mu.Lock()
	defer o.mu.Unlock()
	return o.next.Write(p)
}
