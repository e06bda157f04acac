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
	// Clients log errors of certificates, which the tests expect.
	klog.SetSlogLogger(slog.New(slog.DiscardHandler))
	// Large reviews are short-lived garbage.
	debug.SetGCPercent(400)
	goleak.VerifyTestMain(m)
}
