package static

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"example.com/gatehouse/admission"
)

// The two sets that a file is rewritten between: none of them is a part of the
// other, and each is complete only when its last byte is written.
var (
	setOld = validating("a", "w.example.com") + "---\n" + validating("b", "w.example.com")
	setNew = validating("c", "w.example.com") + "---\n" + validating("d", "w.example.com") + "---\n" + lastNew

	lastNew = validating("e", "w.example.com")
)

const (
	uidsOld = uidA + " " + uidB
	uidsNew = "manifest/c.static.k8s.io/w.example.com/0 manifest/d.static.k8s.io/w.example.com/0 manifest/e.static.k8s.io/w.example.com/0"
)

// rewrite writes a file byte by byte, and calls after each with what there is.
func rewrite(t *testing.T, path, content string, after func(written string)) {
	t.Helper()
	file, err := os.Create(path)
	if err != nil {
		t.Fatal(err)
	}
	defer file.Close()
	after("")
	for i := range content {
		if _, err := file.WriteString(content[i : i+1]); err != nil {
			t.Fatal(err)
		}
		after(content[:i+1])
	}
}

// TestRewritten rewrites a file byte by byte, with pauses that are almost as
// long as the quiet period, and checks the webhooks after each byte.
func TestRewritten(t *testing.T) {
	t.Parallel()
	for _, pause := range []time.Duration{time.Millisecond, quietPeriod / 2, quietPeriod - time.Millisecond} {
		inBubble(t, Config{}, map[string]string{"a.yaml": setOld}, func(t *testing.T, o *opened) {
			rewrite(t, filepath.Join(o.dir, "a.yaml"), setNew, func(string) {
				o.manualWatch.trigger()
				o.wait(pause)
				o.expect(t, "while it is written", uidsOld)
			})
			o.wait(2 * quietPeriod)
			o.expect(t, "when it is written", uidsNew)
			if log := slices.DeleteFunc(o.eventLog.read(), isStillChanging); len(log) != 1 {
				t.Errorf("pauses of %v: %d events, want one: %q", pause, len(log), log)
			}
		})
	}
}

func isStillChanging(line string) bool {
	return strings.HasSuffix(line, "it did not stop changing within 10s")
}

// TestNeverStopsChanging requires a folder that does not stop changing to be
// reported every ten seconds, and to be loaded when it stops.
func TestNeverStopsChanging(t *testing.T) {
	t.Parallel()
	inBubble(t, Config{}, map[string]string{"a.yaml": setOld}, func(t *testing.T, o *opened) {
		restless := func(d time.Duration) (reports int) {
			for range d / (quietPeriod / 2) {
				write(t, o.dir, map[string]string{"log.json": strings.Repeat(" ", int(time.Now().UnixMilli()%1000)+1)})
				o.manualWatch.trigger()
				o.wait(quietPeriod / 2)
			}
			for _, line := range o.eventLog.read() {
				if !isStillChanging(line) {
					t.Errorf("event: %s", line)
				}
				reports++
			}
			return reports
		}
		if n := restless(quietTimeout - quietPeriod); n != 0 {
			t.Errorf("%d reports before the time", n)
		}
		if n := restless(10 * time.Second); n != 1 {
			t.Errorf("%d reports after ten seconds, want one", n)
		}
		if n := restless(pollInterval); n != 6 {
			t.Errorf("%d reports in a minute, want six", n)
		}
		write(t, o.dir, map[string]string{"a.yaml": setNew, "log.json": gone})
		o.manualWatch.trigger()
		o.wait(4 * quietPeriod)
		o.expect(t, "unchanging", uidsNew)
	})
}

// TestRewrittenExactly does the same as kube-apiserver does it, which serves
// parts of a set. Were it not so, the test above would show nothing.
func TestRewrittenExactly(t *testing.T) {
	t.Parallel()
	inBubble(t, Config{Exact: true}, map[string]string{"a.yaml": setOld}, func(t *testing.T, o *opened) {
		partial := map[string]bool{}
		rewrite(t, filepath.Join(o.dir, "a.yaml"), setNew, func(written string) {
			if written != "" && !strings.HasSuffix(written, "\n") {
				return // half a line is no valid YAML
			}
			o.manualWatch.trigger()
			o.wait(0)
			if got := uids(t, o.Current); got != uidsOld && got != uidsNew {
				partial[got] = true
			}
		})
		o.expect(t, "when it is written", uidsNew)
		if !partial[""] || len(partial) < 3 {
			t.Errorf("partial sets: %v; want none, the first, and the first two", partial)
		}
	})
}

