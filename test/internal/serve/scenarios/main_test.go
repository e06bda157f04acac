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
	// Most scenarios wait, so more of them can run than there are processors. A
	// flag on the command line overrides this.
	if err := flag.Set("test.parallel", "16"); err != nil {
		panic(err)
	}
	os.Exit(process.Run(context.Background(), m, &binary))
}
