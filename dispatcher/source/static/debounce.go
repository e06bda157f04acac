package static

import (
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"k8s.io/apimachinery/pkg/runtime"

	"example.com/gatehouse/internal/engine/guard"
)

const (
	// quietPeriod is how long the files must not change before the folder is
	// loaded. On a busy machine a writer may pause for a part of that time.
	quietPeriod = 500 * time.Millisecond
	// quietTimeout is how long Open waits for the quiet period, and run before
	// it reports LoadFailed.
	quietTimeout = 10 * time.Second
)

// loadResult is the result of loading a folder once.
type loadResult struct {
	configurations []runtime.Object
	hash           string
	err            error
}

// loadNow loads the folder, whether or not its files are changing.
func (f *Folder) loadNow() (r loadResult) {
	r.err = guard.Call(func() (err error) {
		r.configurations, r.hash, err = f.config.Load(f.config.Dir)
		return err
	})
	return r
}

// load loads the folder after the quiet period, and again if it has changed
// meanwhile. Open does not wait if the modification times show that the files
// have not changed for the quiet period. load gives up with an error after
// quietTimeout. It returns false if the Folder is closed first.
func (f *Folder) load(opening bool) (loadResult, bool) {
	if f.config.Exact {
		return f.loadNow(), true
	}
	start, seen := time.Now(), fingerprintOf(f.config.Dir)
	quiet := opening && seen.olderThan(start.Add(-quietPeriod))
	for ; time.Since(start) < quietTimeout; quiet = false {
		if !quiet && !f.sleep(quietPeriod) {
			return loadResult{}, false
		}
		before := seen
		if seen = fingerprintOf(f.config.Dir); !seen.equal(before) {
			continue
		}
		if r := f.loadNow(); fingerprintOf(f.config.Dir).equal(seen) {
			return r, true
		}
	}
	return loadResult{err: fmt.Errorf(
		"manifest directory %q is being written: it did not stop changing within %v", f.config.Dir, quietTimeout,
	)}, true
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

// fingerprint describes the manifests of a folder, by name, without their
// content. If two fingerprints, taken some time apart, are equal, the files
// have not changed between. A symbolic link is described by its target, and a
// file that cannot be examined by nil: loading the folder reports the error.
type fingerprint map[string]os.FileInfo

// fingerprintOf returns the fingerprint of a folder, which is empty for a
// folder that cannot be read.
func fingerprintOf(dir string) fingerprint {
	p := fingerprint{}
	entries, _ := os.ReadDir(dir)
	for _, entry := range entries {
		if !entry.IsDir() && isManifest(entry.Name()) {
			p[entry.Name()], _ = os.Stat(filepath.Join(dir, entry.Name()))
		}
	}
	return p
}

// isManifest reports whether the name is that of a manifest (S-040).
func isManifest(name string) bool {
	return slices.Contains([]string{".yaml", ".yml", ".json"}, strings.ToLower(filepath.Ext(name)))
}

func (p fingerprint) equal(q fingerprint) bool {
	return maps.EqualFunc(p, q, func(f, g os.FileInfo) bool {
		if f == nil || g == nil {
			return f == g
		}
		return f.Size() == g.Size() && f.ModTime().Equal(g.ModTime()) && os.SameFile(f, g)
	})
}

// olderThan reports whether all manifests were last modified before t.
func (p fingerprint) olderThan(t time.Time) bool {
	for _, f := range p {
		if f != nil && !f.ModTime().Before(t) {
			return false
		}
	}
	return true
}
