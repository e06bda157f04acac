package static

import (
	"context"
	"errors"
	"sync"
	"sync/atomic"

	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apiserver/pkg/util/filesystem"

	"example.com/gatehouse/admission"
	"example.com/gatehouse/dispatcher"
	"example.com/gatehouse/internal/engine/guard"
	"example.com/gatehouse/matching"
)

// Config configures Open.
type Config struct {
	// Dir is the path of the folder. Required.
	Dir string
	// Phase selects the kind of configuration in the folder, which must not
	// hold other kinds (S-042). Required.
	Phase admission.Phase
	// Load reads the folder, for hosts that have their own loader. It returns
	// configurations of the phase's kind, with defaults and sorted by name, and
	// a hash that changes when the files do. The Folder owns the
	// configurations. The default is the function Load of this package.
	Load func(dir string) (configurations []runtime.Object, hash string, err error)
	// Once reads the folder only when it is opened.
	Once bool
	// Exact reads the folder as soon as it changes, maybe while it is being
	// written. By default the Folder waits until the files have stopped
	// changing; see the package comment.
	Exact bool
	// Report receives events, one at a time. Before Open returns, the calls
	// come from the goroutine of the caller. Report must not close the Folder,
	// which recovers its panics. Optional.
	Report func(Event)
}

// Folder is a dispatcher.Source of the webhooks of one phase. Use Open to
// create one, and Close it.
type Folder struct {
	config  Config
	watch   watcher
	current atomic.Pointer[matching.Snapshot]

	// The following fields belong to Open and then to run.

	compiler *matching.Compiler
	// compiled are the configurations in force, by name.
	compiled map[string]compiledConfiguration
	// hash is the hash of the last files that could be loaded, whether or not
	// their configurations are in force.
	hash string

	changed chan struct{} // has capacity 1; wakes up run
	stop    chan struct{}
	running sync.WaitGroup
	close   func()
	// reportMu is held during calls of Report.
	reportMu sync.Mutex
}

var _ dispatcher.Source = (*Folder)(nil)

// Open reads a folder and, unless Config.Once is set, follows its changes. The
// error is about the first manifest that cannot be loaded, or about all
// selectors that do not parse (S-047). If Open fails, it has not called Report
// and has left no goroutine.
func Open(config Config) (*Folder, error) { return open(config, filesystem.WatchUntil) }

func open(config Config, watch watcher) (*Folder, error) {
	if config.Phase != admission.Mutating && config.Phase != admission.Validating {
		return nil, errors.New("opening static manifests: Config.Phase is required")
	}
	if config.Load == nil {
		config.Load = func(dir string) ([]runtime.Object, string, error) {
			return Load(dir, config.Phase)
		}
	}
	f := &Folder{
		config:   config,
		watch:    watch,
		compiler: matching.NewCompiler(),
		changed:  make(chan struct{}, 1),
		stop:     make(chan struct{}),
	}
	f.close = sync.OnceFunc(func() {
		close(f.stop)
		f.running.Wait()
	})
	r, _ := f.load(true)
	if r.err != nil {
		return nil, r.err
	}
	snapshot, err := f.compile(r.configurations)
	if err != nil {
		return nil, err
	}
	f.hash = r.hash
	f.publish(Loaded, r, snapshot)
	if !config.Once {
		f.running.Go(f.watchFolder)
		f.running.Go(f.run)
	}
	return f, nil
}

// Current returns the webhooks in force. It never fails.
func (f *Folder) Current(
	context.Context,
) (*matching.Snapshot, error) {
	return f.current.Load(), nil
}

// Webhooks returns the webhooks in force, in order. The caller must not modify
// the slice.
func (f *Folder) Webhooks() []*matching.Webhook {
	return f.current.Load().Webhooks(f.config.Phase)
}

// Close stops following the folder and returns when its goroutines have ended.
// It may be called at any time and more than once. The Folder keeps its last
// snapshot.
func (f *Folder) Close() { f.close() }

// publish puts a snapshot in force and reports it.
func (f *Folder) publish(kind EventKind, r loadResult, snapshot *matching.Snapshot) {
	f.current.Store(snapshot)
	f.report(
		Event{Kind: kind, Snapshot: snapshot, Configurations: len(r.configurations), Hash: r.hash})
}

// report calls Config.Report and recovers its panics, so that the Folder
// continues to follow the files.
func (f *Folder) report(e Event) {
	if f.config.Report == nil {
		return
	}
	f.reportMu.Lock()
	defer f.reportMu.Unlock()
	_ = guard.Do(func() { f.config.Report(e) })
}
