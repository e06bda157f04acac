package golden_test

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"pgregory.net/rapid"

	"example.com/gatehouse/admission"
	"example.com/gatehouse/internal/suite/golden"
	"example.com/gatehouse/internal/testutil/testenv"
	"example.com/gatehouse/internal/testutil/testtable"
)

// TestWrite writes into a folder that is not there, and looks at all that is
// left behind.
func TestWrite(t *testing.T) {
	t.Parallel()
	folder := filepath.Join(t.TempDir(), "a", "b")
	path := filepath.Join(folder, "want.yaml")
	written, err := golden.Write(path, created(managed, kindless))
	if err != nil || !written {
		t.Fatalf("written %t, error %v", written, err)
	}
	if d := cmp.Diff(text, content(t, path)); d != "" {
		t.Errorf("-want +got\n%s", d)
	}
	info, err := os.Stat(path)
	if want := newMode(t, 0o644); err != nil || info.Mode() != want {
		t.Errorf("%v, error %v, want mode %v", info, err, want)
	}
	onlyFile(t, folder)
}

// newMode returns the mode that a new file gets for mode: without the umask.
func newMode(t *testing.T, mode os.FileMode) os.FileMode {
	t.Helper()
	path := filepath.Join(t.TempDir(), "new")
	if err := os.WriteFile(path, nil, mode); err != nil {
		t.Fatal(err)
	}
	info, err := os.Stat(path)
	if err != nil {
		t.Fatal(err)
	}
	return info.Mode()
}

func content(tb rapid.TB, path string) string {
	tb.Helper()
	got, err := os.ReadFile(path)
	if err != nil {
		tb.Fatal(err)
	}
	return string(got)
}

// onlyFile wants a folder with nothing but want.yaml in it.
func onlyFile(t *testing.T, folder string) {
	t.Helper()
	entries, err := os.ReadDir(folder)
	if err != nil || len(entries) != 1 || entries[0].Name() != "want.yaml" {
		t.Errorf("in the folder are %v, error %v", entries, err)
	}
}

type writeCase struct {
	row
	// file is there before, and want after.
	file string
	edit edit
	want string
	err  string
}

func TestWriteOverFile(t *testing.T) {
	t.Parallel()
	const equal = "# a comment\n{kind: ConfigMap, apiVersion: v1, metadata: {name: c, labels: {app: web}, namespace: shop}, data: {b: \"two\\nlines\\n\", a: '1'}}"
	const other = "apiVersion: gatehouse/v1alpha1\nkind: AdmissionTest\n"
	several := text + "---\n" + text
	testtable.Run(t, []writeCase{
		{row{"equal", "comments and layout are kept"}, equal, nothing, equal, ""},
		{row{"different", "that is what it is for"}, strings.Replace(text, "web", "api", 1), nothing, text, ""},
		{row{"generated name", "it would be another one each time"}, "", generated, strings.Replace(strings.Replace(text, "  name: c\n", "", 1), "  labels", "  generateName: c-\n  labels", 1), ""},
		{row{"nothing in it", "an empty file is a placeholder"}, "# to come\n", nothing, text, ""},
		{row{"conflict", "the author has to resolve it"}, "<<<<<<< ours\nx\n", nothing, "<<<<<<< ours\nx\n", "PATH: document 1 (line 1): a manifest must be an object with apiVersion and kind: gatehouse does not overwrite it"},
		{row{"no object", "it is no golden file"}, "[]\n", nothing, "[]\n", "PATH: document 1 (line 1): a manifest must be an object with apiVersion and kind: gatehouse does not overwrite it"},
		{row{"several documents", "it is no golden file"}, several, nothing, several, "PATH: document 2 (line 14): is a second document: a golden file has one: gatehouse does not overwrite it"},
		{row{"another kind", "it is a suite, a configuration or a sample"}, other, nothing, other, "PATH: holds the kind AdmissionTest: to replace it by a ConfigMap, remove the file first"},
		{row{"denied", "nothing is expected of what was denied"}, text, denied, text, "writing PATH: the request was denied, so there is no final object"},
		{row{"deleted", "there is nothing to write"}, text, deleted, text, "writing PATH: there is no final object, as there is none after a deletion"},
	}, func(t *testing.T, tc writeCase) {
		path := file(t, tc.file)
		past := time.Unix(1_000_000_000, 0)
		if err := os.Chtimes(path, past, past); err != nil {
			t.Fatal(err)
		}
		written, err := golden.Write(path, created(tc.edit))
		if want := strings.ReplaceAll(tc.err, "PATH", path); testtable.Text(err) != want {
			t.Errorf("got  %v\nwant %s", err, want)
		}
		if d := cmp.Diff(tc.want, content(t, path)); d != "" {
			t.Errorf("-want +got\n%s", d)
		}
		info, err := os.Stat(path)
		if touched := err == nil && !info.ModTime().Equal(past); err != nil || touched != written || written != (tc.file != tc.want) {
			t.Errorf("written %t, touched %t, error %v", written, touched, err)
		}
		onlyFile(t, filepath.Dir(path))
	})
}

