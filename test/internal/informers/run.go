package informers

import (
	"context"
	"errors"
	"fmt"
	"runtime"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing/synctest"
	"time"
)

// Report is what a run has found of a side.
type Report struct {
	// Asked counts the questions, and Unready those that had no answer.
	Asked, Unready int
	// Violations are the broken promises, at most a few.
	Violations []string
	// Broken counts them all.
	Broken int
}

// run is a side in a run.
type run struct {
	side     Side
	server   *Server
	factory  *Factory
	subjects []Subject
	// now is the step that is going on, for messages.
	now *atomic.Pointer[string]

	mu     sync.Mutex
	report Report
	// ready are the resources whose subject has answered.
	ready map[Resource]bool
}

// convergence is how long after the last fault a subject may take to have the server's
// state. Reflectors wait up to a minute between two attempts, and a watch that has
// missed the end of its connection lasts up to ten.
const convergence = 20 * time.Minute

// Run runs steps beside the subjects of some sides. Each has its own informers. The
// caller must be in a bubble of testing/synctest. The last step is followed by the end
// of all faults.
func Run(ctx context.Context, steps []Step, sides ...Side) ([]Report, error) {
	server := NewServer()
	defer server.Close()
	var now atomic.Pointer[string]
	start := "start"
	now.Store(&start)
	var runs []*run
	for _, side := range sides {
		r, end, err := open(ctx, side, server, &now)
		if err != nil {
			return nil, fmt.Errorf("%s: %w", side.Name, err)
		}
		defer end()
		runs = append(runs, r)
	}
	w := newWriter(server)
	for _, step := range append(slices.Clone(steps), Step{Fail: Healthy, Wait: convergence}) {
		text := step.String()
		now.Store(&text)
		perform(server, w, step)
		for _, r := range runs {
			r.hurry(ctx)
		}
		time.Sleep(step.Wait)
		synctest.Wait()
	}
	var reports []Report
	for _, r := range runs {
		r.converged(ctx)
		r.mu.Lock()
		reports = append(reports, r.report)
		r.mu.Unlock()
	}
	return reports, nil
}

func perform(server *Server, w *writer, step Step) {
	w.write(step.Write)
	if step.Fail != "" {
		server.Fail(step.Fail)
	}
	switch {
	case step.Compact:
		server.Compact()
	case step.Restart:
		server.Restart()
	}
}

// open starts the informers of a side, and readers that ask its subjects all the time.
func open(
	ctx context.Context, side Side, server *Server, now *atomic.Pointer[string],
) (*run, func(), error) {
	r := &run{side: side, server: server, now: now, ready: map[Resource]bool{}}
	var err error
	if r.factory, err = newFactory(server, func(told Resource) { r.askAll(ctx, told) }); err != nil {
		return nil, nil, err
	}
	subjects, closeSide, err := side.Open(r.factory)
	if err != nil {
		return nil, nil, err
	}
	r.subjects = subjects
	running, stop := context.WithCancel(ctx)
	r.factory.Start(running.Done())
	var readers sync.WaitGroup
	for _, s := range subjects {
		readers.Go(func() { r.read(running, s) })
	}
	return r, func() {
		stop()
		readers.Wait()
		closeSide()
		r.server.Close() // or a list that hangs keeps an informer
		r.factory.Shutdown()
	}, nil
}

// read asks a subject every second.
func (r *run) read(ctx context.Context, s Subject) {
	for ctx.Err() == nil {
		r.ask(ctx, s)
		select {
		case <-ctx.Done():
		case <-time.After(time.Second):
		}
	}
}

// hurry asks all subjects while the informers take in a change.
func (r *run) hurry(ctx context.Context) {
	const readers, questions = 4, 20
	var asking sync.WaitGroup
	for range readers {
		asking.Go(func() {
			for range questions {
				for _, s := range r.subjects {
					r.ask(ctx, s)
				}
				runtime.Gosched()
			}
		})
	}
	asking.Wait()
}

// askAll asks the subjects of a resource.
func (r *run) askAll(ctx context.Context, resource Resource) {
	for _, s := range r.subjects {
		if s.Resource == resource {
			r.ask(ctx, s)
		}
	}
}

// slots is how many objects of a resource there are at most.
const slots = 4

// ask asks a subject once and judges the answer. A request waits for a moment only, so
// that a source that is not ready does not stop the run.
func (r *run) ask(ctx context.Context, s Subject) {
	name, question := "", r.questions()
	if s.Resource == Namespaces {
		name = fmt.Sprintf("o%d", question%slots)
	}
	ctx, cancel := context.WithTimeout(ctx, time.Millisecond)
	defer cancel()
	since := r.factory.Delivered(s.Resource)
	got, err := s.InForce(ctx, name)
	r.judge(s.Resource, name, got, err, r.server.States(s.Resource, since))
}

func (r *run) questions() int {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.report.Asked++
	return r.report.Asked
}

// judge checks an answer: states are those that it may be.
func (r *run) judge(resource Resource, name string, got State, err error, states []State) {
	r.mu.Lock()
	defer r.mu.Unlock()
	live := resource == Namespaces // which may have to be got from the server
	if err != nil {
		r.report.Unready++
		if !live && (r.ready[resource] || !errors.Is(err, ErrNotReady)) {
			r.violated("%s: %v, although it was ready before: %t", resource.Name, err, r.ready[resource])
		}
		return
	}
	r.ready[resource] = true
	for _, s := range states {
		if live && s.of(name) == got || !live && s == got {
			return
		}
	}
	r.violated("%s: a request saw %q, want one of %s", resource.Name, got, texts(states))
}

func texts(states []State) string {
	var all []string
	for _, s := range states {
		all = append(all, fmt.Sprintf("%q", s))
	}
	return strings.Join(all, ", ")
}

// violated notes a broken promise. The caller holds the lock.
func (r *run) violated(format string, arguments ...any) {
	const kept = 3
	if r.report.Broken++; r.report.Broken <= kept {
		r.report.Violations = append(r.report.Violations,
			fmt.Sprintf("%s, during %q: ", r.side.Name, *r.now.Load())+fmt.Sprintf(format, arguments...))
	}
}

// converged requires every subject to have the server's state.
func (r *run) converged(ctx context.Context) {
	for _, s := range r.subjects {
		if s.Resource == Namespaces {
			continue // readers ask for each
		}
		got, err := s.InForce(ctx, "")
		states := r.server.States(s.Resource, 1)
		want := states[len(states)-1]
		r.mu.Lock()
		if err != nil || got != want {
			r.violated("%s: in the end there is %q (error %v), want %q", s.Resource.Name, got, err, want)
		}
		r.mu.Unlock()
	}
}
