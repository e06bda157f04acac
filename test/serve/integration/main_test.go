package integration_test

import (
	"context"
	"fmt"
	"os"
	"testing"

	"example.com/gatehouse/test/serve/process"
)

// binary is the built command.
var binary string

func TestMain(m *testing.M) { os.Exit(run(m)) }

func run(m *testing.M) int {
	folder, err := os.MkdirTemp("", "gatehouse-test-")
	if err == nil {
		defer os.RemoveAll(folder)
		binary, err = process.Build(context.Background(), folder)
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		return 1
	}
	return m.Run()
}
