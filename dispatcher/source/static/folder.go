package static

import (
	"context"
	"errors"
	"sync"
	"sync/atomic"

	"k8s.io/apimachinery/pkg/runtime"

	"example.com/gatehouse/admission"
	"example.com/gatehouse/dispatcher"
	"example.com/gatehouse/matching"
)

// Config says which folder to open and how.
type Config struct {
	// Dir is the folder. Required; relative to the working directory, unless it is
	// absolute.
	Dir string
	// Phase is the one whose configurations are in the folder, which may hold
	// nothing else (S-042). Required.
	Phase admission.Phase
	// Load reads the folder and returns configurations of the phase's kind that are
	// defaulted and in order, and a hash that changes when the files do. It is for
	// hosts that have a loader of their own; the folder owns what it returns. The
	// default is the Load of this package.
	Load func(dir string) (configurations []runtime.Object, hash string, err error)
	// Once reads the folder when it is opened and never again.
	Once bool
	// Exact reads the folder as soon as it changes, which may be in the middle of a
	// change. The default is to wait until it is at rest; see the package comment.
	Exact bool
	// Report is told what happens, by one goroutine at a time, and before Open
	// returns by that of its caller. It must not close the folder. A panic in it is
	// contained. By default nobody is told.
	Report func(Event)
}

// Folder is a dispatcher.Source of the webhooks of one phase. Make one with Open
// and Close it.
type Folder struct {
	config  Config
	watch   watcher
	current atomic.Pointer[matching.Snapshot]

	// What follows belongs to Open, and then to the goroutine that reads.

	compiler compiler
	// hash is that of the last files that could be read, whether or not they are in
	// force.
	hash string
	// seen is the print of the folder that hash belongs to.
	fingerprint fingerprint

	changed chan struct{} // holds one wake-up call for the goroutine
	stop    chan struct{}
	running sync.WaitGroup
	close   func()
	// reporting is held while Report is told.
	reportMu sync.Mutex
}

var _ dispatcher.Source = (*Folder)(nil)

// Open reads a folder and, unless it is for once, starts to follow it. The error is
// about the first manifest that cannot be used, or about all selectors that do not
// parse; nothing is followed then, and Report has been told nothing (S-047).
func Open(config Config) (*Folder, error) { return open(config, watchFiles) }

func open(config Config, watch watcher) (*Folder, error) {
	if config.Phase != admission.Mutating && config.Phase != admission.Validating {
		return nil, errors.New("opening static manifests: Config.Phase is required")
	}
	if config.Load == nil {
		config.Load = func(dir string) ([]runtime.Object, string, error) { return Load(dir, config.Phase) }
	}
	f := &Folder{
		config:   config,
		watch:    watch,
		compiler: compiler{Compiler: matching.NewCompiler()},
		changed:  make(chan struct{}, 1),
		stop:     make(chan struct{}),
	}
	f.close = sync.OnceFunc(func() {
		close(f.stop)
		f.running.Wait()
	})
	if err := f.loadInitial(); err != nil {
		return nil, err
	}
	if !config.Once {
		f.running.Go(f.watchFolder)
		f.running.Go(f.run)
	}
	return f, nil
}

// begin reads the folder for the first time.
func (f *Folder) loadInitial() error {
	r, err := f.firstLoad()
	if err != nil {
		return err
	}
	snapshot, err := f.compile(r)
	if err != nil {
		return err
	}
	f.hash, f.fingerprint = r.hash, r.fingerprint
	f.publish(Loaded, r, snapshot)
	return nil
}

// Current returns the webhooks that are in force, and never an error: Open has
// read them.
func (f *Folder) Current(context.Context) (*matching.Snapshot, error) { return f.current.Load(), nil }

// Webhooks returns the webhooks that are in force, in order. The slice is shared and
// read-only.
func (f *Folder) Webhooks() []*matching.Webhook {
	return f.current.Load().Webhooks(f.config.Phase)
}

// Close stops following. It may be called more than once and at any time, and
// returns when no goroutine is left. The folder keeps answering with what it knew.
func (f *Folder) Close() { f.close() }

// compile makes a snapshot of a reading and remembers what can be used again.
func (f *Folder) compile(r loadResult) (snapshot *matching.Snapshot, err error) {
	defer func() {
		if p := recover(); p != nil {
			err = admission.Contained(p)
		}
	}()
	snapshot, keep, err := f.compiler.compile(f.config.Phase, r.configurations)
	if err == nil {
		f.compiler.previous = keep
	}
	return snapshot, err
}

// publish puts a snapshot in force and tells about it.
func (f *Folder) publish(kind EventKind, r loadResult, snapshot *matching.Snapshot) {
	f.current.Store(snapshot)
	f.report(Event{Kind: kind, Snapshot: snapshot, Configurations: len(r.configurations), Hash: r.hash})
}

// report tells about an event. Following the folder is more important than what is
// done with the news.
func (f *Folder) report(e Event) {
	if f.config.Report == nil {
		return
	}
	f.reportMu.Lock()
	defer f.reportMu.Unlock()
	defer func() { _ = recover() }()
	f.config.Report(e)
}
