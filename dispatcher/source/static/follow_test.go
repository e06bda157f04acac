package static

import (
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"k8s.io/apimachinery/pkg/runtime"

	"example.com/gatehouse/admission"
	"example.com/gatehouse/internal/testutil/testtable"
)

const (
	uidA = "manifest/a.static.k8s.io/w.example.com/0"
	uidB = "manifest/b.static.k8s.io/w.example.com/0"
)

// followRow is a change of a folder that holds a.yaml with the webhook A.
type followRow struct {
	row
	change map[string]string
	// want is the content in force afterwards, and log the events of two
	// minutes. DIR stands for the folder.
	want string
	log  []string
}

// TestFollow changes a folder, by default and in exact mode: the final result
// is the same (S-048, S-049).
func TestFollow(t *testing.T) {
	t.Parallel()
	a, b := validating("a", "w.example.com"), validating("b", "w.example.com")
	broken := `load failed: error loading DIR/b.yaml: Object 'Kind' is missing in '{}'`
	testtable.Run(t, []followRow{{
		row:    row{"another file", "S-049: the whole set is exchanged"},
		change: map[string]string{"b.yaml": b},
		want:   uidA + " " + uidB,
		log:    []string{"reloaded: 2 configurations, " + uidA + " " + uidB},
	}, {
		row:    row{"nothing left", "S-049: removing all files is a way to have no webhooks"},
		change: map[string]string{"a.yaml": gone},
		log:    []string{"reloaded: 0 configurations, "},
	}, {
		row:    row{"same content", "S-049: no event without a change"},
		change: map[string]string{"a.yaml": a},
		want:   uidA,
	}, {
		row:    row{"another name", "S-041, S-049: names do not count"},
		change: map[string]string{"a.yaml": gone, "z.json": a},
		want:   uidA,
	}, {
		row:    row{"broken", "S-049: the snapshot before stays in force, and every attempt is reported: at once and twice by polling"},
		change: map[string]string{"b.yaml": "{}"},
		want:   uidA,
		log:    []string{broken, broken, broken},
	}, {
		row:    row{"other files", "S-040: they are none of ours"},
		change: map[string]string{"b.txt": "{}", "c/b.yaml": "{}"},
		want:   uidA,
	}}, func(t *testing.T, tc followRow) {
		for _, exact := range []bool{false, true} {
			inBubble(t, Config{Exact: exact}, map[string]string{"a.yaml": a}, func(t *testing.T, o *opened) {
				o.write(t, tc.change)
				o.wait(2*pollInterval + quietPeriod)
				o.expect(t, "in the end", tc.want)
				var log []string
				for _, line := range o.eventLog.read() {
					log = append(log, strings.ReplaceAll(line, o.dir, "DIR"))
				}
				if diff := cmp.Diff(tc.log, log); diff != "" {
					t.Errorf("exact %v: events (-want +got):\n%s", exact, diff)
				}
			})
		}
	})
}

// TestPoll requires changes that the watch misses to be noticed within a minute
// (S-048).
func TestPoll(t *testing.T) {
	t.Parallel()
	inBubble(t, Config{}, nil, func(t *testing.T, o *opened) {
		write(t, o.dir, map[string]string{"a.yaml": validating("a", "w.example.com")})
		o.wait(pollInterval + 2*quietPeriod)
		o.expect(t, "after a minute", uidA)
	})
}

// TestCheckFailsOnce has selectors that do not parse: the snapshot before stays
// in force, and no second event follows until the files change (S-049).
func TestCheckFailsOnce(t *testing.T) {
	t.Parallel()
	hash := "good"
	load := func(dir string) ([]runtime.Object, string, error) {
		if hash == "good" {
			found, _, err := Load(dir, admission.Validating)
			return found, hash, err
		}
		return unselectable(), hash, nil
	}
	inBubble(t, Config{Load: load}, map[string]string{"a.yaml": validating("a", "w.example.com")}, func(t *testing.T, o *opened) {
		for _, step := range []struct {
			hash string
			want []string
		}{
			{"bad", []string{"check failed: " + unselectableText}},
			{"bad", nil},
			{"worse", []string{"check failed: " + unselectableText}},
			{"good", []string{"reloaded: 1 configurations, " + uidA}},
		} {
			hash = step.hash
			o.manualWatch.trigger()
			o.wait(2 * quietPeriod)
			o.expect(t, hash, uidA)
			if diff := cmp.Diff(step.want, o.eventLog.read()); diff != "" {
				t.Errorf("%s (-want +got):\n%s", hash, diff)
			}
		}
	})
}

// TestLoaderPanics has the loader panic while the folder is followed.
func TestLoaderPanics(t *testing.T) {
	t.Parallel()
	calls := 0
	load := func(string) ([]runtime.Object, string, error) {
		if calls++; calls == 2 {
			panic("not today")
		}
		return nil, "", nil
	}
	inBubble(t, Config{Load: load}, nil, func(t *testing.T, o *opened) {
		// The watch has begun, and with it the second call.
		o.manualWatch.trigger()
		o.wait(2 * quietPeriod)
		if calls != 3 {
			t.Errorf("loaded %d times, want 3", calls)
		}
	})
}

// TestWatchFails requires an event if changes may be noticed late (S-048).
func TestWatchFails(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	events := make(chan Event, 10)
	folder, err := Open(Config{Dir: dir, Phase: admission.Validating, Report: func(e Event) {
		if e.Kind == Loaded {
			write(t, dir, map[string]string{"": gone})
		}
		events <- e
	}})
	if err != nil {
		t.Fatal(err)
	}
	defer folder.Close()
	for deadline := time.After(2 * time.Minute); ; {
		select {
		case e := <-events:
			if e.Kind == WatchFailed && e.Err != nil {
				return
			}
		case <-deadline:
			t.Fatal("no event says that there is no folder to watch")
		}
	}
}

// TestKeepsWhatIsUnchanged requires an unchanged configuration not to be
// compiled again.
func TestKeepsWhatIsUnchanged(t *testing.T) {
	t.Parallel()
	a, b := validating("a", "w.example.com"), validating("b", "w.example.com")
	inBubble(t, Config{}, map[string]string{"a.yaml": a, "b.yaml": b}, func(t *testing.T, o *opened) {
		before := o.Webhooks()
		o.write(t, map[string]string{"b.yaml": strings.Replace(b, "/w.example", "/v.example", 1)})
		o.wait(2 * quietPeriod)
		after := o.Webhooks()
		if before[0] != after[0] || before[1] == after[1] {
			t.Errorf("kept: %v, %v; want the first alone", before[0] == after[0], before[1] == after[1])
		}
	})
}

// TestEventKinds requires a name for every kind.
func TestEventKinds(t *testing.T) {
	t.Parallel()
	seen := map[string]bool{}
	for k := EventKind(0); k <= WatchFailed+1; k++ {
		seen[k.String()] = true
	}
	if len(seen) != 6 {
		t.Errorf("names: %v", seen)
	}
}
