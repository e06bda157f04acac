package bombs

import (
	"fmt"
	"os"
	"testing"

	"example.com/gatehouse/internal/testutil/leaktest"
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
	leaktest.Main(m)
}
