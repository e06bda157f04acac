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

// chance says that there is time to wait for what kube-apiserver does wrong now and then.
var chance = flag.Bool("chance", false, "also wait for what kube-apiserver does wrong by chance")

// TestMain has nothing logged: the faults are meant, and both sides tell at length.
func TestMain(m *testing.M) {
	flag.Parse()
	klog.SetSlogLogger(slog.New(slog.DiscardHandler))
	log.SetOutput(io.Discard)
	utilruntime.ErrorHandlers = nil
	os.Exit(m.Run())
}
