package manifest_test

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"example.com/gatehouse/internal/manifest"
)

// TestRepeats reads standard input and a file twice. What is large is kept in a
// file that is gone when the reader is closed.
func TestRepeats(t *testing.T) {
	folder := t.TempDir()
	t.Setenv("TMPDIR", folder)
	root := tree(t, map[string]string{"a.yaml": podYAML})
	for _, pods := range []int{1, 2, 500} {
		text := strings.Repeat("---\n"+podYAML+"# "+strings.Repeat("x", 8<<10)+"\n", pods)
		r := &manifest.Reader{Stdin: strings.NewReader(text), Repeats: true}
		for range 2 {
			count := 0
			for d, err := range r.Files([]string{filepath.Join(root, "a.yaml"), "-"}) {
				if err != nil || d.Kind.Kind != "Pod" {
					t.Fatal(d, err)
				}
				count++
			}
			if count != pods+1 {
				t.Errorf("got %d pods, want %d", count, pods+1)
			}
		}
		r.Close()
		if left, err := os.ReadDir(folder); err != nil || len(left) > 0 {
			t.Errorf("left behind: %v %v", left, err)
		}
	}
}

// TestNotKept reads a large input that cannot be kept. The rest of it must not
// be taken for all.
func TestNotKept(t *testing.T) {
	nowhere := filepath.Join(t.TempDir(), "nowhere")
	t.Setenv("TMPDIR", nowhere)
	text := strings.Repeat("---\n"+podYAML+"# "+strings.Repeat("x", 8<<10)+"\n", 300)
	r := &manifest.Reader{Stdin: strings.NewReader(text), Repeats: true}
	defer r.Close()
	if !r.Mentions("-", "Pod") {
		t.Error("what cannot be read mentions nothing")
	}
	want := "standard input: keeping it for a second reading in " + nowhere +
		": no such file or directory"
	for range 2 {
		for d, err := range r.Files([]string{"-"}) {
			if err == nil || err.Error() != want {
				t.Fatalf("got %v %v, want the error %s", d, err, want)
			}
		}
	}
}

func TestMentions(t *testing.T) {
	t.Parallel()
	far := strings.Repeat("x", 300<<10)
	root := tree(t, map[string]string{"near/a.yaml": "a: text", "far/a.yaml": far + "text" + far, "none/a.yaml": far, "deep/er/a.yaml": "text"})
	for name, want := range map[string]bool{"near": true, "far": true, "far/a.yaml": true, "none": false, "deep": false, "nowhere": true} {
		if got := (&manifest.Reader{}).Mentions(filepath.Join(root, name), "text"); got != want {
			t.Errorf("%s: got %t", name, got)
		}
	}
	for i := range 20 { // across what is read at a time
		text := strings.Repeat("x", 256<<10-i) + "text"
		if !(&manifest.Reader{Stdin: strings.NewReader(text)}).Mentions("-", "text") {
			t.Error(fmt.Sprint("not found at ", i))
		}
	}
}
