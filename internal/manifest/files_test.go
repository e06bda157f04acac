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

// kubebuilt is a folder with the files about files that kubebuilder makes.
func kubebuilt(t *testing.T) string {
	return tree(t, map[string]string{
		"crd/bases/toys.yaml":                "apiVersion: v1\nkind: A\n",
		"crd/kustomization.yaml":             "resources:\n- bases/toys.yaml\npatches:\n- path: patches/toys.yaml\nconfigurations: [settings.yaml]\n",
		"crd/kustomizeconfig.yaml":           "nameReference: []\n",
		"crd/patches/toys.yaml":              "apiVersion: v1\nkind: Patch\n",
		"crd/patches/unlisted.yaml":          "apiVersion: v1\nkind: B\n",
		"crd/settings.yaml":                  "namespace: []\n",
		"default/kustomization.yml":          "resources: [../crd]\npatches:\n- path: ops.yaml\n  target: {kind: Deployment}\n- patch: 'a: b'\npatchesStrategicMerge:\n- merge.yaml\n#- path: unused_patch.yaml\n",
		"default/merge.yaml":                 "apiVersion: v1\nkind: Patch\n",
		"default/ops.yaml":                   "- {op: add, path: /a, value: b}\n",
		"default/unused_patch.yaml":          "- {op: add, path: /a, value: b}\n",
		"broken/Kustomization":               "a: [",
		"broken/c.yaml":                      "apiVersion: v1\nkind: C\n",
		"plain/not_a_patch.yaml":             "apiVersion: v1\nkind: D\n",
		".hidden/e.yaml":                     "apiVersion: v1\nkind: E\n",
		"links/notes.txt":                    "",
		"manager/deep/deeper/deepest/f.json": `{"apiVersion":"v1","kind":"F"}`,
	})
}

func TestRecursive(t *testing.T) {
	t.Parallel()
	root := kubebuilt(t)
	if err := os.Symlink(root, filepath.Join(root, "links", "loop")); err != nil {
		t.Fatal(err)
	}
	read := func(r manifest.Reader, path string) (got []string) {
		for d, err := range r.Files([]string{filepath.Join(root, path)}) {
			line := testtable.Text(err)
			if err == nil {
				line = d.Kind.Kind
			}
			if err == nil && d.Patch {
				line += " patches"
			}
			got = append(got, line)
		}
		return got
	}
	type test struct {
		row
		reader manifest.Reader
		path   string
		want   []string
	}
	testtable.Run(t, []test{
		{row{"everything", "what kustomize takes for resources, in the order of paths, without loops"},
			manifest.Reader{Recursive: true}, "", []string{"C", "A", "B", "F", "D"}},
		{row{"not recursive", "only the folder itself"}, manifest.Reader{}, "crd", nil},
		{row{"folder of patches", "it has no kustomization of its own"}, manifest.Reader{}, "crd/patches", []string{"Patch", "B"}},
		{row{"patch by name", "a file that is named is read"}, manifest.Reader{}, "default/merge.yaml", []string{"Patch"}},
		{row{"patches", "those that are manifests"}, manifest.Reader{Recursive: true, Patches: true}, "",
			[]string{"C", "A", "Patch patches", "B", "Patch patches", "F", "D"}},
	}, func(t *testing.T, tc test) {
		if diff := cmp.Diff(tc.want, read(tc.reader, tc.path)); diff != "" {
			t.Errorf("%s (-want +got):\n%s", tc.Why(), diff)
		}
	})
}

func TestUnread(t *testing.T) {
	t.Parallel()
	root := kubebuilt(t)
	paths := []string{"-", root, filepath.Join(root, "crd", "bases"), filepath.Join(root, "nowhere")}
	want := []string{root + ": its folders are not read without -R: broken, crd, default, manager, plain"}
	if diff := cmp.Diff(want, (&manifest.Reader{}).Unread(paths)); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
	if got := (&manifest.Reader{Recursive: true}).Unread(paths); got != nil {
		t.Errorf("a recursive reader leaves out %q", got)
	}
}
