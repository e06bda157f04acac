package webhooktest

import "testing"

// TestRun runs suites in files, which say that webhooks are where nobody answers. But for the
// one suite that is about this, the options know better.
func TestRun(t *testing.T) {
	t.Parallel()
	t.Run("in process", func(t *testing.T) {
		t.Parallel()
		Run(t, "testdata/suites", Handler(answer(allow)), Handler(answer(label), "labels/label.example.com"))
	})
	t.Run("TLS", func(t *testing.T) {
		t.Parallel()
		Run(t, "testdata/suites", Serial(), ServedBy(Serve(t, answer(allow))), ServedBy(Serve(t, answer(label)), "label.example.com"))
	})
}
