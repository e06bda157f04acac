package wide

import (
	"io"
	"log"
	"testing"

	"go.uber.org/goleak"
	"k8s.io/klog/v2"
)

func TestMain(m *testing.M) {
	// Calls that take long are logged, and there are many on a busy machine.
	klog.LogToStderr(false)
	klog.SetOutput(io.Discard)
	log.SetOutput(io.Discard)
	goleak.VerifyTestMain(m)
}
