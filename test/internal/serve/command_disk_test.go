package serve_test

import (
	"fmt"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"example.com/gatehouse/internal/testutil/process"
	"example.com/gatehouse/internal/testutil/testenv"
)

// onDisk returns the command of the binary with a small disk in a folder. Only that
// process and its children see the disk.
func onDisk(t *testing.T, folder, size string) []string {
	t.Helper()
	mount := fmt.Sprintf("mount -t tmpfs -o size=%s none '%s'", size, folder)
	if text, err := exec.CommandContext(t.Context(), "unshare", "-rm", "sh", "-c", mount).CombinedOutput(); err != nil {
		testenv.Optional(t, fmt.Sprintf("a small disk cannot be mounted: %v: %s", err, text))
	}
	return []string{"unshare", "-rm", "sh", "-c", mount + ` && exec "$@"`, "sh", binary}
}

// TestCommandFullDisk: a server does not start on a full disk.
func TestCommandFullDisk(t *testing.T) {
	t.Parallel()
	disk := t.TempDir()
	s := process.StartBy(t, onDisk(t, disk, "1m"), "--data-dir", disk)
	status := s.Wait(t)
	want := "gatehouse: starting the API server: starting etcd: serving the data in " + filepath.Join(disk, "etcd") + ": failed to create WAL: no space left on device\n"
	if got := s.Printed(); status != 2 || got != want {
		t.Errorf("got status %d and %q, want 2 and %q", status, got, want)
	}
	wantNothingLeft(t, s)
}

// TestCommandFillsDisk: a server that cannot write its data says so and ends.
// The write that did not fit on the disk is not acknowledged.
func TestCommandFillsDisk(t *testing.T) {
	t.Parallel()
	disk := t.TempDir()
	// etcd allocates two segments of the log, 64 MB each, when it starts, and the database in
	// steps of 16 MB: the second step does not fit.
	s := process.StartBy(t, onDisk(t, disk, "150m"), "--quiet", "--data-dir", disk)
	objects := configMapsOf(t, s)
	const size, enough = 900_000, 100
	written := 0
	for ; written < enough; written++ {
		object := &corev1.ConfigMap{
			ObjectMeta: metav1.ObjectMeta{Name: fmt.Sprint("a-", written)},
			Data:       map[string]string{"a": strings.Repeat("a", size)},
		}
		if _, err := objects.Create(t.Context(), object, metav1.CreateOptions{}); err != nil {
			break
		}
	}
	status := s.Wait(t)
	got := s.Printed()
	begin := "gatehouse: the data in " + filepath.Join(disk, "etcd") + ": "
	const end = ": no space left on device\n"
	if status != 2 || !strings.HasPrefix(got, begin) || !strings.HasSuffix(got, end) || strings.Count(got, "\n") != 1 {
		t.Errorf("after %d objects: got status %d and %q, want 2 and one line %s…%s", written, status, got, begin, end)
	}
}
