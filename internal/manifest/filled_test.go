package manifest_test

import (
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"example.com/gatehouse/internal/manifest"
	"example.com/gatehouse/internal/testutil/testtable"
)

func TestFilled(t *testing.T) {
	t.Parallel()
	root := tree(t, map[string]string{"pod.yaml": podYAML, "cut.yaml": "# nothing\n", "folder/notes.txt": "none",
		"deep/webhook/a.yaml": podYAML, "deep/crd/bases/b.yaml": podYAML, "deep/.git/c.yaml": podYAML, "deep/none/notes.txt": ""})
	paths := []string{filepath.Join(root, "cut.yaml"), filepath.Join(root, "pod.yaml"), "-", filepath.Join(root, "folder"), filepath.Join(root, "deep"), filepath.Join(root, "gone")}
	var got []string
	for d, err := range (&manifest.Reader{Stdin: strings.NewReader("")}).Filled(paths) {
		line := testtable.Text(err)
		if err == nil {
			line = d.Kind.Kind
		}
		got = append(got, strings.ReplaceAll(line, root+string(filepath.Separator), ""))
	}
	want := []string{
		"cut.yaml: holds no documents", "Pod", "standard input: holds no documents", "folder: holds no documents",
		"deep: holds no documents; its folders are not read without -R: crd, webhook",
		"gone: cannot be read: no such file or directory",
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}
