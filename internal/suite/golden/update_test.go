package golden_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	corev1 "k8s.io/api/core/v1"

	"example.com/gatehouse/admission"
	"example.com/gatehouse/internal/suite/golden"
	"example.com/gatehouse/internal/testutil/testenv"
	"example.com/gatehouse/internal/testutil/testtable"
)

// other has the object differ.
func other(_ *admission.Response, c *corev1.ConfigMap) { c.Labels["app"] = "api" }

type updateCase struct {
	row
	// file is what is there before, and paths are where two cases find it. The
	// second one comes to what edit makes of the object.
	file   string
	paths  [2]string
	edit   edit
	wrote  [2]bool
	failed []string
}

// older is what was written for a case before.
var older = strings.Replace(text, "two", "three", 1)

// TestUpdate has two cases name a file. Whatever they do, the file is that of
// the first.
func TestUpdate(t *testing.T) {
	t.Parallel()
	different := []string{
		"golden: PATH is also the golden file of an earlier case with another final object",
		`golden: metadata.labels.app: want "web", got "api"`,
	}
	path := [2]string{"want.yaml", "want.yaml"}
	testtable.Run(t, []updateCase{
		{row{"same object", "cases may share a file"}, older, path, nothing, [2]bool{true, false}, nil},
		{row{"other object", "the first would fail the next time"}, older, path, other, [2]bool{true, false}, different},
		{row{"equal already", "a file that need not be written is the first's all the same"}, text, path, other, [2]bool{}, different},
		{row{"two paths", "it is one file however it is written"}, older, [2]string{"want.yaml", "folder/../want.yaml"}, other, [2]bool{true, false}, different},
		{row{"link", "nor does it matter how one comes to it"}, older, [2]string{"link.yaml", "want.yaml"}, other, [2]bool{true, false}, different},
		{row{"no file", "it is there when the second comes"}, "", [2]string{"folder/new.yaml", "folder/new.yaml"}, other, [2]bool{true, false}, different},
	}, func(t *testing.T, tc updateCase) {
		want := file(t, tc.file)
		folder := filepath.Dir(want)
		if err := os.Symlink("want.yaml", filepath.Join(folder, "link.yaml")); err != nil {
			testenv.Missing(t, err)
		}
		if err := os.Mkdir(filepath.Join(folder, "folder"), 0o700); err != nil {
			t.Fatal(err)
		}
		var u golden.Update
		var got []string
		for i, r := range []*admission.Response{created(), created(tc.edit)} {
			failures, written, err := u.Write(folder+"/"+tc.paths[i], r)
			if err != nil || written != tc.wrote[i] || i == 0 && failures != nil {
				t.Errorf("case %d: written %t, error %v, failures %v", i, written, err, failures)
			}
			got = texts(failures)
		}
		for i := range got {
			got[i] = strings.ReplaceAll(got[i], folder+"/"+tc.paths[1], "PATH")
		}
		if d := cmp.Diff(tc.failed, got); d != "" {
			t.Errorf("-want +got\n%s", d)
		}
		if d := cmp.Diff(text, content(t, filepath.Join(folder, tc.paths[0]))); d != "" {
			t.Errorf("-want +got\n%s", d)
		}
	})
}

// TestUpdateAfterError leaves the file to the next case if nothing was written
// for the first.
func TestUpdateAfterError(t *testing.T) {
	t.Parallel()
	path := file(t, "")
	var u golden.Update
	if _, written, err := u.Write(path, created(denied)); err == nil || written {
		t.Errorf("a denied request: written %t, error %v", written, err)
	}
	if failures, written, err := u.Write(path, created()); err != nil || !written || failures != nil {
		t.Errorf("the next: written %t, error %v, failures %v", written, err, failures)
	}
}
