package static

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"
)

// print is what can be seen of the manifests in a folder without reading them. Two
// equal ones, with time between them, say that nobody has written.
type fingerprint struct {
	files []file
	// err is why the folder itself could not be read.
	err string
}

// file is one manifest of a print. What it is a link to counts, not the link.
type file struct {
	name string
	info os.FileInfo // nil if there is an error
	err  string
}

// look takes the print of a folder. Whatever cannot be looked at is part of it:
// reading will say so better.
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

// isManifest reports whether a file is read (S-040).
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

// emptied reports whether a file that had content before is empty now. Whoever
// does not want a manifest any longer removes it; whoever empties it is about to
// write.
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

// olderThan reports whether all manifests were written before a time.
func (p fingerprint) olderThan(t time.Time) bool {
	return !slices.ContainsFunc(p.files, func(f file) bool {
		return f.info != nil && !f.info.ModTime().Before(t)
	})
}
