package calibration

import (
	"flag"
	"io"
	"log"
	"log/slog"
	"os"
	"testing"

	utilruntime "k8s.io/apimachinery/pkg/util/runtime"
	"k8s.io/klog/v2"

	"example.com/gatehouse/test/internal/soak/promise"
)

// bursts is how many bursts of changes gatehouse has to take.
var bursts = flag.Int("bursts", promise.DefaultBursts, "how many bursts of changes of a configuration gatehouse has to take")

// chance also runs the checks of faults that kube-apiserver shows only
// sometimes.
var chance = flag.Bool("chance", false, "also wait for what kube-apiserver does wrong by chance")

// TestMain turns off logging: the faults are intended, and both sides log them
// at length.
func TestMain(m *testing.M) {
	flag.Parse()
	klog.SetSlogLogger(slog.New(slog.DiscardHandler))
	log.SetOutput(io.Discard)
	utilruntime.ErrorHandlers = nil
	os.Exit(m.Run())
}
