package model

import (
	"testing"

	registrationv1 "k8s.io/api/admissionregistration/v1"

	"example.com/gatehouse/admission"
	"example.com/gatehouse/internal/testutil/testtable"
)

// TestHistory opens and closes windows while states are delivered.
func TestHistory(t *testing.T) {
	t.Parallel()
	h := NewHistory()
	begin := func(revision int64) int64 {
		number, _ := h.begin(func() []any { return []any{written("a", revision)} })
		return number
	}
	deliver := func(revision int64) { h.end(begin(revision)) }
	sees := func(w Window, want ...int64) {
		t.Helper()
		var got []int64
		for _, s := range w.Close() {
			if len(s) == 0 {
				got = append(got, 0)
				continue
			}
			got = append(got, s[0].revision())
		}
		if len(got) != len(want) {
			t.Fatalf("got %v, want %v", got, want)
		}
		for i := range got {
			if got[i] != want[i] {
				t.Fatalf("got %v, want %v", got, want)
			}
		}
	}
	sees(h.Open(), 0)
	old := h.Open()
	deliver(1)
	during := h.Open()
	mark := h.Mark()
	begun := begin(2)
	early := h.Open() // may see what is being delivered, and what was before
	h.end(begun)
	if mark.Passed() {
		t.Error("a request that began before is under way")
	}
	sees(old, 0, 1, 2)
	if !mark.Passed() {
		t.Error("none is")
	}
	sees(during, 1, 2)
	sees(early, 1, 2)
	sees(h.Open(), 2)
	if n := len(h.states); n != 1 || len(h.open) != 0 {
		t.Errorf("%d states are kept for %d requests", n, len(h.open))
	}
	if !h.Settled(State{at("a", 2)}) || h.Settled(State{at("a", 1)}) {
		t.Error("state 2 is in force")
	}
	begin(3)
	if h.Settled(State{at("a", 3)}) {
		t.Error("state 3 is being delivered")
	}
}

// written is a configuration as the store has it.
func written(name string, revision int64) any {
	return Draft{Name: name, Phase: admission.Mutating, Revision: revision, Webhooks: []WebhookDraft{{
		Role: "r", Resources: []string{Pods}, Client: registrationv1.WebhookClientConfig{URL: new("https://127.0.0.1")},
	}}}.Object()
}

func at(name string, revision int64) *Configuration {
	return &Configuration{Name: name, Webhooks: []Webhook{{Name: "w", Role: "r", Revision: revision}}}
}

// TestState changes states, none of which may notice.
func TestState(t *testing.T) {
	t.Parallel()
	type row struct {
		testtable.Row
		change func(State) State
		want   State
	}
	start := State{at("b", 1), at("d", 1)}
	testtable.Run(t, []row{
		{testtable.Row{"first", "names are in order"}, func(s State) State { return s.With(at("a", 2)) }, State{at("a", 2), at("b", 1), at("d", 1)}},
		{testtable.Row{"between", "names are in order"}, func(s State) State { return s.With(at("c", 2)) }, State{at("b", 1), at("c", 2), at("d", 1)}},
		{testtable.Row{"replaced", "a name is there once"}, func(s State) State { return s.With(at("d", 2)) }, State{at("b", 1), at("d", 2)}},
	}, func(t *testing.T, r row) {
		if got := r.change(start); !got.Equal(r.want) {
			t.Errorf("got %v, want %v", got, r.want)
		}
		if !start.Equal(State{at("b", 1), at("d", 1)}) {
			t.Errorf("the state before has changed: %v", start)
		}
	})
}
