package main

import (
	"archive/tar"
	"bytes"
	"io"
	"os"
	"path/filepath"
	"slices"

	v1 "github.com/google/go-containerregistry/pkg/v1"
	"github.com/google/go-containerregistry/pkg/v1/empty"
	"github.com/google/go-containerregistry/pkg/v1/layout"
	"github.com/google/go-containerregistry/pkg/v1/mutate"
	"github.com/google/go-containerregistry/pkg/v1/tarball"
	"github.com/google/go-containerregistry/pkg/v1/types"
)

// nonRoot is the user of the image: it has no name, no home and no permissions.
const nonRoot = "65532:65532"

// writeImage writes an OCI archive with an image for each platform of linux, if there is one.
// The image has no base: the programs, their licenses, and a folder for temporary files.
func (r *release) writeImage(documents []file) error {
	if !slices.ContainsFunc(r.platforms, func(t target) bool { return t.os == "linux" }) {
		return nil
	}
	index := mutate.IndexMediaType(empty.Index, types.OCIImageIndex)
	for _, t := range r.platforms {
		if t.os != "linux" {
			continue
		}
		image, err := r.image(t, documents)
		if err != nil {
			return err
		}
		index = mutate.AppendManifests(index, mutate.IndexAddendum{Add: image, Descriptor: v1.Descriptor{
			Platform:    &v1.Platform{OS: t.os, Architecture: t.arch},
			Annotations: map[string]string{"org.opencontainers.image.ref.name": r.version},
		}})
	}
	folder, err := os.MkdirTemp("", "gatehouse-image-")
	if err != nil {
		return err
	}
	defer os.RemoveAll(folder)
	if _, err := layout.Write(folder, index); err != nil {
		return err
	}
	content, err := r.packLayout(folder)
	if err != nil {
		return err
	}
	return r.write("gatehouse_"+r.version+"_image.tar", content)
}

// image returns the image of a platform.
func (r *release) image(t target, documents []file) (v1.Image, error) {
	files := append([]file{}, r.built[t]...)
	for _, f := range documents {
		if f.path == "LICENSE" || f.path == "NOTICE" || f.path == "THIRD_PARTY_LICENSES" {
			files = append(files, file{path: "licenses/" + f.path, content: f.content})
		}
	}
	var unpacked bytes.Buffer
	w := tar.NewWriter(&unpacked)
	temporary := &tar.Header{Typeflag: tar.TypeDir, Name: "tmp/", Mode: 0o1777, ModTime: r.committed, Format: tar.FormatPAX}
	if err := w.WriteHeader(temporary); err != nil {
		return nil, err
	}
	if err := writeTar(w, "", files, r.committed); err != nil {
		return nil, err
	}
	layer, err := tarball.LayerFromOpener(func() (io.ReadCloser, error) {
		return io.NopCloser(bytes.NewReader(unpacked.Bytes())), nil
	}, tarball.WithMediaType(types.OCILayer))
	if err != nil {
		return nil, err
	}
	base := mutate.MediaType(empty.Image, types.OCIManifestSchema1)
	image, err := mutate.Append(base, mutate.Addendum{
		Layer:   layer,
		History: v1.History{Created: v1.Time{Time: r.committed}, CreatedBy: "gatehouse " + r.version},
	})
	if err != nil {
		return nil, err
	}
	config, err := image.ConfigFile()
	if err != nil {
		return nil, err
	}
	config = config.DeepCopy()
	r.configure(config, t)
	return mutate.ConfigFile(image, config)
}

// configure says how containers of the image are run.
func (r *release) configure(config *v1.ConfigFile, t target) {
	config.OS, config.Architecture = t.os, t.arch
	config.Created = v1.Time{Time: r.committed}
	config.Config.Entrypoint = []string{"/gatehouse"}
	config.Config.User = nonRoot
	config.Config.Env = []string{"PATH=/"}
	config.Config.Labels = map[string]string{
		"org.opencontainers.image.title":    "gatehouse",
		"org.opencontainers.image.version":  r.version,
		"org.opencontainers.image.licenses": "Apache-2.0",
	}
}

// packLayout packs a folder with a layout in the order of the names.
func (r *release) packLayout(folder string) ([]byte, error) {
	var files []file
	err := filepath.WalkDir(folder, func(path string, entry os.DirEntry, err error) error {
		if err != nil || entry.IsDir() {
			return err
		}
		content, err := os.ReadFile(path)
		if err != nil {
			return err
		}
		name, err := filepath.Rel(folder, path)
		files = append(files, file{path: filepath.ToSlash(name), content: content})
		return err
	})
	if err != nil {
		return nil, err
	}
	var out bytes.Buffer
	if err := writeTar(tar.NewWriter(&out), "", files, r.committed); err != nil {
		return nil, err
	}
	return out.Bytes(), nil
}
