package static

import (
	"fmt"
	"time"

	"k8s.io/apimachinery/pkg/runtime"

	"example.com/gatehouse/admission"
)

const (
	// settle is how long nobody must have written before a folder is read. A writer
	// on a busy machine may be kept from writing for a part of that.
	quietPeriod = 500 * time.Millisecond
	// settleEmpty is the same for a folder in which a file has been emptied.
	emptiedQuietPeriod = 10 * quietPeriod
	// openTimeout is how long Open waits for a folder to come to rest.
	openTimeout = 10 * time.Second
)

// reading is what was read of a folder at once.
type loadResult struct {
	configurations []runtime.Object
	hash           string
	err            error
	// seen is the print that the folder had before and after.
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

// nextReading waits until the folder is at rest and reads it. It returns false when
// the folder is closed first; as long as somebody writes it waits, and reports that
// as a reading that failed, again and again.
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

// neverAtRest is why a folder is not read.
func (f *Folder) stillChangingError() error {
	return fmt.Errorf("manifest directory %q is being written: it was not at rest within %v", f.config.Dir, openTimeout)
}

// awaitRest returns the print that the folder has had for long enough, or false
// when the folder is closed. When it is overdue it says so, once a minute.
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

// patience is how long a print has to last.
func (f *Folder) quietPeriodFor(p fingerprint) time.Duration {
	if p.emptied(f.fingerprint) {
		return emptiedQuietPeriod
	}
	return quietPeriod
}

// sleep returns false when the folder is closed.
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

// firstReading reads the folder for Open, whose caller waits: not at all if the
// files' own times say that nobody has written of late, and not for ever.
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
