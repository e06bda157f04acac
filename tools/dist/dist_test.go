package main

import (
	"archive/tar"
	"archive/zip"
	"bytes"
	"compress/gzip"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	cyclonedx "github.com/CycloneDX/cyclonedx-go"
	v1 "github.com/google/go-containerregistry/pkg/v1"
	"github.com/google/go-containerregistry/pkg/v1/layout"
	"github.com/google/go-containerregistry/pkg/v1/validate"
	"sigs.k8s.io/yaml"
)

// released makes a release of small programs twice.
func released(t *testing.T) *release {
	t.Helper()
	program := hello(t)
	stand := func(_ context.Context, _, _ string, _ target, file string) error {
		content, err := os.ReadFile(program)
		if err != nil {
			return err
		}
		if err := os.MkdirAll(filepath.Dir(file), 0o700); err != nil {
			return err
		}
		return os.WriteFile(file, content, 0o600)
	}
	return twice(t, func() *release {
		r := &release{
			source: "../..", out: filepath.Join(t.TempDir(), "dist"), address: "https://example.com/r",
			committed: time.Date(2026, 11, 27, 10, 0, 0, 0, time.UTC),
			platforms: []target{{"linux", "amd64"}, {"linux", "arm64"}, {"darwin", "arm64"}, {"windows", "amd64"}},
		}
		if err := r.make(t.Context(), stand); err != nil {
			t.Fatal(err)
		}
		return r
	})
}

// hello builds a small program as compile does.
func hello(t *testing.T) string {
	t.Helper()
	program := filepath.Join(t.TempDir(), "hello")
	build := exec.Command("go", "build", "-trimpath", "-ldflags=-s -w", "-o", program, "./testdata/hello")
	build.Env = append(os.Environ(), "CGO_ENABLED=0")
	if out, err := build.CombinedOutput(); err != nil {
		t.Fatalf("%v: %s", err, out)
	}
	return program
}

// twice makes a release twice, compares the files, and returns the second one.
func twice(t *testing.T, release func() *release) *release {
	t.Helper()
	first, second := release(), release()
	if a, b := read(t, first.out, "SHA256SUMS"), read(t, second.out, "SHA256SUMS"); !bytes.Equal(a, b) {
		t.Errorf("the same commit makes different files:\n%s\n%s", a, b)
	}
	return second
}

func read(t *testing.T, path ...string) []byte {
	t.Helper()
	content, err := os.ReadFile(filepath.Join(path...))
	if err != nil {
		t.Fatal(err)
	}
	return content
}

// TestRelease makes a release and reads each of its files as those who install it do.
func TestRelease(t *testing.T) { checkRelease(t, released(t)) }

// TestNoImage: without a platform of linux there is no archive of images.
func TestNoImage(t *testing.T) {
	r := &release{platforms: []target{{"darwin", "arm64"}}, out: t.TempDir(), version: "v0.1.0", sums: map[string]string{}}
	if err := r.writeImage(nil); err != nil {
		t.Fatal(err)
	}
	if entries, err := os.ReadDir(r.out); err != nil || len(entries) > 0 || len(r.sums) > 0 {
		t.Errorf("the folder has %v, the sums are %v, error %v", entries, r.sums, err)
	}
}

func checkRelease(t *testing.T, r *release) {
	t.Run("sums", func(t *testing.T) { checkSums(t, r.out) })
	t.Run("archives", func(t *testing.T) { checkArchives(t, r) })
	t.Run("image", func(t *testing.T) { checkImage(t, r) })
	t.Run("krew", func(t *testing.T) { checkKrew(t, r) })
	t.Run("formula", func(t *testing.T) { checkFormula(t, r) })
	t.Run("sbom", func(t *testing.T) { checkSBOM(t, filepath.Join(r.out, "gatehouse_"+r.version+".cdx.json")) })
}

func checkSums(t *testing.T, out string) {
	listed := map[string]bool{"SHA256SUMS": true}
	for line := range strings.Lines(string(read(t, out, "SHA256SUMS"))) {
		sum, name, _ := strings.Cut(strings.TrimSuffix(line, "\n"), "  ")
		listed[name] = true
		if got := sha256.Sum256(read(t, out, name)); hex.EncodeToString(got[:]) != sum {
			t.Errorf("%s has another sum", name)
		}
	}
	entries, err := os.ReadDir(out)
	if err != nil {
		t.Fatal(err)
	}
	for _, entry := range entries {
		if !listed[entry.Name()] {
			t.Errorf("%s is not listed", entry.Name())
		}
	}
}

func checkArchives(t *testing.T, r *release) {
	for _, target := range r.platforms {
		name := r.archives[target]
		modes := untar(t, r, read(t, r.out, name))
		if target.os == "windows" {
			modes = unzip(t, read(t, r.out, name))
		}
		folder := strings.TrimSuffix(strings.TrimSuffix(name, ".tar.gz"), ".zip")
		for path, mode := range map[string]os.FileMode{
			target.program("gatehouse"): 0o755, target.program("gatehouse-apiserver"): 0o755, "LICENSE": 0o644, "NOTICE": 0o644,
			"THIRD_PARTY_LICENSES": 0o644, "README.md": 0o644, "completions/_gatehouse": 0o644, "man/man1/gatehouse-run.1": 0o644,
		} {
			if modes[folder+"/"+path] != mode {
				t.Errorf("%s: %s has the mode %v, want %v", name, path, modes[folder+"/"+path], mode)
			}
		}
	}
	for _, module := range []string{"std ", "sigs.k8s.io/yaml "} {
		if !bytes.Contains(thirdParties(r.modules), []byte("\n"+module)) {
			t.Errorf("the license of %s is missing", module)
		}
	}
}

