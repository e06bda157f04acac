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

// TestPipeForKustomization does not open a kustomization that may never end.
func TestPipeForKustomization(t *testing.T) {
	t.Parallel()
	root := tree(t, map[string]string{"pod.yaml": podYAML})
	if err := syscall.Mkfifo(filepath.Join(root, "kustomization.yaml"), 0o600); err != nil {
		t.Fatal(err)
	}
	done := make(chan []string)
	go func() { done <- transcript((&manifest.Reader{}).Files([]string{root})) }()
	select {
	case got := <-done:
		if diff := cmp.Diff([]string{"1:1 v1 Pod"}, got); diff != "" {
			t.Errorf("(-want +got):\n%s", diff)
		}
	case <-time.After(time.Minute):
		t.Fatal("the pipe is opened")
	}
}
