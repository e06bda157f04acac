package replay_test

import (
	"fmt"
	"io"
	"runtime"
	"strings"
	"testing"

	"example.com/gatehouse/dispatcher/corpus"
	"example.com/gatehouse/internal/offline/session"
	"example.com/gatehouse/internal/replay"
	"example.com/gatehouse/internal/testutil/replaytest"
)

// BenchmarkReplay replays pods through 20 webhooks and 20 policies, of which some
// or all see pods. The webhooks answer as recorded.
func BenchmarkReplay(b *testing.B) {
	for _, pods := range []int{5, 20} {
		b.Run(fmt.Sprintf("called=%d", pods), func(b *testing.B) {
			manifests := replaytest.Manifests(pods)
			entries, err := replaytest.Entries(b.Context(), manifests, 200)
			if err != nil {
				b.Fatal(err)
			}
			var all []*corpus.Entry
			for e := range entries {
				all = append(all, e)
			}
			o := session.NewOptions()
			o.Configs, o.Stdin, o.Stderr = []string{"-"}, strings.NewReader(manifests), io.Discard
			o.Parallel = 2 * runtime.GOMAXPROCS(0)
			e, err := replay.New(&replay.Options{Session: o, RecordedAnswers: true, Unexplained: true})
			if err != nil {
				b.Fatal(err)
			}
			defer e.Close()
			b.ReportAllocs()
			b.ResetTimer()
			err = e.Replay(b.Context(), func(yield func(*corpus.Entry, error) bool) {
				for i := range b.N {
					if !yield(all[i%len(all)], nil) {
						return
					}
				}
			}, func(r *replay.Result) error {
				if r.Error != "" || r.Undecided || len(r.Calls) == 0 || r.Calls[0].Assumed {
					b.Fatalf("%s, %v", r.Error, r.Calls)
				}
				return nil
			})
			if err != nil {
				b.Fatal(err)
			}
			b.ReportMetric(float64(b.N)/b.Elapsed().Seconds(), "requests/s")
		})
	}
}
