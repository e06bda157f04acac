package static

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"example.com/gatehouse/admission"
	"example.com/gatehouse/matching"
)

// manifestOf is a configuration of a phase, as short as one can be, with a
// webhook of each name.
func manifestOf(phase admission.Phase, name string, webhooks ...string) string {
	var text strings.Builder
	fmt.Fprintf(&text, "apiVersion: admissionregistration.k8s.io/v1\nkind: %s\nmetadata: {name: %s}\nwebhooks:\n", kindFor(phase), name)
	for _, w := range webhooks {
		fmt.Fprintf(&text, "- {name: %s, clientConfig: {url: \"https://127.0.0.1/%s\"}, sideEffects: None, admissionReviewVersions: [v1]}\n", w, w)
	}
	return text.String()
}

// validating is a validating configuration with the suffix that static names
// need.
func validating(name string, webhooks ...string) string {
	return manifestOf(admission.Validating, name+".static.k8s.io", webhooks...)
}

// write writes files into a folder; those without content are removed.
func write(t *testing.T, dir string, files map[string]string) {
	t.Helper()
	for name, content := range files {
		path := filepath.Join(dir, name)
		if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
			t.Fatal(err)
		}
		var err error
		if content == gone {
			err = os.RemoveAll(path)
		} else {
			err = os.WriteFile(path, []byte(content), 0o600)
		}
		if err != nil {
			t.Fatal(err)
		}
	}
}

// gone is the content of a file that is to be removed.
const gone = "\x00gone"

// uids lists the webhooks that a source of snapshots has in force.
func uids(t *testing.T, current func(context.Context) (*matching.Snapshot, error)) string {
	t.Helper()
	snapshot, err := current(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	return strings.Join(uidsOf(snapshot), " ")
}

// uidsOf lists mutating webhooks before validating ones.
func uidsOf(s *matching.Snapshot) []string {
	var uids []string
	for _, phase := range []admission.Phase{admission.Mutating, admission.Validating} {
		for _, w := range s.Webhooks(phase) {
			uids = append(uids, w.UID)
		}
	}
	return uids
}

// eventLog records events as lines of text.
type eventLog struct {
	mu    sync.Mutex
	lines []string
}

func (d *eventLog) report(e Event) {
	d.mu.Lock()
	defer d.mu.Unlock()
	line := e.Kind.String()
	switch {
	case e.Err != nil:
		line += ": " + e.Err.Error()
	default:
		line += fmt.Sprintf(": %d configurations, %s", e.Configurations, strings.Join(uidsOf(e.Snapshot), " "))
	}
	d.lines = append(d.lines, line)
}

// read returns what was written since the last time.
func (d *eventLog) read() []string {
	d.mu.Lock()
	defer d.mu.Unlock()
	lines := d.lines
	d.lines = nil
	return lines
}

// manualWatch is a watch that the test triggers, and that also polls once a minute.
type manualWatch struct{ trigger func() }

func (b *manualWatch) watch(ctx context.Context, interval time.Duration, _ string, changed func(), _ func(error)) {
	b.trigger = changed
	ticker := time.NewTicker(interval)
	defer ticker.Stop()
	for changed(); ; {
		select {
		case <-ticker.C:
			changed()
		case <-ctx.Done():
			return
		}
	}
}

// opened is an open folder in virtual time.
type opened struct {
	*Folder
	manualWatch manualWatch
	eventLog    eventLog
	dir         string
}

// inBubble opens a folder of validating webhooks and starts the watch.
func inBubble(t *testing.T, config Config, files map[string]string, test func(t *testing.T, o *opened)) {
	t.Helper()
	dir := t.TempDir()
	write(t, dir, files)
	synctest.Test(t, func(t *testing.T) {
		o := &opened{dir: dir}
		config.Dir, config.Phase, config.Report = dir, admission.Validating, o.eventLog.report
		var err error
		if o.Folder, err = open(config, o.manualWatch.watch); err != nil {
			t.Fatal(err)
		}
		defer o.Close()
		o.wait(quietPeriod)
		o.eventLog.read()
		test(t, o)
	})
}

// wait advances the clock and waits until all goroutines of the bubble block.
func (o *opened) wait(d time.Duration) {
	synctest.Wait()
	time.Sleep(d)
	synctest.Wait()
}

// write writes files and rings.
func (o *opened) write(t *testing.T, files map[string]string) {
	t.Helper()
	write(t, o.dir, files)
	o.manualWatch.trigger()
}

// expect compares the uids in force.
func (o *opened) expect(t *testing.T, when, want string) {
	t.Helper()
	if got := uids(t, o.Current); got != want {
		t.Errorf("%s: %q in force, want %q", when, got, want)
	}
}
