package static

import (
	"context"
	"time"

	"k8s.io/apimachinery/pkg/util/wait"
)

// pollInterval is how often the folder is checked even without a file event
// (S-048).
const pollInterval = time.Minute

// watcher calls changed when a folder may have changed: once at the start, at
// every file event and every interval. It calls failed when it no longer
// receives file events. It returns when ctx is done.
type watcher func(
	ctx context.Context, interval time.Duration, dir string, changed func(), failed func(error),
)

// watchFolder is the goroutine that watches for changes. It never waits for
// run.
func (f *Folder) watchFolder() {
	failed := func(err error) { f.report(Event{Kind: WatchFailed, Err: err}) }
	f.watch(wait.ContextForChannel(f.stop), pollInterval, f.config.Dir, f.signal, failed)
}

// signal wakes up run.
func (f *Folder) signal() {
	select {
	case f.changed <- struct{}{}:
	default: // run has a signal to receive already
	}
}

// run is the goroutine that loads the folder.
func (f *Folder) run() {
	for {
		select {
		case <-f.stop:
			return
		case <-f.changed:
			if r, ok := f.load(false); ok {
				f.apply(r)
			}
		}
	}
}

// apply puts loaded configurations in force if they have changed and are usable
// (S-049).
//
// Compat: S-049: files that cannot be loaded are reported every time, selectors
// that do not parse only once.
func (f *Folder) apply(r loadResult) {
	if r.err != nil {
		f.report(Event{Kind: LoadFailed, Err: r.err})
		return
	}
	if r.hash == f.hash {
		return
	}
	f.hash = r.hash
	snapshot, err := f.compile(r.configurations)
	if err != nil {
		f.report(Event{Kind: CheckFailed, Err: err})
		return
	}
	f.publish(Reloaded, r, snapshot)
}
