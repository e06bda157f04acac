package dispatcher_test

import (
	"io"
	"net/http"
	"strings"
	"testing"

	"example.com/gatehouse/admission"
	"example.com/gatehouse/admission/limits"
	"example.com/gatehouse/internal/testutil/testtable"
)

// TestBudgetIsShared has two calls in flight at once: the first holds most of
// the budget while it waits for the rest of its body, and the second is
// refused.
func TestBudgetIsShared(t *testing.T) {
	t.Parallel()
	budget := limits.NewBudget(270_000)
	half, finish := make(chan struct{}), make(chan struct{})
	holding := one(admission.Validating, func(r *http.Request) (*http.Response, error) {
		answer, err := padded(150_000, allow())(r)
		if err == nil {
			answer.Body = io.NopCloser(&halting{body: answer.Body, at: 140_000, halt: func() {
				close(half)
				<-finish
			}})
		}
		return answer, err
	}).within(limits.Limits{Budget: budget})
	first := make(chan error, 1)
	go func() { first <- holding.run(t.Context(), t, admission.Validating).err }()
	<-half
	second := one(admission.Validating, padded(200_000, allow())).within(limits.Limits{Budget: budget})
	if err := second.run(t.Context(), t, admission.Validating).err; !strings.Contains(testtable.Text(err), "more than 270000 bytes (Limits.Budget)") {
		t.Errorf("beside a large answer: error %v, want the budget in it", err)
	}
	close(finish)
	if err := <-first; err != nil {
		t.Errorf("the call that had its share failed: %v", err)
	}
	if err := second.run(t.Context(), t, admission.Validating).err; err != nil {
		t.Errorf("afterwards: %v", err)
	}
	if budget.Used() != 0 {
		t.Errorf("%d bytes were not returned", budget.Used())
	}
}

// halting is a body that does something in the middle.
type halting struct {
	body io.Reader
	at   int
	halt func()
}

func (h *halting) Read(p []byte) (int, error) {
	if h.at == 0 {
		h.at = -1
		h.halt()
	}
	if h.at > 0 {
		p = p[:min(len(p), h.at)]
	}
	n, err := h.body.Read(p)
	if h.at > 0 {
		h.at -= n
	}
	return n, err
}

// TestBudgetAfterPanic reads a body that panics when there is something to
// return.
func TestBudgetAfterPanic(t *testing.T) {
	t.Parallel()
	budget := limits.NewBudget(0)
	held := 0
	s := one(admission.Validating, func(r *http.Request) (*http.Response, error) {
		answer, err := padded(150_000, allow())(r)
		if err == nil {
			answer.Body = io.NopCloser(&halting{body: answer.Body, at: 140_000, halt: func() {
				held = budget.Used()
				panic("boom")
			}})
		}
		return answer, err
	}).within(limits.Limits{Budget: budget})
	r := s.run(t.Context(), t, admission.Validating)
	if r.calls[0].Outcome != admission.Panicked || held == 0 || budget.Used() != 0 {
		t.Errorf("%v, and of %d bytes %d were not returned", r.calls[0].Outcome, held, budget.Used())
	}
}
