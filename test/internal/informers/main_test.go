package informers

import (
	"flag"
	"io"
	"log"
	"log/slog"
	"os"
	"testing"

	utilruntime "k8s.io/apimachinery/pkg/util/runtime"
	"k8s.io/klog/v2"
)

// TestMain turns off logging: client-go logs every fault. A run takes seconds, so that
// there are few by default; make life has more.
func TestMain(m *testing.M) {
	_ = flag.Set("rapid.checks", "5") // rapid has the flag
	flag.Parse()
	klog.SetSlogLogger(slog.New(slog.DiscardHandler))
	log.SetOutput(io.Discard)
	utilruntime.ErrorHandlers = nil
	os.Exit(m.Run())
}