// untar returns the modes of the files of an archive.
func untar(t *testing.T, made *release, content []byte) map[string]os.FileMode {
	t.Helper()
	unpacked, err := gzip.NewReader(bytes.NewReader(content))
	if err != nil {
		return nil
	}
	modes := map[string]os.FileMode{}
	for r := tar.NewReader(unpacked); ; {
		header, err := r.Next()
		if err == io.EOF {
			return modes
		}
		if err != nil {
			t.Fatal(err)
		}
		if !header.ModTime.Equal(made.committed) || header.Uid != 0 || header.Uname != "" {
			t.Errorf("%s: %v, user %d %q", header.Name, header.ModTime, header.Uid, header.Uname)
		}
		modes[header.Name] = os.FileMode(header.Mode)
	}
}

func unzip(t *testing.T, content []byte) map[string]os.FileMode {
	t.Helper()
	r, err := zip.NewReader(bytes.NewReader(content), int64(len(content)))
	if err != nil {
		t.Fatal(err)
	}
	modes := map[string]os.FileMode{}
	for _, f := range r.File {
		modes[f.Name] = f.Mode()
	}
	return modes
}

func checkImage(t *testing.T, made *release) {
	folder := t.TempDir()
	r := tar.NewReader(bytes.NewReader(read(t, made.out, "gatehouse_"+made.version+"_image.tar")))
	for header, err := r.Next(); err != io.EOF; header, err = r.Next() {
		if err != nil {
			t.Fatal(err)
		}
		content, err := io.ReadAll(r)
		if err != nil {
			t.Fatal(err)
		}
		path := filepath.Join(folder, filepath.FromSlash(header.Name))
		if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, content, 0o600); err != nil {
			t.Fatal(err)
		}
	}
	index, err := layout.ImageIndexFromPath(folder)
	if err != nil {
		t.Fatal(err)
	}
	if err := validate.Index(index); err != nil {
		t.Error(err)
	}
	manifest, err := index.IndexManifest()
	if err != nil {
		t.Fatal(err)
	}
	var archs []string
	for _, described := range manifest.Manifests {
		image, err := index.Image(described.Digest)
		if err != nil {
			t.Fatal(err)
		}
		archs = append(archs, checkOneImage(t, made, image, described.Platform))
	}
	var want []string
	for _, target := range made.platforms {
		if target.os == "linux" {
			want = append(want, target.arch)
		}
	}
	if !slices.Equal(archs, want) {
		t.Errorf("images for %v, want %v", archs, want)
	}
}

func checkOneImage(t *testing.T, made *release, image v1.Image, platform *v1.Platform) string {
	t.Helper()
	config, err := image.ConfigFile()
	if err != nil {
		t.Fatal(err)
	}
	if c := config.Config; c.User != "65532:65532" || !slices.Equal(c.Entrypoint, []string{"/gatehouse"}) ||
		config.OS != "linux" || config.Architecture != platform.Architecture || !config.Created.Equal(made.committed) {
		t.Errorf("the configuration is %+v", config)
	}
	layers, err := image.Layers()
	if err != nil || len(layers) != 1 {
		t.Fatalf("%d layers, %v", len(layers), err)
	}
	compressed, err := layers[0].Compressed()
	if err != nil {
		t.Fatal(err)
	}
	defer compressed.Close()
	content, err := io.ReadAll(compressed)
	if err != nil {
		t.Fatal(err)
	}
	modes := untar(t, made, content)
	for path, mode := range map[string]os.FileMode{
		"gatehouse": 0o755, "gatehouse-apiserver": 0o755, "tmp/": 0o1777, "licenses/THIRD_PARTY_LICENSES": 0o644,
	} {
		if modes[path] != mode {
			t.Errorf("%s has the mode %o, want %o", path, modes[path], mode)
		}
	}
	return platform.Architecture
}

func checkKrew(t *testing.T, r *release) {
	var manifest krew
	if err := yaml.UnmarshalStrict(read(t, r.out, "gatehouse.yaml"), &manifest); err != nil {
		t.Fatal(err)
	}
	if len(manifest.Spec.Platforms) != len(r.platforms) || manifest.Spec.Version != r.version {
		t.Errorf("the manifest is %+v", manifest)
	}
	for _, p := range manifest.Spec.Platforms {
		name := filepath.Base(p.URI)
		sum := sha256.Sum256(read(t, r.out, name))
		if p.SHA256 != hex.EncodeToString(sum[:]) || !strings.HasPrefix(p.URI, r.address+"/"+r.version+"/") {
			t.Errorf("%+v", p)
		}
	}
}

func checkFormula(t *testing.T, r *release) {
	text := string(read(t, r.out, "gatehouse.rb"))
	for _, target := range r.platforms {
		if got, want := strings.Contains(text, r.sums[r.archives[target]]), target.os != "windows"; got != want {
			t.Errorf("%s is in the formula: %t, want %t", target, got, want)
		}
	}
}

func checkSBOM(t *testing.T, name string) {
	var bom cyclonedx.BOM
	if err := json.Unmarshal(read(t, name), &bom); err != nil {
		t.Fatal(err)
	}
	if !slices.ContainsFunc(*bom.Components, func(c cyclonedx.Component) bool {
		return strings.HasPrefix(c.PackageURL, "pkg:golang/sigs.k8s.io/yaml@v1.")
	}) {
		t.Errorf("the SBOM lacks a module: %+v", *bom.Components)
	}
}