// TestMode: a file keeps its mode, and a new Secret is not world-readable.
func TestMode(t *testing.T) {
	t.Parallel()
	path := file(t, older)
	if err := os.Chmod(path, 0o640); err != nil {
		t.Fatal(err)
	}
	secret := created()
	secret.Object = &corev1.Secret{TypeMeta: metav1.TypeMeta{APIVersion: "v1", Kind: "Secret"}, ObjectMeta: metav1.ObjectMeta{Name: "s"}}
	of := filepath.Join(filepath.Dir(path), "secret.yaml")
	for path, r := range map[string]*admission.Response{path: created(), of: secret} {
		if _, err := golden.Write(path, r); err != nil {
			t.Fatal(err)
		}
	}
	for path, want := range map[string]os.FileMode{path: 0o640, of: 0o600} {
		if info, err := os.Stat(path); err != nil || info.Mode() != want {
			t.Errorf("%v, error %v, want mode %v", info, err, want)
		}
	}
}

// TestWriteOverFolder cannot be done, and leaves nothing behind.
func TestWriteOverFolder(t *testing.T) {
	t.Parallel()
	folder := t.TempDir()
	path := filepath.Join(folder, "want.yaml")
	if err := os.Mkdir(path, 0o700); err != nil {
		t.Fatal(err)
	}
	if written, err := golden.Write(path, created()); err == nil || written {
		t.Errorf("written %t, error %v", written, err)
	}
	onlyFile(t, folder)
}

// TestWriteOverLink writes the file that a link leads to, as people have one
// file for several suites.
func TestWriteOverLink(t *testing.T) {
	t.Parallel()
	path, link := file(t, older), filepath.Join(t.TempDir(), "link.yaml")
	if err := os.Symlink(path, link); err != nil {
		testenv.Missing(t, err)
	}
	if written, err := golden.Write(link, created()); err != nil || !written {
		t.Errorf("written %t, error %v", written, err)
	}
	if leads, err := os.Readlink(link); err != nil || leads != path {
		t.Errorf("the link leads to %q, error %v", leads, err)
	}
	if d := cmp.Diff(text, content(t, path)); d != "" {
		t.Errorf("-want +got\n%s", d)
	}
	onlyFile(t, filepath.Dir(path))
}

// TestWriteOverBrokenLink does not guess where the file should be.
func TestWriteOverBrokenLink(t *testing.T) {
	t.Parallel()
	link := filepath.Join(t.TempDir(), "want.yaml")
	if err := os.Symlink("nowhere", link); err != nil {
		testenv.Missing(t, err)
	}
	if written, err := golden.Write(link, created()); !errors.Is(err, os.ErrNotExist) || written {
		t.Errorf("written %t, error %v", written, err)
	}
	onlyFile(t, filepath.Dir(link))
}

// TestWriteInParallel has many write and check one file, of which none sees a
// part.
func TestWriteInParallel(t *testing.T) {
	t.Parallel()
	path := file(t, "")
	var group sync.WaitGroup
	for range 8 {
		group.Go(func() {
			if _, err := golden.Write(path, created()); err != nil {
				t.Error(err)
			}
			if failures, err := golden.Check(path, created()); err != nil || len(failures) > 0 {
				t.Errorf("failures %v, error %v", failures, err)
			}
		})
	}
	group.Wait()
	onlyFile(t, filepath.Dir(path))
}

// TestWriteAndCheck reads whatever it has written.
func TestWriteAndCheck(t *testing.T) {
	t.Parallel()
	folder := t.TempDir()
	rapid.Check(t, func(t *rapid.T) {
		r := created()
		word := rapid.OneOf(rapid.String(), rapid.SampledFrom([]string{
			"", "null", "yes", "1e3", "0x10", "~", "---", "- a", "# a", "a: b", " a", "a\n\n", "\u2028", "\ufeff", "\x7f\u0085\u009f", "\uffff\ufffe", "\U0001f600", "2001-01-01", "<&*",
		}))
		r.Object.(*corev1.ConfigMap).Data = rapid.MapOf(word, word).Draw(t, "data")
		path := filepath.Join(folder, "want.yaml")
		if _, err := golden.Write(path, r); err != nil {
			t.Fatal(err)
		}
		if failures, err := golden.Check(path, r); err != nil || len(failures) > 0 {
			t.Fatalf("failures %v, error %v, after writing\n%s", texts(failures), err, content(t, path))
		}
		if written, err := golden.Write(path, r); err != nil || written {
			t.Fatalf("written again: %t, error %v", written, err)
		}
	})
}
