package main

import (
	"path/filepath"
	"strings"
	"testing"
)

// TestCheck: what a system lacks is an error there, in packages and in their tests, and
// nothing else is.
func TestCheck(t *testing.T) {
	folder, err := filepath.Abs("testdata/signal")
	if err != nil {
		t.Fatal(err)
	}
	if err := check(folder, "linux", ""); err != nil {
		t.Errorf("linux: %v", err)
	}
	err = check(folder, "windows", "")
	if err == nil {
		t.Fatal("windows has no error")
	}
	for _, want := range []string{"signal.go:6:", "signal_test.go:9:"} {
		if !strings.Contains(err.Error(), want) || strings.Count(err.Error(), "\n") != 1 {
			t.Errorf("windows: %v, want one error of %s", err, want)
		}
	}
}
