package main

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"os"
	"path/filepath"
	"time"
)

// programs are the programs of a release, which are folders of cmd.
var programs = []string{"gatehouse", "gatehouse-apiserver"}

// target is a platform.
type target struct{ os, arch string }

func (t target) String() string { return t.os + "/" + t.arch }

// program returns the name of the file of a program.
func (t target) program(name string) string {
	if t.os == "windows" {
		return name + ".exe"
	}
	return name
}

// file is a file of an archive or of an image.
type file struct {
	path    string
	content []byte
	program bool
}

// release makes the files of a release.
type release struct {
	source, out, address string
	committed            time.Time
	platforms            []target

	// version is that of the programs, such as v0.1.0.
	version string
	// modules are those of which a program has code.
	modules []module
	// built has the programs of each platform.
	built map[target][]file
	// archives has the name of the archive of each platform.
	archives map[target]string
	// sums has the SHA-256 of each file of the release.
	sums map[string]string
}

// compiler builds a program of a clone for a platform into a file.
type compiler func(ctx context.Context, source, name string, t target, file string) error

// make builds the programs and writes all files.
func (r *release) make(ctx context.Context, compile compiler) error {
	r.archives, r.sums = map[target]string{}, map[string]string{}
	if err := r.build(ctx, compile); err != nil {
		return err
	}
	if err := os.MkdirAll(r.out, 0o755); err != nil {
		return err
	}
	documents, err := r.documents(ctx)
	if err != nil {
		return err
	}
	for _, t := range r.platforms {
		if err := r.writeArchive(t, documents); err != nil {
			return err
		}
	}
	if err := r.writeImage(documents); err != nil {
		return err
	}
	for _, write := range []func() error{r.writeSBOM, r.writeKrew, r.writeFormula, r.writeSums} {
		if err := write(); err != nil {
			return err
		}
	}
	return nil
}

// build builds the programs, and reads from them their version and modules.
func (r *release) build(ctx context.Context, compile compiler) error {
	folder, err := os.MkdirTemp("", "gatehouse-dist-")
	if err != nil {
		return err
	}
	defer os.RemoveAll(folder)
	r.built = map[target][]file{}
	var paths []string
	for _, t := range r.platforms {
		for _, name := range programs {
			path := filepath.Join(folder, t.os, t.arch, name)
			if err := compile(ctx, r.source, name, t, path); err != nil {
				return err
			}
			content, err := os.ReadFile(path)
			if err != nil {
				return err
			}
			paths = append(paths, path)
			r.built[t] = append(r.built[t], file{path: t.program(name), content: content, program: true})
		}
	}
	r.version, r.modules, err = inspect(paths)
	return err
}

// writeArchive packs the programs and documents of a platform.
func (r *release) writeArchive(t target, documents []file) error {
	folder := fmt.Sprintf("gatehouse_%s_%s_%s", r.version, t.os, t.arch)
	pack, suffix := tarGzip, ".tar.gz"
	if t.os == "windows" {
		pack, suffix = zipped, ".zip"
	}
	files := append(r.built[t][:len(programs):len(programs)], documents...)
	content, err := pack(folder, files, r.committed)
	if err != nil {
		return fmt.Errorf("packing %s: %w", t, err)
	}
	r.archives[t] = folder + suffix
	return r.write(folder+suffix, content)
}

// write writes a file of the release, and remembers its sum.
func (r *release) write(name string, content []byte) error {
	sum := sha256.Sum256(content)
	r.sums[name] = hex.EncodeToString(sum[:])
	return os.WriteFile(filepath.Join(r.out, name), content, 0o644)
}

// writeSums writes the sums in the format of sha256sum.
func (r *release) writeSums() error {
	var text []byte
	for _, name := range sortedKeys(r.sums) {
		text = fmt.Appendf(text, "%s  %s\n", r.sums[name], name)
	}
	return r.write("SHA256SUMS", text)
}
