package production

import (
	"io"
	"log"
	"log/slog"
	"os"
	"testing"

	utilruntime "k8s.io/apimachinery/pkg/util/runtime"
	"k8s.io/klog/v2"

	"example.com/gatehouse/internal/testutil/testtable"
)

// row is the name of a row and what it shows.
type row = testtable.Row

// TestMain silences both sides, which log each failed call, and watches client-go's
// metrics.
func TestMain(m *testing.M) {
	klog.SetSlogLogger(slog.New(slog.DiscardHandler))
	log.SetOutput(io.Discard)
	utilruntime.ErrorHandlers = nil
	watchMetrics()
	os.Exit(m.Run())
}
