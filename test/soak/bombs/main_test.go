package bombs

import (
	"fmt"
	"io"
	"log"
	"os"
	"testing"

	"go.uber.org/goleak"
	"k8s.io/klog/v2"
)

func TestMain(m *testing.M) {
	served, err := Serve(os.Stdin, os.Stdout)
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
	if served {
		return
	}
	// What clients and slow calls log is the same every time.
	klog.LogToStderr(false)
	klog.SetOutput(io.Discard)
	log.SetOutput(io.Discard)
	goleak.VerifyTestMain(m)
}
