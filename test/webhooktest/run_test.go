package webhooktest

import (
	"testing"

	"example.com/gatehouse/internal/testutil/reviewtest"
)

// TestRun runs suites in files whose addresses have no server. Except for one
// suite, the options override them.
func TestRun(t *testing.T) {
	t.Parallel()
	t.Run("in process", func(t *testing.T) {
		t.Parallel()
		Run(t, "testdata/suites", Handler(answer(reviewtest.Allow)), Handler(answer(label), "labels/label.example.com"))
	})
	t.Run("TLS", func(t *testing.T) {
		t.Parallel()
		Run(t, "testdata/suites", Serial(), ServedBy(Serve(t, answer(reviewtest.Allow))), ServedBy(Serve(t, answer(label)), "label.example.com"))
	})
}
