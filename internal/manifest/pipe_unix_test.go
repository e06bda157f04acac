//go:build unix

package manifest_test

import (
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"example.com/gatehouse/internal/manifest"
)

// TestPipesInFolder reads a folder with pipes several times, which can be read
// once each.
func TestPipesInFolder(t *testing.T) {
	t.Parallel()
	kustomization := "patches: [{path: patch.yaml}]\n"
	root := tree(t, map[string]string{"kustomization.yaml": kustomization})
	for _, name := range []string{"pod.yaml", "patch.yaml"} {
		pipe := filepath.Join(root, name)
		if err := syscall.Mkfifo(pipe, 0o600); err != nil {
			t.Fatal(err)
		}
		go func() { // opening waits for the reader
			if err := os.WriteFile(pipe, []byte(podYAML), 0o600); err != nil {
				t.Error(err)
			}
		}()
	}
	r := &manifest.Reader{Repeats: true, Patches: true}
	defer r.Close()
	got := make(chan []string)
	go func() {
		var seen []string
		if r.Mentions(root, "no such text") {
			seen = append(seen, "mentioned")
		}
		for range 2 {
			for d, err := range r.Files([]string{root}) {
				if err != nil {
					seen = append(seen, err.Error())
					continue
				}
				seen = append(seen, strings.TrimPrefix(d.File, root+"/")+" "+d.Kind.Kind)
			}
		}
		got <- seen
	}()
	want := []string{"patch.yaml Pod", "pod.yaml Pod", "patch.yaml Pod", "pod.yaml Pod"}
	select {
	case seen := <-got:
		if diff := cmp.Diff(want, seen); diff != "" {
			t.Errorf("(-want +got):\n%s", diff)
		}
	case <-time.After(time.Minute):
		t.Fatal("a pipe is opened again")
	}
}
