package bombs

import (
	"fmt"
	"os"
	"testing"

	"go.uber.org/goleak"

	"example.com/gatehouse/test/internal/soak/engine"
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
	engine.Quiet()
	goleak.VerifyTestMain(m)
}
