package main

import (
	"context"
	"fmt"
	"io"
	"os"
	"testing"

	"k8s.io/klog/v2"

	"example.com/gatehouse/internal/testutil/leaktest"
)

// TestMain is also the backend that the rows about load start: they run this
// program again, which in tests is the test.
func TestMain(m *testing.M) {
	if os.Getenv(backendVariable) != "" {
		if err := serveBackend(context.Background(), os.Stdin, os.Stdout); err != nil {
			fmt.Fprintln(os.Stderr, err)
			os.Exit(1)
		}
		return
	}
	klog.LogToStderr(false)
	klog.SetOutput(io.Discard)
	leaktest.Main(m)
}
