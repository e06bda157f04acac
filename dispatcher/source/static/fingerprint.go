package static

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"
)

// fingerprint describes the manifests of a folder without their content. If two
// fingerprints, taken some time apart, are equal, the files have not changed between.
type fingerprint struct {
	files []file
	// err is the error of reading the folder itself.
	err string
}

// file is one manifest of a fingerprint. For a symbolic link it describes the target.
type file struct {
	name string
	info os.FileInfo // nil if there is an error
	err  string
}

// fingerprintOf returns the fingerprint of a folder. Errors are part of it; loading
// the folder reports them.
func fingerprintOf(dir string) fingerprint {
	entries, err := os.ReadDir(dir)
	if err != nil {
		return fingerprint{err: err.Error()}
	}
	var p fingerprint
	for _, entry := range entries {
		if entry.IsDir() || !isManifest(entry.Name()) {
			continue
		}
		f := file{name: entry.Name()}
		if f.info, err = os.Stat(filepath.Join(dir, f.name)); err != nil {
			f.info, f.err = nil, err.Error()
		}
		p.files = append(p.files, f)
	}
	return p
}

// isManifest reports whether the name is that of a manifest (S-040).
func isManifest(name string) bool {
	return slices.Contains([]string{".yaml", ".yml", ".json"}, strings.ToLower(filepath.Ext(name)))
}

func (p fingerprint) equal(q fingerprint) bool {
	return p.err == q.err && slices.EqualFunc(p.files, q.files, file.equal)
}

func (f file) equal(g file) bool {
	if f.name != g.name || f.err != g.err {
		return false
	}
	if f.info == nil || g.info == nil {
		return f.info == nil && g.info == nil
	}
	return f.info.Size() == g.info.Size() && f.info.ModTime().Equal(g.info.ModTime()) && os.SameFile(f.info, g.info)
}

// emptied reports whether a file that had content before is empty now. An empty file
// is probably about to be written: a manifest that is not needed any more would be
// removed.
func (p fingerprint) emptied(before fingerprint) bool {
	return slices.ContainsFunc(p.files, func(f file) bool {
		return f.info != nil && f.info.Size() == 0 && before.hasContent(f.name)
	})
}

func (p fingerprint) hasContent(name string) bool {
	return slices.ContainsFunc(p.files, func(f file) bool {
		return f.name == name && f.info != nil && f.info.Size() > 0
	})
}

// olderThan reports whether all manifests were last modified before t.
func (p fingerprint) olderThan(t time.Time) bool {
	return !slices.ContainsFunc(p.files, func(f file) bool {
		return f.info != nil && !f.info.ModTime().Before(t)
	})
}
