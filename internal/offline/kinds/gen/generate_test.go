package main

import (
	"os"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// TestTableIsCurrent fails when the modules or the generator have changed since
// go generate was last run.
func TestTableIsCurrent(t *testing.T) {
	t.Parallel()
	want, err := generate()
	if err != nil {
		t.Fatal(err)
	}
	got, err := os.ReadFile("../table.go")
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(string(want), string(got)); diff != "" {
		t.Errorf("table.go is stale, run go generate (-want +got):\n%s", diff)
	}
}
