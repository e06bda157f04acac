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
	settle = 500 * time.Millisecond
	// settleEmpty is the same for a folder in which a file has been emptied.
	settleEmpty = 10 * settle
	// openTimeout is how long Open waits for a folder to come to rest.
	openTimeout = 10 * time.Second
)

// reading is what was read of a folder at once.
type reading struct {
	configurations []runtime.Object
	hash           string
	err            error
	// seen is the print that the folder had before and after.
	seen print
}

func (f *Folder) read(seen print) (r reading) {
	r.seen = seen
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
func (f *Folder) nextReading() (reading, bool) {
	if f.config.Exact {
		return f.read(print{}), true
	}
	overdue := time.Now().Add(openTimeout)
	for {
		seen, ok := f.awaitRest(&overdue)
		if !ok {
			return reading{}, false
		}
		if r := f.read(seen); look(f.config.Dir).equal(seen) {
			return r, true
		}
	}
}

// neverAtRest is why a folder is not read.
func (f *Folder) neverAtRest() error {
	return fmt.Errorf("manifest directory %q is being written: it was not at rest within %v", f.config.Dir, openTimeout)
}

// awaitRest returns the print that the folder has had for long enough, or false
// when the folder is closed. When it is overdue it says so, once a minute.
func (f *Folder) awaitRest(overdue *time.Time) (print, bool) {
	last := look(f.config.Dir)
	for rested := time.Duration(0); rested < f.patience(last); rested += settle {
		if !f.sleep(settle) {
			return print{}, false
		}
		if now := time.Now(); now.After(*overdue) {
			f.report(Event{Kind: LoadFailed, Err: f.neverAtRest()})
			*overdue = now.Add(poll)
		}
		if now := look(f.config.Dir); !now.equal(last) {
			last, rested = now, -settle
		}
	}
	return last, true
}

// patience is how long a print has to last.
func (f *Folder) patience(p print) time.Duration {
	if p.emptied(f.seen) {
		return settleEmpty
	}
	return settle
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
func (f *Folder) firstReading() (reading, error) {
	if f.config.Exact {
		r := f.read(print{})
		return r, r.err
	}
	seen := look(f.config.Dir)
	rested := seen.olderThan(time.Now().Add(-settle))
	for deadline := time.Now().Add(openTimeout); time.Now().Before(deadline); rested = false {
		if !rested {
			f.sleep(settle)
		}
		before := seen
		if seen = look(f.config.Dir); !seen.equal(before) {
			continue
		}
		if r := f.read(seen); look(f.config.Dir).equal(seen) {
			return r, r.err
		}
	}
	return reading{}, f.neverAtRest()
}
