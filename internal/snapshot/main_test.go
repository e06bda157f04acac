package snapshot

import (
	"log/slog"
	"testing"

	"k8s.io/klog/v2"

	"example.com/gatehouse/internal/testutil/leaktest"
)

func TestMain(m *testing.M) {
	// The client logs answers that are too large.
	klog.SetSlogLogger(slog.New(slog.DiscardHandler))
	leaktest.Main(m)
}
