package dispatcher

import (
	"context"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"example.com/gatehouse/admission"
	"example.com/gatehouse/admission/limits"
	"example.com/gatehouse/internal/testutil/testtable"
	"example.com/gatehouse/matching"
)

// deadlineRow is what a context and a client leave of the time. Zero is none.
type deadlineRow struct {
	testtable.Row
	left, client time.Duration
	// want is when the call ends, and told the timeout in the webhook's URL.
	want, told time.Duration
}

func TestDeadline(t *testing.T) {
	t.Parallel()
	type row = testtable.Row
	testtable.Run(t, []deadlineRow{
		{row{"none", "the call may take as long as it likes"}, 0, 0, 0, 0},
		{row{"client", "its timeout is sent to the webhook (S-262)"}, 0, 30 * time.Second, 30 * time.Second, 30 * time.Second},
		{row{"context", "the time that is left, rounded up (S-261)"}, 1500 * time.Millisecond, 0, 1500 * time.Millisecond, 2 * time.Second},
		{row{"client before context", "the client is the one to say that time is up"}, time.Minute, 30 * time.Second, 30*time.Second + grace, time.Minute},
		{row{"context before client", "whichever comes first"}, 10 * time.Second, 30 * time.Second, 10 * time.Second, 10 * time.Second},
	}, func(t *testing.T, tc deadlineRow) {
		synctest.Test(t, func(t *testing.T) {
			ctx, cancel := t.Context(), context.CancelFunc(func() {})
			if tc.left > 0 {
				ctx, cancel = context.WithTimeout(ctx, tc.left)
			}
			defer cancel()
			ctx, done, told := withClientTimeout(ctx, tc.client)
			defer done()
			left := time.Duration(0)
			if end, ok := ctx.Deadline(); ok {
				left = time.Until(end)
			}
			if left != tc.want || told != tc.told {
				t.Errorf("the call ends in %v and is told %v, want %v and %v", left, told, tc.want, tc.told)
			}
		})
	})
}

// callOf returns a call in a phase, as far as patching needs one.
func callOf(t *testing.T, phase admission.Phase) *call {
	t.Helper()
	l, err := limits.Limits{}.WithDefaults()
	if err != nil {
		t.Fatal(err)
	}
	d := &Dispatcher{detached: newDetachedLimiter(), config: Config{Limits: l}}
	w := &matching.Webhook{Webhook: &admission.Webhook{Name: "hook.example.com", UID: "configuration/hook.example.com/0"}}
	return &call{run: &phaseRun{d: d, phase: phase}, webhook: w}
}

// TestLatePatchIsNotRead: a patch is not even decoded when the time is up,
// unless that takes no time.
func TestLatePatchIsNotRead(t *testing.T) {
	t.Parallel()
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	for size, want := range map[int]bool{1: true, inlinePatchLimit: false} {
		c := callOf(t, admission.Mutating)
		_, ok := c.decodePatch(ctx, []byte(`[{"op":"add","path":"/a","value":"`+strings.Repeat("x", size)+`"}]`))
		if ok != want || ok != (c.record.Err == nil) {
			t.Errorf("size %d: decoded: %v, error %v, want %v", size, ok, c.record.Err, want)
		}
	}
}

// TestWebhookKeys: webhooks of the two phases may have the same UID.
func TestWebhookKeys(t *testing.T) {
	t.Parallel()
	if callOf(t, admission.Mutating).key() == callOf(t, admission.Validating).key() {
		t.Error("webhooks of both phases wait for each other")
	}
}
