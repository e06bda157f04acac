package integration_test

import (
	"context"
	"os"
	"testing"

	"example.com/gatehouse/internal/testutil/process"
)

// binary is the built command.
var binary string

func TestMain(m *testing.M) { os.Exit(process.Run(context.Background(), m, &binary)) }
