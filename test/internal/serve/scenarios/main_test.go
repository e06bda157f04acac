package scenarios_test

import (
	"context"
	"flag"
	"os"
	"testing"

	"example.com/gatehouse/internal/testutil/process"
)

// binary is the built command.
var binary string

func TestMain(m *testing.M) {
	// Most scenarios wait, which more of them can do than there are processors. What
	// the command line says comes later, and prevails.
	if err := flag.Set("test.parallel", "16"); err != nil {
		panic(err)
	}
	os.Exit(process.Run(context.Background(), m, &binary))
}
