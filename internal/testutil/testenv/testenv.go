package testenv

import (
	"fmt"
	"os"
	"testing"
)

// The environment variables that say what happens, see the package's
// documentation.
const (
	ci      = "GATEHOUSE_CI"
	skipped = "GATEHOUSE_SKIPPED"
)

// Missing ends a test for a reason that CI has to see to: the test fails there.
func Missing(t testing.TB, reason any) {
	t.Helper()
	if os.Getenv(ci) == "1" {
		t.Fatalf("%v (with %s=1 nothing may be missing)", reason, ci)
	}
	Optional(t, reason)
}

// Optional skips a test, for a reason that there may be in CI, too.
func Optional(t testing.TB, reason any) {
	t.Helper()
	if name := os.Getenv(skipped); name != "" {
		if err := note(name, fmt.Sprintf("%s: %v\n", t.Name(), reason)); err != nil {
			t.Fatalf("%s: %v", skipped, err)
		}
	}
	t.Skip(reason)
}

// note appends a line to a file with one write, because tests of other packages
// append at the same time.
func note(name, line string) error {
	file, err := os.OpenFile(name, os.O_APPEND|os.O_CREATE|os.O_WRONLY, 0o600)
	if err != nil {
		return err
	}
	if _, err := file.WriteString(line); err != nil {
		_ = file.Close() // the first error says more
		return err
	}
	return file.Close()
}
