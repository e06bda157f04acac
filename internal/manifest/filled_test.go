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
	root := tree(t, map[string]string{"pod.yaml": podYAML, "cut.yaml": "# nothing\n", "folder/notes.txt": "none"})
	paths := []string{filepath.Join(root, "cut.yaml"), filepath.Join(root, "pod.yaml"), "-", filepath.Join(root, "folder"), filepath.Join(root, "gone")}
	var got []string
	for d, err := range manifest.Filled(paths, strings.NewReader("")) {
		line := testtable.Text(err)
		if err == nil {
			line = d.Kind.Kind
		}
		got = append(got, strings.ReplaceAll(line, root+string(filepath.Separator), ""))
	}
	want := []string{
		"cut.yaml: holds no documents", "Pod", "standard input: holds no documents", "folder: holds no documents",
		"gone: cannot be read: no such file or directory",
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}
