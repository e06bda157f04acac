package manifest_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"example.com/gatehouse/internal/manifest"
	"example.com/gatehouse/internal/testutil/testtable"
)

// tree writes files and returns the folder that they are in.
func tree(t *testing.T, files map[string]string) string {
	t.Helper()
	root := t.TempDir()
	for name, content := range files {
		path := filepath.Join(root, name)
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(content), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	return root
}

// where lists the files and kinds of documents, and the errors, with the name
// of the folder left out.
func where(root string, paths []string, stdin string) []string {
	var got []string
	for i, p := range paths {
		if p != "-" {
			paths[i] = filepath.Join(root, p)
		}
	}
	for doc, err := range manifest.Files(paths, strings.NewReader(stdin)) {
		line := ""
		if err != nil {
			line = err.Error()
		} else {
			line = doc.File + " " + doc.Kind.Kind
		}
		got = append(got, strings.ReplaceAll(line, root+string(filepath.Separator), ""))
	}
	return got
}

func TestFiles(t *testing.T) {
	t.Parallel()
	root := tree(t, map[string]string{
		"d/b.yaml":          podYAML,
		"d/a.yml":           "apiVersion: v1\nkind: A\n",
		"d/c.json":          podJSON,
		"d/notes.txt":       "not a manifest",
		"d/sub/e.yaml":      podYAML,
		"d/folder.yaml/x.y": "",
		"empty/notes.txt":   "",
		"plain":             podYAML,
		"bad/a.yaml":        "a",
		"bad/b.yaml":        podYAML,

		"kustomized/a.yaml":               podYAML,
		"kustomized/kustomization.yaml":   "resources: [a.yaml]\n",
		"kustomized/kustomization.yml":    "resources: [a.yaml]\n",
		"kustomized/kustomizeconfig.yaml": "nameReference: []\n",
		"kustomized/my-kustomization.yml": "apiVersion: v1\nkind: A\n",
	})
	if err := os.Symlink(filepath.Join(root, "plain"), filepath.Join(root, "d", "d.yaml")); err != nil {
		t.Fatal(err)
	}
	if err := os.Symlink("nowhere", filepath.Join(root, "bad", "c.yaml")); err != nil {
		t.Fatal(err)
	}
	type test struct {
		row
		paths []string
		want  []string
	}
	rows := []test{
		{row{"folder", "manifests in name order, links followed, folders and other files left alone"},
			[]string{"d"}, []string{"d/a.yml A", "d/b.yaml Pod", "d/c.json Pod", "d/d.yaml Pod"}},
		{row{"file", "a file that is named is read whatever its name"}, []string{"plain"}, []string{"plain Pod"}},
		{row{"order", "paths are read in the order given"}, []string{"plain", "-", "d/a.yml"},
			[]string{"plain Pod", "standard input Secret", "d/a.yml A"}},
		{row{"standard input twice", "the second time would look empty"}, []string{"-", "-"},
			[]string{"standard input Secret", "standard input: there is none, or it has been read already"}},
		{row{"missing", "the others are read all the same"}, []string{"nowhere", "plain"},
			[]string{"nowhere: cannot be read: no such file or directory", "plain Pod"}},
		{row{"empty folder", "no manifests, no error"}, []string{"empty"}, nil},
		{row{"bad files", "errors do not hide the rest of the folder"}, []string{"bad"},
			[]string{"bad/a.yaml: document 1 (line 1): a manifest must be an object with apiVersion and kind", "bad/b.yaml Pod", "bad/c.yaml: cannot be read: no such file or directory"}},
		{row{"kustomized folder", "files about files are no manifests"}, []string{"kustomized"},
			[]string{"kustomized/a.yaml Pod", "kustomized/my-kustomization.yml A"}},
		{row{"kustomization by name", "the error says that it is no manifest"}, []string{"kustomized/kustomization.yaml"},
			[]string{"kustomized/kustomization.yaml: document 1 (line 1): apiVersion is missing"}},
		{row{"nothing", "no paths, no documents"}, nil, nil},
	}
	testtable.Run(t, rows, func(t *testing.T, r test) {
		got := where(root, r.paths, "apiVersion: v1\nkind: Secret\n")
		if diff := cmp.Diff(r.want, got); diff != "" {
			t.Errorf("%s (-want +got):\n%s", r.Why(), diff)
		}
	})
}

func TestNoStandardInput(t *testing.T) {
	t.Parallel()
	for _, err := range manifest.Files([]string{"-"}, nil) {
		if err == nil || !strings.HasPrefix(err.Error(), "standard input: ") {
			t.Errorf("got %v, want an error about standard input", err)
		}
		return
	}
	t.Error("nothing was yielded")
}

// TestFilesStop leaves the loop at each of the places where it can be left.
func TestFilesStop(t *testing.T) {
	t.Parallel()
	root := tree(t, map[string]string{"a.yaml": podYAML + "---\n" + podYAML, "b.yaml": podYAML})
	paths := []string{"-", root, "-", filepath.Join(root, "nowhere"), filepath.Join(root, "a.yaml")}
	for stop := range 8 {
		n := 0
		for range manifest.Files(paths, strings.NewReader(podYAML)) {
			if n++; n > stop {
				break
			}
		}
		if want := min(stop+1, 8); n != want {
			t.Errorf("got %d results, want %d", n, want)
		}
	}
}
