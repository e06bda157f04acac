package punctual

import (
	"io"
	"log"
	"testing"

	"go.uber.org/goleak"
	"k8s.io/klog/v2"
)

func TestMain(m *testing.M) {
	// What clients and slow calls log is the same every time.
	klog.LogToStderr(false)
	klog.SetOutput(io.Discard)
	log.SetOutput(io.Discard)
	goleak.VerifyTestMain(m)
}
