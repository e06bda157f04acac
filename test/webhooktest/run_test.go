package webhooktest

import (
	"testing"

	"example.com/gatehouse/internal/testutil/reviewtest"
)

// TestRun runs suites in files, which say that webhooks are where nobody answers. But for the
// one suite that is about this, the options know better.
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
