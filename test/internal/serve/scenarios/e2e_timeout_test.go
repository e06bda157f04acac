package scenarios_test

import (
	"testing"
	"time"

	registrationv1 "k8s.io/api/admissionregistration/v1"
	"k8s.io/utils/ptr"
)

// createLate creates a configmap that a webhook allows after five seconds, and
// fails the test if the answer is there before the webhook or its time-out can
// have made it. The four cases of E-13 have a namespace each, and wait at the
// same time.
func (w *world) createLate(t *testing.T, policy registrationv1.FailurePolicyType, timeout *int32, least time.Duration) error {
	t.Helper()
	late := w.validating("allow-configmap-with-delay-webhook.k8s.io", "/always-allow-delay-5s", onMaps())
	late.FailurePolicy, late.TimeoutSeconds = &policy, timeout
	w.validate(t, late)
	begin := time.Now()
	_, err := w.createMap(t, "e2e-test-configmap", nil)
	if took := time.Since(begin); took < least {
		t.Errorf("the answer came after %s, want %s at least", took, least)
	}
	return err
}

func testTooLate(t *testing.T, w *world) {
	err := w.createLate(t, registrationv1.Fail, ptr.To[int32](1), time.Second)
	wantError(t, err, "context deadline exceeded", "/always-allow-delay-5s?timeout=1s")
}

func testLateIgnored(t *testing.T, w *world) {
	wantNone(t, w.createLate(t, registrationv1.Ignore, ptr.To[int32](1), time.Second))
}

func testInTime(t *testing.T, w *world) {
	wantNone(t, w.createLate(t, registrationv1.Fail, ptr.To[int32](30), 5*time.Second))
}

func testTimeoutByDefault(t *testing.T, w *world) {
	wantNone(t, w.createLate(t, registrationv1.Fail, nil, 5*time.Second))
}
