package webhooks

import (
	"flag"
	"log/slog"
	"runtime/debug"
	"testing"

	"k8s.io/klog/v2"

	"example.com/gatehouse/internal/testutil/leaktest"
)

func TestMain(m *testing.M) {
	flag.Parse()
	// Clients log errors of certificates, which the tests expect.
	klog.SetSlogLogger(slog.New(slog.DiscardHandler))
	// Large reviews are short-lived garbage.
	debug.SetGCPercent(400)
	leaktest.Main(m)
}
