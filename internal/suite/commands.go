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

// startCommands starts them all at once: each may take its time to compile.
func (st *Stage) startCommands(ctx context.Context) error {
	var wait sync.WaitGroup
	problems := make([]error, len(st.suite.entries))
	for i := range st.suite.entries {
		if e := &st.suite.entries[i]; e.Exec != nil && st.called(e) {
			wait.Go(func() { st.processes[i], problems[i] = st.startCommand(ctx, e) })
		}
	}
	wait.Wait()
	return errors.Join(problems...)
}

// called reports whether a webhook of an entry is called where the entry says.
func (st *Stage) called(e *entry) bool {
	return slices.ContainsFunc(e.webhooks, func(w *admission.Webhook) bool {
		address, _ := st.options.Address(w)
		return address == "" && st.handlers[keyOf(w)] == nil
	})
}

func (st *Stage) startCommand(ctx context.Context, e *entry) (*process.Process, error) {
	var names []string
	for _, w := range e.webhooks {
		if _, name, err := webhookconfig.Address(w); err == nil {
			names = append(names, name)
		}
	}
	slices.Sort(names)
	p, err := process.Start(ctx, process.Config{
		Exec: e.Exec, Names: slices.Compact(names), Output: st.options.Output,
	})
	return p, st.suite.from.Wrap(e.field+".exec", err)
}

// stopCommands stops them all at once: each may take its time.
func (st *Stage) stopCommands() error {
	var wait sync.WaitGroup
	problems := make([]error, len(st.processes))
	for i, p := range st.processes {
		if p != nil {
			wait.Go(func() { problems[i] = st.suite.from.Wrap(st.suite.entries[i].field+".exec", p.Stop()) })
		}
	}
	wait.Wait()
	return errors.Join(problems...)
}

// Printed returns the end of what the commands have printed, as they have.
func (st *Stage) Printed() string {
	var text string
	for _, p := range st.processes {
		if p != nil {
			text += p.Printed()
		}
	}
	return text
}

// oneByOne is a writer for several commands.
type oneByOne struct {
	mu   sync.Mutex
	next io.Writer
}

// Write writes when nobody else does.
func (o *oneByOne) Write(p []byte) (int, error) {
	o.mu.Lock()
	defer o.mu.Unlock()
	return o.next.Write(p)
}
