package policies_test

import (
	"context"
	"flag"
	"log/slog"
	"math/rand/v2"
	"os"
	"slices"
	"strings"
	"testing"

	"k8s.io/apimachinery/pkg/api/equality"
	utilruntime "k8s.io/apimachinery/pkg/util/runtime"
	"k8s.io/klog/v2"

	"example.com/gatehouse/admission"
	"example.com/gatehouse/dispatcher"
	"example.com/gatehouse/internal/offline/kinds"
	"example.com/gatehouse/test/internal/parity/policies"
)

// worlds is how many worlds are drawn, and perWorld how many requests in each.
var (
	worlds   = flag.Int("worlds", 15, "number of drawn clusters")
	perWorld = flag.Int("requests", 60, "number of requests in each")
	seed     = flag.Uint64("seed", 1, "seed of the first cluster")
)

func TestMain(m *testing.M) {
	flag.Parse()
	klog.SetSlogLogger(slog.New(slog.DiscardHandler))
	utilruntime.ErrorHandlers = nil
	os.Exit(m.Run())
}

// counts are shares of what was compared.
type counts struct{ requests, denied, mutated, second, warned, annotated, measured, records int }

// TestDrawn compares drawn requests in drawn clusters, without and with records.
func TestDrawn(t *testing.T) {
	var c counts
	for n := range *worlds {
		compareWorld(t, *seed+uint64(n), &c)
		if n%25 == 24 {
			t.Logf("%d worlds", n+1)
		}
		if t.Failed() {
			return
		}
	}
	share := func(n int) int { return 100 * n / max(1, c.requests) }
	t.Logf("requests %d: denied %d %%, mutated %d %%, second rounds %d %%, warnings %d %%, "+
		"annotations %d %%, metrics that change %d %%, records %d",
		c.requests, share(c.denied), share(c.mutated), share(c.second), share(c.warned), share(c.annotated),
		share(c.measured), c.records)
	if slices.Contains([]int{c.denied, c.mutated, c.second, c.warned, c.annotated, c.measured, c.records}, 0) {
		t.Errorf("nothing of a sort was compared: %+v", c)
	}
}

// RecordPolicy implements dispatcher.PolicyRecorder.
func (c *counts) RecordPolicy(context.Context, *admission.PolicyRecord) { c.records++ }

func compareWorld(t *testing.T, seed uint64, c *counts) {
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	random := rand.New(rand.NewPCG(seed, 0))
	w := policies.DrawWorld(random)
	sides, err := w.Start(ctx)
	if err != nil {
		t.Fatal(err)
	}
	objects := kinds.New().ObjectInterfaces()
	order := strings.Compare
	for i := range *perWorld {
		r := policies.DrawRequest(random)
		var recorder dispatcher.PolicyRecorder
		if i%2 == 1 {
			recorder = c
		}
		different, got, next, err := sides.Compare(ctx, r, objects, order, recorder)
		if err != nil {
			t.Fatal(err)
		}
		if order = next; different != "" {
			t.Errorf("seed %d, request %d: %s\n%s", seed, i, different, policies.Describe(w, r))
			return
		}
		c.requests++
		c.add(r, got)
	}
}

func (c *counts) add(sent *policies.Request, r policies.Result) {
	if r.Object != nil && !equality.Semantic.DeepEqual(sent.New().GetObject(), r.Object) {
		c.mutated++
	}
	if len(r.Metrics) > 0 {
		c.measured++
	}
	if r.Err != "" {
		c.denied++
	}
	if r.Rounds == 2 {
		c.second++
	}
	if len(r.Warnings) > 0 {
		c.warned++
	}
	if len(r.Annotations) > 0 {
		c.annotated++
	}
}
