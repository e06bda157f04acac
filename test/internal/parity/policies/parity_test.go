package policies_test

import (
	"context"
	"flag"
	"io"
	"log"
	"log/slog"
	"math/rand/v2"
	"os"
	"runtime/debug"
	"testing"

	utilruntime "k8s.io/apimachinery/pkg/util/runtime"
	"k8s.io/klog/v2"

	"example.com/gatehouse/dispatcher"
	"example.com/gatehouse/test/internal/parity/harness"
	"example.com/gatehouse/test/internal/parity/policies"
)

// worlds is how many worlds are drawn, and perWorld how many requests in each.
var (
	worlds   = flag.Int("worlds", 10, "number of drawn clusters")
	perWorld = flag.Int("requests", 60, "number of requests in each")
	seed     = flag.Uint64("seed", 11, "seed of the first cluster")
)

func TestMain(m *testing.M) {
	flag.Parse()
	klog.SetSlogLogger(slog.New(slog.DiscardHandler))
	log.SetOutput(io.Discard)
	utilruntime.ErrorHandlers = nil
	harness.WithoutRuntimeMetrics() // they would only take time
	debug.SetGCPercent(400)
	os.Exit(m.Run())
}

func share(t *testing.T) *policies.Shared {
	t.Helper()
	shared, err := policies.Share()
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := shared.Close(); err != nil {
			t.Error(err)
		}
	})
	return shared
}

// TestDrawn compares drawn requests in drawn clusters, without and with records.
func TestDrawn(t *testing.T) {
	var s shares
	n := 0
	draw := func(n int) (*world, error) {
		random := rand.New(rand.NewPCG(*seed+uint64(n), 0))
		return &world{World: policies.DrawWorld(random), seed: *seed + uint64(n), random: random}, nil
	}
	for w := range started(t, share(t), *worlds, draw) {
		if w.compare(t, &s); t.Failed() {
			return
		}
		if n++; n%25 == 0 {
			t.Logf("%d worlds: %s", n, &s)
		}
	}
	t.Log(&s)
	const enough = 600 // requests, from which on shares mean something
	for name, percent := range s.percentages() {
		if percent < least && s.requests >= enough {
			t.Errorf("%d %% of the requests have %s, want at least %d %%", percent, name, least)
		}
	}
}

// world is a started world.
type world struct {
	*policies.World
	seed   uint64
	random *rand.Rand
	sides  *policies.Sides
	stop   context.CancelFunc
	err    error
}

// started returns worlds in order. It starts some ahead, because upstream's
// plugins wait until they are ready.
func started(
	t *testing.T, shared *policies.Shared, count int, draw func(n int) (*world, error),
) <-chan *world {
	const ahead = 8
	all := make(chan chan *world, ahead)
	go func() {
		defer close(all)
		for n := range count {
			one := make(chan *world, 1)
			all <- one
			go func() { one <- start(t.Context(), shared, n, draw) }()
		}
	}()
	ready := make(chan *world)
	go func() {
		defer close(ready)
		for one := range all {
			select {
			case ready <- <-one:
			case <-t.Context().Done():
			}
		}
	}()
	return ready
}

func start(
	ctx context.Context, shared *policies.Shared, n int, draw func(n int) (*world, error),
) *world {
	w, err := draw(n)
	if err != nil {
		return &world{err: err, stop: func() {}}
	}
	ctx, w.stop = context.WithCancel(ctx)
	w.sides, w.err = w.Start(ctx, shared)
	return w
}

// compare compares requests in a world. Half of them are recorded.
func (w *world) compare(t *testing.T, s *shares) {
	defer w.stop()
	if w.err != nil {
		t.Fatal(w.err)
	}
	for i := range *perWorld {
		r := policies.DrawRequest(w.random)
		var recorder dispatcher.Recorder
		if i%2 == 1 {
			s.begin()
			recorder = s
		}
		different, got, err := w.sides.Compare(t.Context(), r, recorder)
		if err != nil {
			t.Fatal(err)
		}
		if different != "" {
			t.Errorf("seed %d, request %d: %s\n%s", w.seed, i, different, policies.Describe(w.World, r))
			return
		}
		s.add(r, &got, recorder != nil)
	}
}
