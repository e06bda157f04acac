package faultserver_test

import (
	"flag"
	"testing"

	"example.com/gatehouse/internal/testutil/leaktest"
)

func TestMain(m *testing.M) {
	// Most tests wait, which more of them can do than there are processors.
	// What the command line says comes later, and prevails.
	if err := flag.Set("test.parallel", "4"); err != nil {
		panic(err)
	}
	leaktest.Main(m)
}
