package replay_test

import (
	"bytes"
	"encoding/json"
	"runtime"
	"strconv"
	"strings"
	"testing"

	"example.com/gatehouse/dispatcher/corpus"
	"example.com/gatehouse/internal/offline/session"
	"example.com/gatehouse/internal/replay"
)

// TestMemory: the live heap does not grow with the number of entries, of which each
// has 16 KiB.
func TestMemory(t *testing.T) {
	const each, some, all, room = 16 << 10, 100, 600, 4 << 20
	o := session.NewOptions()
	o.Parallel = 4
	e := newEngine(t, replay.Options{Session: o, RecordedAnswers: true, Unexplained: true}, configuration)
	long := []byte(`"image":"` + strings.Repeat("i", each) + `"`)
	review := bytes.Replace(review("web"), []byte(`"image":"i"`), long, 1)
	entries := func(yield func(*corpus.Entry, error) bool) {
		for i := range all {
			one := entry(strconv.Itoa(i))
			one.Review = json.RawMessage(bytes.Clone(review))
			if !yield(one, nil) {
				return
			}
		}
	}
	live := func() uint64 {
		runtime.GC()
		var m runtime.MemStats
		runtime.ReadMemStats(&m)
		return m.HeapAlloc
	}
	var before uint64
	count := 0
	err := e.Replay(t.Context(), entries, func(r *replay.Result) error {
		if len(r.Object) < each {
			t.Fatalf("the object has %d bytes", len(r.Object))
		}
		if count++; count == some {
			before = live()
		}
		if count == all {
			if after := live(); after > before+room {
				t.Errorf("after %d entries %d bytes are live, and after %d %d", some, before, all, after)
			}
		}
		return nil
	})
	if err != nil || count != all {
		t.Errorf("%d results, %v", count, err)
	}
}
