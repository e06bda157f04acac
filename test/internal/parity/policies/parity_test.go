package policies_test

import (
	"context"
	"flag"
	"io"
	"log"
	"log/slog"
	"math/rand/v2"
	"os"
	"testing"

	utilruntime "k8s.io/apimachinery/pkg/util/runtime"
	"k8s.io/klog/v2"

	"example.com/gatehouse/dispatcher"
	"example.com/gatehouse/test/internal/parity/policies"
)

// worlds is how many worlds are drawn, and perWorld how many requests in each.
var (
	worlds   = flag.Int("worlds", 10, "number of drawn clusters")
	perWorld = flag.Int("requests", 60, "number of requests in each")
	seed     = flag.Uint64("seed", 1, "seed of the first cluster")
)

func TestMain(m *testing.M) {
	flag.Parse()
	klog.SetSlogLogger(slog.New(slog.DiscardHandler))
	log.SetOutput(io.Discard)
	utilruntime.ErrorHandlers = nil
	os.Exit(m.Run())
}

func startWebhooks(t *testing.T) *policies.Webhooks {
	t.Helper()
	webhooks, err := policies.StartWebhooks()
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := webhooks.Close(); err != nil {
			t.Error(err)
		}
	})
	return webhooks
}

// TestDrawn compares drawn requests in drawn clusters, without and with records.
func TestDrawn(t *testing.T) {
	var s shares
	n := 0
	for w := range started(t, startWebhooks(t)) {
		if w.compare(t, &s); t.Failed() {
			return
		}
		if n++; n%100 == 0 {
			t.Logf("%d worlds: %s", n, &s)
		}
	}
	t.Log(&s)
	for name, percent := range s.percentages() {
		if percent < least {
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

// started returns the worlds. It starts some ahead, because upstream's plugins
// wait two seconds until they are ready.
func started(t *testing.T, webhooks *policies.Webhooks) <-chan *world {
	const ahead = 8
	all := make(chan chan *world, ahead)
	go func() {
		defer close(all)
		for n := range *worlds {
			one := make(chan *world, 1)
			all <- one
			go func() { one <- start(t, *seed+uint64(n), webhooks) }()
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

func start(t *testing.T, seed uint64, webhooks *policies.Webhooks) *world {
	ctx, stop := context.WithCancel(t.Context())
	w := &world{seed: seed, random: rand.New(rand.NewPCG(seed, 0)), stop: stop}
	w.World = policies.DrawWorld(w.random)
	w.sides, w.err = w.Start(ctx, webhooks)
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
