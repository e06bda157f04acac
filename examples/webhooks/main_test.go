package webhooks

import (
	"flag"
	"log/slog"
	"runtime/debug"
	"testing"

	"go.uber.org/goleak"
	"k8s.io/klog/v2"
)

func TestMain(m *testing.M) {
	flag.Parse()
	// Clients log what they think of certificates, which here is said otherwise.
	klog.SetSlogLogger(slog.New(slog.DiscardHandler))
	// Large reviews are a lot of garbage, and nothing is kept.
	debug.SetGCPercent(400)
	goleak.VerifyTestMain(m)
}
