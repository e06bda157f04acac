package scenarios_test

import (
	"context"
	"flag"
	"fmt"
	"os"
	"testing"

	"example.com/gatehouse/test/serve/process"
)

// binary is the built command.
var binary string

func TestMain(m *testing.M) {
	// Most scenarios wait, which more of them can do than there are processors. What
	// the command line says comes later, and prevails.
	if err := flag.Set("test.parallel", "16"); err != nil {
		panic(err)
	}
	os.Exit(run(m))
}

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
