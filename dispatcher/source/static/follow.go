package static

import (
	"context"
	"time"

	"k8s.io/apimachinery/pkg/util/wait"
	"k8s.io/apiserver/pkg/util/filesystem"
)

// poll is how often the folder is looked at, whatever the watch says (S-048).
const pollInterval = time.Minute

// watcher calls changed when there may be something new in a folder, at least once
// and then every interval, and failed when it can only do the latter. It returns
// when ctx is done.
type watcher func(ctx context.Context, interval time.Duration, dir string, changed func(), failed func(error))

// watchFiles is apiserver's own watch of a folder and its immediate children.
func watchFiles(ctx context.Context, interval time.Duration, dir string, changed func(), failed func(error)) {
	filesystem.WatchUntil(ctx, interval, dir, changed, failed)
}

// keepWatch is the goroutine that notices changes. It never waits for the other.
func (f *Folder) watchFolder() {
	failed := func(err error) { f.report(Event{Kind: WatchFailed, Err: err}) }
	f.watch(wait.ContextForChannel(f.stop), pollInterval, f.config.Dir, f.signal, failed)
}

// wake has the goroutine that reads look at the folder.
func (f *Folder) signal() {
	select {
	case f.changed <- struct{}{}:
	default: // a wake-up call is waiting already
	}
}

// keepUp is the goroutine that reads.
func (f *Folder) run() {
	for {
		select {
		case <-f.stop:
			return
		case <-f.changed:
			if r, ok := f.nextLoad(); ok {
				f.apply(r)
			}
		}
	}
}

// apply puts a reading in force, if it is any news and can be used (S-049).
//
// Compat: S-049: files that cannot be loaded are told about every time, those whose
// selectors do not parse once.
func (f *Folder) apply(r loadResult) {
	if r.err != nil {
		f.report(Event{Kind: LoadFailed, Err: r.err})
		return
	}
	if r.hash == f.hash {
		f.fingerprint = r.fingerprint
		return
	}
	f.hash, f.fingerprint = r.hash, r.fingerprint
	snapshot, err := f.compile(r)
	if err != nil {
		f.report(Event{Kind: CheckFailed, Err: err})
		return
	}
	f.publish(Reloaded, r, snapshot)
}
