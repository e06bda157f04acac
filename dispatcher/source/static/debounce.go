package static

import (
	"fmt"
	"time"

	"k8s.io/apimachinery/pkg/runtime"

	"example.com/gatehouse/admission"
)

const (
	// quietPeriod is how long the files must not change before the folder is loaded.
	// On a busy machine a writer may pause for a part of it.
	quietPeriod = 500 * time.Millisecond
	// emptiedQuietPeriod is the quiet period if a file was emptied.
	emptiedQuietPeriod = 10 * quietPeriod
	// openTimeout is how long Open waits for the files to stop changing, and run waits
	// before it reports LoadFailed.
	openTimeout = 10 * time.Second
)

// loadResult is the result of loading a folder once.
type loadResult struct {
	configurations []runtime.Object
	hash           string
	err            error
	// fingerprint is the fingerprint that the folder had before and after.
	fingerprint fingerprint
}

func (f *Folder) load(seen fingerprint) (r loadResult) {
	r.fingerprint = seen
	defer func() {
		if p := recover(); p != nil {
			r.err = admission.Contained(p)
		}
	}()
	r.configurations, r.hash, r.err = f.config.Load(f.config.Dir)
	return r
}

// nextLoad waits until the files have stopped changing and loads the folder. It returns
// false if the Folder is closed first. While the files go on changing, it reports
// LoadFailed after openTimeout and then once a minute.
func (f *Folder) nextLoad() (loadResult, bool) {
	if f.config.Exact {
		return f.load(fingerprint{}), true
	}
	reportAt := time.Now().Add(openTimeout)
	for {
		seen, ok := f.awaitQuiet(&reportAt)
		if !ok {
			return loadResult{}, false
		}
		if r := f.load(seen); fingerprintOf(f.config.Dir).equal(seen) {
			return r, true
		}
	}
}

// stillChangingError is the error for a folder that does not stop changing.
func (f *Folder) stillChangingError() error {
	return fmt.Errorf("manifest directory %q is being written: it did not stop changing within %v", f.config.Dir, openTimeout)
}

// awaitQuiet waits until the fingerprint has not changed for the quiet period, and
// returns the fingerprint. It returns false if the Folder is closed first. From reportAt
// on it reports LoadFailed, once a minute.
func (f *Folder) awaitQuiet(reportAt *time.Time) (fingerprint, bool) {
	last := fingerprintOf(f.config.Dir)
	for quiet := time.Duration(0); quiet < f.quietPeriodFor(last); quiet += quietPeriod {
		if !f.sleep(quietPeriod) {
			return fingerprint{}, false
		}
		if now := time.Now(); now.After(*reportAt) {
			f.report(Event{Kind: LoadFailed, Err: f.stillChangingError()})
			*reportAt = now.Add(pollInterval)
		}
		if now := fingerprintOf(f.config.Dir); !now.equal(last) {
			last, quiet = now, -quietPeriod
		}
	}
	return last, true
}

// quietPeriodFor returns how long a fingerprint must not change.
func (f *Folder) quietPeriodFor(p fingerprint) time.Duration {
	if p.emptied(f.fingerprint) {
		return emptiedQuietPeriod
	}
	return quietPeriod
}

// sleep returns false if the Folder is closed first.
func (f *Folder) sleep(d time.Duration) bool {
	timer := time.NewTimer(d)
	defer timer.Stop()
	select {
	case <-timer.C:
		return true
	case <-f.stop:
		return false
	}
}

// firstLoad loads the folder for Open. It does not wait if the modification times show
// that the files have not changed for the quiet period, and it gives up after
// openTimeout.
func (f *Folder) firstLoad() (loadResult, error) {
	if f.config.Exact {
		r := f.load(fingerprint{})
		return r, r.err
	}
	seen := fingerprintOf(f.config.Dir)
	quiet := seen.olderThan(time.Now().Add(-quietPeriod))
	for deadline := time.Now().Add(openTimeout); time.Now().Before(deadline); quiet = false {
		if !quiet {
			f.sleep(quietPeriod)
		}
		before := seen
		if seen = fingerprintOf(f.config.Dir); !seen.equal(before) {
			continue
		}
		if r := f.load(seen); fingerprintOf(f.config.Dir).equal(seen) {
			return r, r.err
		}
	}
	return loadResult{}, f.stillChangingError()
}