// TestEmptied empties a file that had content. The writer may write it again
// within the quiet period; if not, the file has no webhooks.
func TestEmptied(t *testing.T) {
	t.Parallel()
	inBubble(t, Config{}, map[string]string{"a.yaml": setOld, "b.yaml": ""}, func(t *testing.T, o *opened) {
		o.write(t, map[string]string{"a.yaml": ""})
		o.wait(quietPeriod - time.Millisecond)
		o.expect(t, "soon", uidsOld)
		o.write(t, map[string]string{"a.yaml": setNew})
		o.wait(2 * quietPeriod)
		o.expect(t, "when it is written", uidsNew)
		o.write(t, map[string]string{"a.yaml": ""})
		o.wait(2 * quietPeriod)
		o.expect(t, "after a while", "")
	})
}

// TestRemovedAndWritten removes a file and writes it anew.
func TestRemovedAndWritten(t *testing.T) {
	t.Parallel()
	inBubble(t, Config{}, map[string]string{"a.yaml": setOld}, func(t *testing.T, o *opened) {
		o.write(t, map[string]string{"a.yaml": gone})
		o.wait(quietPeriod / 2)
		o.expect(t, "without the file", uidsOld)
		o.write(t, map[string]string{"a.yaml": setNew})
		o.wait(2 * quietPeriod)
		o.expect(t, "with the file", uidsNew)
		if log := o.eventLog.read(); len(log) != 1 {
			t.Errorf("%d events, want one: %q", len(log), log)
		}
	})
}

// TestClosedWhileWritten closes a folder that never comes to rest.
func TestClosedWhileWritten(t *testing.T) {
	t.Parallel()
	inBubble(t, Config{}, map[string]string{"a.yaml": setOld}, func(t *testing.T, o *opened) {
		o.write(t, map[string]string{"a.yaml": setNew})
		synctest.Wait() // until the folder waits for the quiet period
		start := time.Now()
		o.Close()
		if waited := time.Since(start); waited != 0 {
			t.Errorf("Close waited for %v", waited)
		}
		o.wait(pollInterval)
		o.expect(t, "after Close", uidsOld)
	})
}

// TestRewrittenUnderLoad rewrites a real folder in real time, watched as in a
// server, while requests look at it without a break. If the machine stops the writer for
// half of the quiet period, nothing is promised.
func TestRewrittenUnderLoad(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	path := filepath.Join(dir, "a.yaml")
	write(t, dir, map[string]string{"a.yaml": setOld})
	folder, err := Open(Config{Dir: dir, Phase: admission.Validating})
	if err != nil {
		t.Fatal(err)
	}
	defer folder.Close()

	done := make(chan struct{})
	var partial atomic.Pointer[string]
	var readers sync.WaitGroup
	for range 4 {
		readers.Go(func() {
			for {
				select {
				case <-done:
					return
				default:
				}
				if got := strings.Join(uidsOf(folder.current.Load()), " "); got != uidsOld && got != uidsNew {
					partial.Store(&got)
					return
				}
			}
		})
	}
	var longest time.Duration
	for _, step := range []struct{ content, want string }{{setNew, uidsNew}, {setOld, uidsOld}} {
		written := time.Now()
		rewrite(t, path, step.content, func(string) {
			longest = max(longest, time.Since(written))
			written = time.Now()
			time.Sleep(100 * time.Microsecond)
		})
		await(t, folder, step.want)
	}
	close(done)
	readers.Wait()
	switch got := partial.Load(); {
	case got != nil && longest < quietPeriod/2:
		t.Errorf("a request sees %q", *got)
	case got != nil:
		t.Logf("the writer stopped for %v", longest)
	}
}

// await waits until a folder that is watched has webhooks in force: long enough
// for a busy machine, and not so long that polling would do.
func await(t *testing.T, folder *Folder, want string) {
	t.Helper()
	for deadline := time.Now().Add(pollInterval / 2); uids(t, folder.Current) != want; time.Sleep(10 * time.Millisecond) {
		if time.Now().After(deadline) {
			t.Fatalf("%q in force, want %q", uids(t, folder.Current), want)
		}
	}
}

// TestSwapped exchanges two files at once, as the volumes of ConfigMaps do:
// they are links through a link.
func TestSwapped(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	write(t, dir, map[string]string{
		"..1/a.yaml": validating("a", "w.example.com"), "..1/b.yaml": validating("b", "w.example.com"),
		"..2/a.yaml": strings.TrimSuffix(setNew, "---\n"+lastNew), "..2/b.yaml": lastNew,
	})
	link(t, "..1", filepath.Join(dir, "..data"))
	link(t, "..data/a.yaml", filepath.Join(dir, "a.yaml"))
	link(t, "..data/b.yaml", filepath.Join(dir, "b.yaml"))
	folder, err := Open(Config{Dir: dir, Phase: admission.Validating})
	if err != nil {
		t.Fatal(err)
	}
	defer folder.Close()
	if got := uids(t, folder.Current); got != uidsOld {
		t.Errorf("%q in force", got)
	}
	link(t, "..2", filepath.Join(dir, "..tmp"))
	if err := os.Rename(filepath.Join(dir, "..tmp"), filepath.Join(dir, "..data")); err != nil {
		t.Fatal(err)
	}
	await(t, folder, uidsNew)
}
